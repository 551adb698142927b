"""A few near-valid files per reader; with FUZZ_FILES, as `make fuzz` sets it, many more."""

from __future__ import annotations

import os
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.documents import TARGETS as DOCUMENTS
from tests.fuzz.plain import Differs
from tests.fuzz.tables import TARGETS as TABLES
from tests.fuzz.target import Target
from unround.formats.files.source import Source
from unround.formats.importer import joined
from unround.formats.model import Gives, ImportRefused
from unround.formats.registry import readers, recognise

TARGETS = (*TABLES, *DOCUMENTS)
FILES = int(os.environ.get("FUZZ_FILES", "40"))
SEED = os.environ.get("FUZZ_SEED", "1")  # same seed, same files
SLOWEST = 5.0  # seconds of processor time that a small file may take
JOINED_EVERY = 10  # ids and scores get their kinds in a later step, which is tried less often
SHOWN = 3
# Readers whose files another target writes too, or that state meta-reviews alone.
NOT_FUZZED = {"openreview-folder", "hotcrp-assignments"}


def outcome(target: Target, number: int, folder: Path) -> tuple[str, str]:
    """Make, read and check one file; return what came of it and, of a finding, the reason."""
    data, check = target.made(Random(f"{target.name} {SEED} {number}"))
    path = folder / f"file{target.suffix}"
    path.write_bytes(data)
    began = time.process_time()
    try:
        source = Source(path)
        content = recognise(source).read(source, target.options, target.context)
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


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_near_valid_files_are_read_as_they_are_or_refused(target: Target, tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    findings: list[str] = []
    for number in range(FILES):
        result, reason = outcome(target, number, tmp_path)
        counts[result] += 1
        findings += [f"{result}, number {number}: {reason}"] * bool(reason)
    assert findings[:SHOWN] == []
    assert set(counts) == {"read", "refused"}  # no claim is empty


def test_every_reader_of_reviews_and_statements_is_fuzzed() -> None:
    fuzzed = {target.name.partition(" ")[0] for target in TARGETS}
    left = {one.name for one in readers() if not one.refuses and one.gives is not Gives.PAPERS}
    missing = left - fuzzed - NOT_FUZZED
    assert missing == set()
