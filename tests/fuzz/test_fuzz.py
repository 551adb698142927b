"""A few near-valid files per reader; `make fuzz` reads many more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.__main__ import TARGETS, outcome
from tests.fuzz.target import Target
from unround.formats.model import Gives
from unround.formats.registry import readers

FILES = 40
# Readers whose files another target writes too, or that state meta-reviews alone.
NOT_FUZZED = {"openreview-folder", "hotcrp-assignments"}


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_near_valid_files_are_read_as_they_are_or_refused(target: Target, tmp_path: Path) -> None:
    results = [outcome(target, number, 1, tmp_path) for number in range(FILES)]
    findings = [(result, reason) for result, reason in results if reason]
    assert findings == []
    assert {result for result, _ in results} == {"read", "refused"}  # no claim is empty


def test_every_reader_of_reviews_and_statements_is_fuzzed() -> None:
    fuzzed = {target.name.partition(" ")[0] for target in TARGETS}
    fuzzable = {
        reader.name
        for reader in readers()
        if not reader.refuses and reader.gives is not Gives.PAPERS
    }
    missing = fuzzable - fuzzed - NOT_FUZZED
    assert {name for name in missing if not name.startswith("peerread")} == set()  # a data set
