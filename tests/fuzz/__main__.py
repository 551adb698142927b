"""Fuzz the readers: python -m tests.fuzz [--files 1000] [--seed 0] [--only NAME] [--keep FOLDER]."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.fuzz.documents import TARGETS as DOCUMENTS
from tests.fuzz.plain import Differs
from tests.fuzz.tables import TARGETS as TABLES
from tests.fuzz.target import Target
from unround.formats.files.source import Source
from unround.formats.importer import joined
from unround.formats.model import FileContent, ImportRefused
from unround.formats.registry import recognise

SYSTEMS = Path(__file__).parents[1] / "formats" / "systems"
TARGETS: tuple[Target, ...] = (
    *TABLES,
    *DOCUMENTS,
    *(
        target
        for path in sorted(SYSTEMS.glob("*/fuzz_targets.py"))
        for target in import_module(
            f"tests.formats.systems.{path.parent.name}.fuzz_targets"
        ).TARGETS
    ),
)
SLOWEST = 5.0  # seconds of processor time that a small file may take
JOINED_EVERY = 10  # ids and scores get their kinds in a later step, which is tried less often
SHOWN = 3
MEMORY = Path("/dev/shm")  # where the system keeps files in memory, if it does


def outcome(target: Target, number: int, seed: int, folder: Path) -> tuple[str, str]:
    """Make, read and check one file; return what came of it and, of a finding, the reason."""
    random = Random(f"{target.name} {seed} {number}")
    data, check = target.made(random)
    path = folder / f"file{target.suffix}"
    path.write_bytes(data)
    began = time.process_time()
    try:
        content = _read(path, target)
        if number % JOINED_EVERY == 0 and content.reviews is not None:
            joined([content])
    except ImportRefused:
        return "refused", ""
    except Exception:
        return "traceback", traceback.format_exc(limit=-4)
    seconds = time.process_time() - began
    if seconds > SLOWEST:
        return "slow", f"{seconds:.1f} s"
    try:
        check(content)
    except (Differs, ValueError, LookupError, SyntaxError) as error:
        return "differs", f"{type(error).__name__}: {error}"
    return "read", ""


def _read(path: Path, target: Target) -> FileContent:
    source = Source(path)
    return recognise(source).read(source, target.options)


def fuzz(target: Target, files: int, seed: int, keep: Path | None = None) -> Counter[str]:
    """Read many files of one target, print what came of them, and keep the findings."""
    counts: Counter[str] = Counter()
    began = time.perf_counter()
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as scratch:
        folder = Path(scratch)
        for number in range(files):
            result, reason = outcome(target, number, seed, folder)
            counts[result] += 1
            if reason and counts[result] <= SHOWN:
                print(f"  {target.name} file {number}, {result}: {reason}", flush=True)
                _kept(folder / f"file{target.suffix}", target, number, keep)
    seconds = time.perf_counter() - began
    told = ", ".join(f"{count:,} {result}" for result, count in sorted(counts.items()))
    print(f"{target.name}: {told} ({1000 * seconds / files:.1f} ms per file)", flush=True)
    return counts


def _kept(file: Path, target: Target, number: int, keep: Path | None) -> None:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{target.name.replace(' ', '-')}-{number}{target.suffix}").write_bytes(
            file.read_bytes()
        )


def main() -> int:
    """Fuzz every target; return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--files", type=int, default=1000, help="files per reader")
    parser.add_argument("--seed", type=int, default=0, help="same seed, same files")
    parser.add_argument("--only", default="", help="part of a target's name")
    parser.add_argument("--keep", type=Path, help="folder for the files of findings")
    options = parser.parse_args()
    found = 0
    for target in TARGETS:
        if options.only in target.name:
            counts = fuzz(target, options.files, options.seed, options.keep)
            found += sum(counts[result] for result in ("traceback", "differs", "slow"))
    print(f"{found:,} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
