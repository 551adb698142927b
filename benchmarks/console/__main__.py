"""python -m benchmarks.console: one run, one report (CONSOLE.md)."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from rich.console import Console as Screen
from tests.console.client import Visitor
from tests.console.hosting import UnroundServer
from tests.console.postgres import DURABLE, new_database, running_server

from benchmarks.console import report
from benchmarks.console.first_paint import first_paint
from benchmarks.console.hosting import Hosted, host, unround, until_ready
from benchmarks.console.report import Measured
from benchmarks.console.visitors import most_requests, rush, stay

SECONDS = 10.0  # at most, of as many requests as the server answers
RESULTS = Path(__file__).parents[1] / "CONSOLE.md"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.console", description=__doc__)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--area-chairs", type=int, default=500, help="who enter in a rush")
    parser.add_argument("--within", type=float, default=10.0, help="seconds of a rush")
    parser.add_argument("--visitors", type=int, default=200, help="who then stay")
    parser.add_argument("--seconds", type=float, default=60.0, help="600 for a soak")
    parser.add_argument("--pause", type=float, default=1.0, help="mean pause between requests")
    parser.add_argument("--paints", type=int, default=5, help="first sights of the chair")
    parser.add_argument("--only", choices=("SQLite", "PostgreSQL"), help="leave the other out")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS)
    chosen, screen = parser.parse_args(), Screen(stderr=True)
    databases = [chosen.only] if chosen.only else ["SQLite", "PostgreSQL"]
    measured = [_measure(name, chosen, screen) for name in databases]
    text = report.whole(measured, chosen.visitors, chosen.seconds, chosen.pause)
    chosen.output.write_text(text, "utf-8")
    screen.print(text, markup=False)


def _measure(name: str, chosen: argparse.Namespace, screen: Screen) -> Measured:
    """Host a conference; then a rush, a long visit, and rushes after all that makes views anew."""
    with tempfile.TemporaryDirectory(prefix="unround-load-") as folder, _databases(name) as new:
        data, url = Path(folder) / "data", new()
        with UnroundServer(data, database=url) as server:
            with screen.status(f"{name}: bringing the conference in"):
                hosted = host(server, Path(folder), chosen.papers, chosen.area_chairs)
            with screen.status(f"{name}: {chosen.area_chairs} area chairs enter"):
                rushes = {"just imported": rush(hosted, chosen.within)}
            few = replace(hosted, secrets=hosted.secrets[: chosen.visitors])
            with screen.status(f"{name}: {chosen.visitors} area chairs for {chosen.seconds:.0f} s"):
                before = _megabytes(server.process.pid)
                visits = stay(few, chosen.within, chosen.seconds, chosen.pause)
                memory = before, _megabytes(server.process.pid)
            with screen.status(f"{name}: as many requests as it answers"):
                rate = most_requests(hosted, min(SECONDS, chosen.seconds))
            with screen.status(f"{name}: the chair's first sight"):
                paints = first_paint(hosted, chosen.paints)
        ready = {}
        with (
            UnroundServer(data, database=url) as server,
            screen.status(f"{name}: restarted, and changed"),
        ):
            hosted = replace(hosted, console=server)
            ready["restarted"] = until_ready(server)
            rushes["restarted"] = rush(hosted, chosen.within)
            change = _change(hosted)
            rushes["just changed"] = rush(hosted, chosen.within)
            unround("backup", Path(folder) / "backup", data, url)
        data, url = Path(folder) / "restored", new()
        unround("restore", Path(folder) / "backup", data, url)
        with UnroundServer(data, database=url) as server, screen.status(f"{name}: restored"):
            ready["restored"] = until_ready(server)
            rushes["restored"] = rush(replace(hosted, console=server), chosen.within)
    return Measured(
        name, hosted, visits, rushes, paints, memory, change, chosen.within, ready, rate
    )


@contextmanager
def _databases(name: str) -> Iterator[Callable[[], str | None]]:
    """Yield a function that makes a new database and returns its address."""
    if name == "SQLite":
        yield lambda: None
        return
    with running_server(DURABLE) as server:
        yield lambda: new_database(server.address)


def _change(hosted: Hosted) -> float:
    """Hide the stars from area chairs; return the seconds until the console says that it is done."""
    with Visitor(hosted.console.url) as chair:
        chair.enter(hosted.console.link)
        started = time.perf_counter()
        path = f"/api/conferences/{hosted.conference}"
        chair.patch(path, json={"show_stars": False}).raise_for_status()
        return time.perf_counter() - started


def _megabytes(process: int) -> float:
    """Return the memory that a process holds."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1000


if __name__ == "__main__":
    main()
