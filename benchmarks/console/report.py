"""Write what was measured as a page."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version

import unround
from benchmarks.console.hosting import Hosted
from benchmarks.console.visitors import Visit
from benchmarks.harness.machine import machine

HEAD = """\
# The console under load

{papers:,} papers and {reviews:,} reviews. Server and visitors share this machine's cores: the times
include the visitors' own work, and that of other programs: the load average was {load:.1f} when this was
written. Written by `make load`.

{machine}

| What one server holds | {databases} |
|---|{rule}
{summary}

Reviewers who save their rankings at once are measured by `make load-ballots` (`BALLOTS.md`).
"""
SECTION = """
## {database}

Upload, check, solve with validation and storing: {stored:.1f} s.

**{rushing} area chairs enter within {within:.0f} seconds**, at random moments, and each opens their table:
right after the area chairs were imported; right after a change of what is shown (in force after
{change:.1f} s); after a restart of the server and after a
restore, each as soon as `/readyz` answers 200 (after {restarted:.1f} s and {restored:.1f} s).

{rushes}

Target: no error, no answer over {longest:.0f} s. **{rush_verdict}**

**{visitors} area chairs for {seconds:.0f} s**, who enter within {within:.0f} s, each with a session of their
own and about one request every {pause:.1f} s (a random pause between 0 and {twice:.1f} s).

{visits}

{rate:.0f} requests a second; without pauses the server answers {most:.0f}. Target: no error, 95th percentile
under 500 ms. **{verdict}**
The server held {before:.0f} MB at the start and {after:.0f} MB at the end.

A chair's table of all papers, from asking for the address to the first rows drawn, in Chromium:
{paints} s (target: under 2 s; **{seen}**).
"""
COLUMNS = "| {} | count | errors | median ms | 95th percentile ms | longest ms | median kB sent |"
LONGEST = 2.0  # seconds that an area chair may wait for an answer in a rush
RULE = "|---|---:|---:|---:|---:|---:|---:|"


@dataclass(frozen=True)
class Measured:
    """All that was measured on one database."""

    database: str
    hosted: Hosted
    visits: Sequence[Visit]
    rushes: dict[str, Sequence[Visit]]
    paints: Sequence[float]
    memory: tuple[float, float]  # MB of the server before and after the visits
    change: float  # seconds until a change of what is shown was in force
    within: float  # seconds of a rush
    ready: dict[str, float]  # seconds until the server was ready, by what had happened
    most: float  # requests a second without pauses

    @property
    def longest(self) -> float:
        """Seconds of the longest answer in all rushes."""
        return max(visit.seconds for visits in self.rushes.values() for visit in visits)


def whole(measured: Sequence[Measured], visitors: int, seconds: float, pause: float) -> str:
    """Return the page."""
    hosted = measured[0].hosted
    facts = "; ".join(f"{name}: {value}" for name, value in [*machine(), *_versions()])
    head = HEAD.format(
        papers=hosted.papers,
        reviews=hosted.reviews,
        machine=f"{facts}.",
        load=os.getloadavg()[2],
        databases=" | ".join(one.database for one in measured),
        rule="---:|" * len(measured),
        summary=_summary(measured, visitors),
    )
    return head + "".join(_section(one, visitors, seconds, pause) for one in measured)


def _summary(measured: Sequence[Measured], visitors: int) -> str:
    """Return the lines of a table with one column per database."""
    first = measured[0]
    lines = {
        "cores": [f"{os.cpu_count()}" for _ in measured],
        f"{len(first.hosted.secrets)} area chairs within {first.within:.0f} s: longest answer": [
            f"{one.longest:.2f} s" for one in measured
        ],
        f"{visitors} area chairs who stay: 95th percentile": [
            f"{1000 * slow(one.visits):.0f} ms" for one in measured
        ],
        "most requests a second": [f"{one.most:.0f}" for one in measured],
        "ready after a restart": [f"{one.ready['restarted']:.1f} s" for one in measured],
        "memory of the server": [f"{one.memory[1]:.0f} MB" for one in measured],
    }
    return "\n".join(f"| {name} | {' | '.join(values)} |" for name, values in lines.items())


def _section(one: Measured, visitors: int, seconds: float, pause: float) -> str:
    rushed = [visit for visits in one.rushes.values() for visit in visits]
    quick = one.longest <= LONGEST
    fine = slow(one.visits) < 0.5
    return SECTION.format(
        database=one.database,
        stored=one.hosted.seconds,
        rushing=len(one.hosted.secrets),
        within=one.within,
        longest=LONGEST,
        change=one.change,
        restarted=one.ready["restarted"],
        restored=one.ready["restored"],
        most=one.most,
        rushes="\n\n".join(_table(name, visits) for name, visits in one.rushes.items()),
        rush_verdict=_verdict(rushed, reached=quick),
        visitors=visitors,
        seconds=seconds,
        pause=pause,
        twice=2 * pause,
        visits=_table("request", one.visits),
        rate=len(one.visits) / (seconds + one.within),
        verdict=_verdict(one.visits, reached=fine),
        before=one.memory[0],
        after=one.memory[1],
        paints=", ".join(f"{paint:.2f}" for paint in one.paints),
        seen="reached" if max(one.paints) < 2.0 else "not reached",
    )


def _verdict(visits: Sequence[Visit], *, reached: bool) -> str:
    fine = reached and not any(map(_failed, visits))
    return "Reached." if fine else "Not reached."


def _table(name: str, visits: Sequence[Visit]) -> str:
    actions = dict.fromkeys(visit.action for visit in visits)
    rows = [_line(action, [v for v in visits if v.action == action]) for action in actions]
    return "\n".join([COLUMNS.format(name), RULE, *rows, _line("all", visits)])


def _line(name: str, visits: Sequence[Visit]) -> str:
    times = [1000 * visit.seconds for visit in visits]
    errors = sum(map(_failed, visits))
    size = statistics.median(visit.bytes for visit in visits) / 1000
    return (
        f"| {name} | {len(visits):,} | {errors} | {statistics.median(times):.0f} "
        f"| {1000 * slow(visits):.0f} | {max(times):.0f} | {size:.0f} |"
    )


def slow(visits: Sequence[Visit]) -> float:
    """Return the 95th percentile of the times."""
    times = sorted(visit.seconds for visit in visits)
    return times[min(len(times) - 1, int(0.95 * len(times)))]


def _failed(visit: Visit) -> bool:
    return visit.status >= 400


def _versions() -> list[tuple[str, str]]:
    names = ("fastapi", "uvicorn", "sqlalchemy")
    measured = [("date", f"{date.today():%Y-%m-%d}"), ("unround", unround.__version__)]
    return [*measured, *((name, version(name)) for name in names)]
