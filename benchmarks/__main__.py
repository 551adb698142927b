"""The one command. Nothing heavy is imported before the process is on one core."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown

from benchmarks.harness.machine import Occupancy, pin_to_one_core
from benchmarks.harness.plan import FULL, QUICK
from benchmarks.harness.report import FAILED
from benchmarks.harness.sources import Sources

RESULTS = Path(__file__).parent / "RESULTS.md"


def main() -> None:
    chosen = _arguments()
    pinned = pin_to_one_core()
    occupancy, sources = Occupancy(), Sources()
    from benchmarks.harness.run import SECTIONS, run

    names = chosen.only.split(",") if chosen.only else list(SECTIONS)
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        sys.exit(f"no section {', '.join(unknown)}; there are: {', '.join(SECTIONS)}")
    report = run(QUICK if chosen.quick else FULL, names, pinned, occupancy, sources)
    full = not (chosen.quick or chosen.only)
    _deliver(report, chosen.output or (RESULTS if full else None))
    if FAILED in report:
        sys.exit("at least one section could not be measured: see the report")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measures everything and writes benchmarks/RESULTS.md.",
        epilog="RESULTS.md is written by a full run alone; other reports are printed.",
    )
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--only", metavar="SECTIONS", help="such as solvers,growth")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the report there")
    return parser.parse_args()


def _deliver(report: str, file: Path | None) -> None:
    if file is not None:
        file.write_text(report, encoding="utf-8")
        Console(stderr=True).print(f"written: {file.name}")
    elif sys.stdout.isatty():
        Console().print(Markdown(report))
    else:
        print(report)


if __name__ == "__main__":
    main()
