"""python -m benchmarks.ballots: one poll on each database, one report (BALLOTS.md)."""

from __future__ import annotations

import argparse
import statistics
import tempfile
from contextlib import ExitStack
from datetime import date
from pathlib import Path

from rich.console import Console as Screen

from benchmarks.ballots.poll import Poll, poll
from benchmarks.harness.machine import machine

RESULTS = Path(__file__).parents[1] / "BALLOTS.md"
COLUMNS = (
    *("database", "reviewers", "submitted", "kills", "saves confirmed", "lost", "saved twice"),
    *("sent again", "refused", "median ms", "95th percentile ms", "longest ms"),
)
HEAD = """\
# Ballots under load, with a server that is killed

{reviewers:,} reviewers with {papers} papers each fill in their ballots within {minutes:g} minutes on
loopback: each opens their link at a random moment, saves after every paper that they place, about one
every {pause:g} s, and submits. Meanwhile the server's process is killed (SIGKILL) at {kills} random
moments and started again. A save without an answer is sent again with the same id. Afterwards the server
is killed once more, and every save that was ever confirmed is looked for: its content and its receipt.
Server and reviewers share this machine's cores. Written by `python -m benchmarks.ballots`.

{machine}

{rows}

Target: every confirmed save is there, and all reviewers submit. **{verdict}** Times are of saves that
were answered the first time they were sent.
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ballots", description=__doc__)
    parser.add_argument("--reviewers", type=int, default=2000)
    parser.add_argument("--papers", type=int, default=6)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--pause", type=float, default=5.0, help="mean pause between saves")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument(
        "--databases", nargs="+", choices=("sqlite", "postgresql"), default=["sqlite", "postgresql"]
    )
    parser.add_argument("-o", "--output", type=Path, default=RESULTS)
    chosen, screen = parser.parse_args(), Screen(stderr=True)
    polls = {}
    for database in chosen.databases:
        with screen.status(f"{chosen.reviewers:,} reviewers on {database}"):
            polls[database] = _held(database, chosen)
    report = _report(polls, chosen)
    chosen.output.write_text(report, "utf-8")
    screen.print(report, markup=False)


def _held(database: str, chosen: argparse.Namespace) -> Poll:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="unround-ballots-"))
        url = None
        if database == "postgresql":
            from tests.console.postgres import DURABLE, new_database, running_server

            url = new_database(stack.enter_context(running_server(DURABLE)).address)
        return poll(
            Path(folder),
            url,
            reviewers=chosen.reviewers,
            papers=chosen.papers,
            seconds=60.0 * chosen.minutes,
            pause=chosen.pause,
            kills=chosen.kills,
        )


def _report(polls: dict[str, Poll], chosen: argparse.Namespace) -> str:
    fine = all(
        not (one.lost or one.doubled or one.refused) and one.submitted == one.reviewers
        for one in polls.values()
    )
    told = [*machine(), ("date", f"{date.today():%Y-%m-%d}")]
    return HEAD.format(
        reviewers=chosen.reviewers,
        papers=chosen.papers,
        minutes=chosen.minutes,
        pause=chosen.pause,
        kills=chosen.kills,
        machine="; ".join(f"{name}: {value}" for name, value in told) + ".",
        rows="\n".join([*_header(), *(_row(name, one) for name, one in polls.items())]),
        verdict="Reached." if fine else "Not reached.",
    )


def _header() -> list[str]:
    return [f"| {' | '.join(COLUMNS)} |", "|---" + "|---:" * (len(COLUMNS) - 1) + "|"]


def _row(name: str, one: Poll) -> str:
    times = sorted(1000 * seconds for seconds in one.times)
    slow = times[min(len(times) - 1, int(0.95 * len(times)))]
    title = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[name]
    counts = (one.reviewers, one.submitted, one.kills, one.confirmed, one.lost, one.doubled)
    numbers = [f"{count:,}" for count in (*counts, one.sent_again, len(one.refused))]
    numbers += [f"{time:.0f}" for time in (statistics.median(times), slow, times[-1])]
    return f"| {title} | {' | '.join(numbers)} |"


if __name__ == "__main__":
    main()
