"""The one command. Nothing heavy is imported before the process is on one core."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown

from benchmarks.machine import Occupancy, pin_to_one_core
from benchmarks.plan import FULL, QUICK
from benchmarks.sources import Sources

RESULTS = Path(__file__).parent / "RESULTS.md"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="a small version in under a minute, printed; RESULTS.md stays as it is",
    )
    quick = parser.parse_args().quick
    pinned = pin_to_one_core()
    occupancy, sources = Occupancy(), Sources()
    from benchmarks.run import run

    report = run(QUICK if quick else FULL, pinned, occupancy, sources)
    if not quick:
        RESULTS.write_text(report, encoding="utf-8")
        Console(stderr=True).print(f"written: {RESULTS.parent.name}/{RESULTS.name}")
    elif sys.stdout.isatty():
        Console().print(Markdown(report))
    else:
        print(report)


if __name__ == "__main__":
    main()
