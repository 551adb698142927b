"""A few random conferences through the command line and the reference; `make differential` takes 10,000."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.differential.compare import CLOSE, compare
from tests.differential.conferences import POLICIES, make

CONFERENCES = 120


def test_files_give_the_scores_and_refusals_of_the_paper(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for number in range(CONFERENCES):
        compared = compare(make(number, 1, tmp_path), tmp_path, process=number == 0)
        assert compared.wrong == (), f"conference {number}"
        assert compared.apart <= CLOSE
        seen[compared.outcome] += 1
    # No claim is empty.
    assert seen["refused"] >= 10
    assert min(seen[f"solved under {policy}, no issue"] for policy in POLICIES) >= 5
    assert min(seen[f"solved under {policy}, issues"] for policy in POLICIES[1:]) >= 5
