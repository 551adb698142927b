"""Faults, many times over: python -m tests.faults [--kills 200] [--rounds 2] [--report FILE].

Ends with 1 if anything was lost, shown by half, or left without an end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.console.postgres import DURABLE, new_database, running_server
from tests.faults import cases, commands, console
from tests.faults.database import fill_database_disk
from tests.faults.results import digest
from tests.faults.tally import Tally

HEAD = """# Faults

Written by `make faults`: commands, servers, workers and databases are killed or stopped at random moments,
disks are full (the console's by a limit on the size of files, PostgreSQL's a small one that is filled),
and descriptors are used up. After every fault the harness compares everything with what was promised
before: finished runs have the same bytes, uploads are whole, every check and run ends with a reason, a
result is whole or not there, every file of the data folder belongs to something in the database, and no log
has a traceback. Backups are killed while files and runs come in; a whole one is restored into the other
database and compared row by row.

"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=2, help="of stops and shortages")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--report", type=Path)
    arguments = parser.parse_args()
    began, tally = time.monotonic(), Tally()
    with TemporaryDirectory(prefix="unround-faults-") as name:
        strike(tally, Path(name), arguments.kills, arguments.rounds, arguments.seed)
    minutes = (time.monotonic() - began) / 60
    report = f"{HEAD}{tally.report()}\nSeed {arguments.seed}, {minutes:.0f} minutes, commit {_commit()}.\n"
    print(report)
    if arguments.report is not None:
        arguments.report.write_text(report, "utf-8")
    sys.exit(1 if tally.breaches else 0)


def _commit() -> str:
    words = ["git", "describe", "--always", "--dirty"]
    found = subprocess.run(words, check=False, capture_output=True, text=True)
    return found.stdout.strip() or "unknown"


def strike(tally: Tally, scratch: Path, kills: int, rounds: int, seed: int) -> None:
    """Half of the kills hit commands, a quarter the console on each database, all side by side."""
    half, quarter = kills // 2, kills // 4
    rest = kills - half - quarter
    parts: dict[str, Callable[[Random], None]] = {
        "commands": lambda random: strike_commands(tally, scratch, half, random),
        "SQLite": lambda random: strike_sqlite(tally, scratch, quarter, rounds, random),
        "PostgreSQL": lambda random: strike_postgresql(tally, scratch, rest, rounds, random),
        "disk": lambda random: fill_database_disk(tally, scratch / "full", rounds, random),
    }
    with ThreadPoolExecutor(len(parts)) as pool:
        running = [pool.submit(part, Random(f"{name} {seed}")) for name, part in parts.items()]
    for part in running:
        if part.exception() is not None:
            tally.breach("harness", "".join(traceback.format_exception(part.exception())))


def strike_commands(tally: Tally, scratch: Path, kills: int, random: Random) -> None:
    inputs = scratch / "inputs"
    cases.prepare(inputs)
    before = digest(inputs)
    known = [
        commands.measured(case, scratch / f"whole-{case.name}") for case in cases.cases(inputs)
    ]
    commands.kill_commands(tally, known, scratch / "killed", kills, random)
    if digest(inputs) != before:
        tally.breach("commands", "an input was changed")


def strike_sqlite(tally: Tally, scratch: Path, kills: int, rounds: int, random: Random) -> None:
    with closing(console.Site(tally, "SQLite", scratch / "sqlite", None)) as site:
        strike_site(site, kills, rounds, random)


def strike_postgresql(tally: Tally, scratch: Path, kills: int, rounds: int, random: Random) -> None:
    with running_server(DURABLE) as server:
        address, data = new_database(server.address), scratch / "postgresql"
        with closing(console.Site(tally, "PostgreSQL", data, address)) as site:
            strike_site(site, kills, rounds, random)
            console.stop_database(site, server, rounds, random)


def strike_site(site: console.Site, kills: int, rounds: int, random: Random) -> None:
    """Everything that can happen to a console on either database."""
    site.start()
    site.settle()
    console.kill_servers_and_workers(site, kills, random)
    console.kill_backups(site, max(kills // 2, 10), random)
    console.fill_disk(site, rounds, random)
    console.use_up_descriptors(site, rounds, random)


if __name__ == "__main__":
    main()
