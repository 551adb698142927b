"""A few random conferences through the command line and the reference; `make differential` takes 10,000."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.differential.compare import CLOSE, compare, outcome
from tests.differential.conferences import POLICIES, make
from tests.differential.reference import solve

PARTS, CONFERENCES = 6, 20
SEED = 1


@pytest.mark.parametrize("part", range(PARTS))
def test_files_give_the_scores_and_refusals_of_the_paper(part: int, tmp_path: Path) -> None:
    for number in range(part * CONFERENCES, (part + 1) * CONFERENCES):
        compared = compare(make(number, SEED, tmp_path), tmp_path)
        assert compared.wrong == (), f"conference {number}"
        assert compared.apart <= CLOSE


def test_a_process_of_its_own_gives_the_same(tmp_path: Path) -> None:
    assert compare(make(0, SEED, tmp_path), tmp_path, process=True).wrong == ()


def test_every_outcome_occurs(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for number in range(PARTS * CONFERENCES):
        conference = make(number, SEED, tmp_path)
        seen[outcome(conference, solve(conference))] += 1
    assert seen["refused"] >= 10
    assert min(seen[f"solved under {policy}, no issue"] for policy in POLICIES) >= 5
    assert min(seen[f"solved under {policy}, issues"] for policy in POLICIES[1:]) >= 5
