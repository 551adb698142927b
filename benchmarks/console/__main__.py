"""python -m benchmarks.console: one run, one report (CONSOLE.md)."""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path

from rich.console import Console as Screen

from benchmarks.console.first_paint import first_paint
from benchmarks.console.hosting import Hosted, console, host
from benchmarks.console.visitors import Visit, visit_all
from benchmarks.harness.machine import machine

RESULTS = Path(__file__).parents[1] / "CONSOLE.md"
HEAD = """\
# The console under load

{papers:,} papers and {reviews:,} reviews in {database}; {chairs} area chairs at once for {seconds:.0f} s
on loopback, each with a session of their own and about one request every {pause:.1f} s (a random pause
between 0 and {twice:.1f} s). Server and visitors share this machine's cores: the times include the
visitors' own work. Written by `python -m benchmarks.console`.

{machine}

Upload, check, solve with validation and storing: {stored:.1f} s.

| request | count | errors | median ms | 95th percentile ms | longest ms | median kB sent |
|---|---:|---:|---:|---:|---:|---:|
{rows}

{rate:.0f} requests a second. Target: no error, 95th percentile under 500 ms. **{verdict}**

A chair's table of all {papers:,} papers, from asking for the address to the first rows drawn, in Chromium:
{paints} s (target: under 2 s; **{seen}**).
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.console", description=__doc__)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--area-chairs", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=1.0, help="mean pause between requests")
    parser.add_argument("--database", help="a PostgreSQL URL; SQLite when left out")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS)
    chosen, screen = parser.parse_args(), Screen(stderr=True)
    with tempfile.TemporaryDirectory(prefix="unround-load-") as folder:
        (data := Path(folder) / "data").mkdir()
        with console(data, chosen.database) as server:
            with screen.status("bringing the conference in"):
                hosted = host(server, Path(folder), chosen.papers, chosen.area_chairs)
            with screen.status(f"{chosen.area_chairs} area chairs for {chosen.seconds:.0f} s"):
                visits = asyncio.run(visit_all(hosted, chosen.seconds, chosen.pause))
            with screen.status("the chair's first sight"):
                paints = first_paint(hosted, 5)
    report = _report(hosted, visits, paints, chosen)
    chosen.output.write_text(report, "utf-8")
    screen.print(report, markup=False)


def _report(
    hosted: Hosted, visits: Sequence[Visit], paints: Sequence[float], chosen: argparse.Namespace
) -> str:
    everything = _line("all", visits)
    actions = dict.fromkeys(visit.action for visit in visits)
    rows = [_line(action, [v for v in visits if v.action == action]) for action in actions]
    fine = _slow(visits) < 0.5 and not any(_failed(visit) for visit in visits)
    return HEAD.format(
        papers=hosted.papers,
        reviews=hosted.reviews,
        database="PostgreSQL" if chosen.database else "SQLite",
        chairs=len(hosted.secrets),
        seconds=chosen.seconds,
        pause=chosen.pause,
        twice=2 * chosen.pause,
        machine="; ".join(f"{name}: {value}" for name, value in [*machine(), *_versions()]) + ".",
        stored=hosted.seconds,
        rows="\n".join([*rows, everything]),
        rate=len(visits) / chosen.seconds,
        verdict="Reached." if fine else "Not reached.",
        paints=", ".join(f"{paint:.2f}" for paint in paints),
        seen="reached" if max(paints) < 2.0 else "not reached",
    )


def _versions() -> list[tuple[str, str]]:
    names = ("unround", "fastapi", "uvicorn", "sqlalchemy")
    return [("date", f"{date.today():%Y-%m-%d}"), *((name, version(name)) for name in names)]


def _line(name: str, visits: Sequence[Visit]) -> str:
    times = [1000 * visit.seconds for visit in visits]
    errors = sum(_failed(visit) for visit in visits)
    size = statistics.median(visit.bytes for visit in visits) / 1000
    return (
        f"| {name} | {len(visits):,} | {errors} | {statistics.median(times):.0f} "
        f"| {1000 * _slow(visits):.0f} | {max(times):.0f} | {size:.0f} |"
    )


def _slow(visits: Sequence[Visit]) -> float:
    """The 95th percentile of the times."""
    times = sorted(visit.seconds for visit in visits)
    return times[min(len(times) - 1, int(0.95 * len(times)))]


def _failed(visit: Visit) -> bool:
    return visit.status >= 400


if __name__ == "__main__":
    main()
