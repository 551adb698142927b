"""A few near-valid files per reader; with FUZZ_FILES, as `make fuzz` sets it, many more."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis.strategies import randoms

from tests.fuzz.documents import TARGETS as DOCUMENTS
from tests.fuzz.tables import TARGETS as TABLES
from tests.fuzz.target import Target
from unround.formats.files.source import Source
from unround.formats.importer import joined
from unround.formats.model import Gives, ImportRefused
from unround.formats.registry import readers, recognise

TARGETS = (*TABLES, *DOCUMENTS)
FILES = int(os.environ.get("FUZZ_FILES", "40"))
SLOWEST = 5.0  # seconds of processor time that a small file may take
# Readers whose files another target writes too, or that state meta-reviews alone.
NOT_FUZZED = {"openreview-folder", "hotcrp-assignments"}


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_near_valid_files_are_read_as_they_are_or_refused(target: Target, tmp_path: Path) -> None:
    counts, path = Counter[str](), tmp_path / f"file{target.suffix}"

    @settings(max_examples=FILES)
    @given(randoms(use_true_random=False))
    def read(random: Random) -> None:
        data, check = target.made(random)
        path.write_bytes(data)
        began = time.process_time()
        try:
            source = Source(path)
            content = recognise(source).read(source, target.options, target.context)
            if content.reviews is not None:
                joined([content])
        except ImportRefused:
            counts["refused"] += 1
            return
        assert time.process_time() - began < SLOWEST
        check(content)
        counts["read"] += 1

    read()
    assert set(counts) == {"read", "refused"}  # no claim is empty


def test_every_reader_of_reviews_and_statements_is_fuzzed() -> None:
    fuzzed = {target.name.partition(" ")[0] for target in TARGETS}
    left = {one.name for one in readers() if one.gives is not Gives.PAPERS}
    missing = left - fuzzed - NOT_FUZZED
    assert missing == set()
