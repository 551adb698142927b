"""No hidden score follows from the page: all hidden worlds of small conferences, sorted by what is shown."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from benchmarks.worlds import Known, Small, World, drawn, known, scope_of, solved, worlds

from unround.disclosure.scores import PaperOrder
from unround.disclosure.view import encoded, view

# Conferences in which hidden papers do change the page.
TELLING = [
    ("total", "refuse", 20.0, 41),
    ("total", "refuse", math.inf, 41),
    ("pairs", "refuse", 20.0, 41),
    ("total", "refuse", 4.0, 43),
]


@cache
def conference(kind: str, policy: str, lam: float, seed: int) -> tuple[Small, list[World]]:
    small = drawn(random.Random(seed), kind, policy, lam)
    found = worlds(small)
    assert found is not None
    return small, found


@pytest.mark.parametrize(("kind", "policy", "lam", "seed"), TELLING)
def test_no_hidden_score_is_the_same_in_all_worlds_with_one_page(kind, policy, lam, seed):
    told, hidden = known(*conference(kind, policy, lam, seed))
    assert told["shown"] == Known(scores=0, pages=2)
    # Places as the run has them do tell, and exact digits nearly everything.
    assert 0 < told["order of the run"].scores < told["exact"].scores <= hidden


@pytest.mark.parametrize(
    ("kind", "policy"),
    [("total", "scores"), ("total", "rankings"), ("tied", "refuse"), ("pairs", "rankings")],
)
def test_no_hidden_score_follows_under_other_policies(kind, policy):
    luck, exact = random.Random(7), 0
    for _ in range(6):
        small = drawn(luck, kind, policy, 20.0)
        found = worlds(small)
        if found is not None and len(found) < 300:
            told, _ = known(small, found)
            assert told["shown"].scores == 0
            exact += told["exact"].scores
    assert exact > 0


@pytest.mark.parametrize("stars", [True, False])
def test_worlds_with_the_same_order_of_papers_have_the_same_page_to_the_byte(stars):
    small, found = conference("total", "refuse", 20.0, 41)
    scope = replace(scope_of(small), stars=stars)
    shown: dict[str, set[bytes]] = {}
    for world in found[::9]:
        snapshot = solved(small, [world])
        means = snapshot.reviews.group_by("paper").agg(mean="dequantized").sort("paper")
        mine = [sum(scores) / len(scores) for _, scores in means.iter_rows()][: len(small.papers)]
        places = PaperOrder.of(snapshot, scope).places(np.array(mine))
        shown.setdefault(repr(places), set()).add(encoded(view(snapshot, scope)))
    assert len(shown) == 2
    assert all(len(pages) == 1 for pages in shown.values())
