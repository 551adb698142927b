"""Random conferences through the command line and the reference; `make differential` takes 10,000."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from tests.differential.compare import CLOSE, compare
from tests.differential.conferences import POLICIES, make

CONFERENCES = int(os.environ.get("DIFFERENTIAL_CONFERENCES", "120"))
SEED = 1
PROCESS_EVERY = 200  # conferences, of which one is run by a process of its own


def test_files_give_the_scores_and_refusals_of_the_paper(tmp_path: Path) -> None:
    seen, differing = Counter[str](), []
    for number in range(CONFERENCES):
        compared = compare(make(number, SEED, tmp_path), tmp_path, number % PROCESS_EVERY == 0)
        seen[compared.outcome] += 1
        if compared.wrong or compared.apart > CLOSE:
            differing.append((number, compared.wrong, compared.apart))
    assert differing == []
    assert seen["refused"] >= 10
    assert min(seen[f"solved under {policy}, no issue"] for policy in POLICIES) >= 5
    assert min(seen[f"solved under {policy}, issues"] for policy in POLICIES[1:]) >= 5
