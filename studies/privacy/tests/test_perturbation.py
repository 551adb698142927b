"""Traces of hidden facts: exact against brute force on small conferences."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from tests.audit.conference import Held, held

import unround
from studies.privacy.perturbation import VISIBLE, count_changes
from unround.disclosure.snapshot import Snapshot


def silent(_stage: str, _done: int, _total: int) -> None:
    pass


def solved(conference: Held, reviews: pl.DataFrame, ranks: pl.DataFrame) -> Held | None:
    """The conference after changes, run with the same setting of λ; None where refused."""
    lam = conference.snapshot.record["settings"]["lam"]
    try:
        result = unround.dequantize(
            reviews,
            ranks,
            scale=range(11),
            lam=lam,
            conflicts=conference.policy,
            allow_loss=True,
            tolerance=1e-10,
        )
    except unround.InputRefused:
        return None
    return replace(conference, snapshot=Snapshot.of(result))


def changes(conference: Held) -> list[tuple[set[int], pl.DataFrame, pl.DataFrame]]:
    """Every score moved by a level, and every pair of neighbours in a ranking swapped: as tables."""
    reviews, ranks = conference.reviews.sort("reviewer", "paper"), conference.stated
    found = []
    for row, (_, paper, score) in enumerate(reviews.iter_rows()):
        moved = reviews["score"].to_list()
        moved[row] = score + 1 if score < 10 else score - 1
        found.append(({paper}, reviews.with_columns(pl.Series("score", moved)), ranks))
    for reviewer in ranks["reviewer"].unique().sort():
        own = ranks.filter(pl.col("reviewer") == reviewer).sort("rank")["paper"].to_list()
        for above, below in pairwise(own):
            swap = {above: below, below: above}
            mine = pl.col("reviewer") == reviewer
            paper = pl.when(mine).then(pl.col("paper").replace(swap)).otherwise("paper")
            found.append(({above, below}, reviews, ranks.with_columns(paper.alias("paper"))))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "papers", "per", "seed", "lam"),
    [("refuse", 9, 3, 6, 20.0), ("rankings", 6, 2, 3, 20.0), ("refuse", 6, 2, 6, "auto+")],
)
def test_traces_are_those_of_brute_force(policy, papers, per, seed, lam):
    """λ is chosen again from every changed input, unless it was given."""
    conference = held("total", policy, papers=papers, per=per, seed=seed, lam=lam)
    found = count_changes(conference.snapshot, conference.chairs, sample=None, progress=silent)
    hidden = 0
    before = solved(conference, conference.reviews, conference.stated)
    assert before is not None
    tried, exact, order = 0, 0, 0
    for changed, reviews, ranks in changes(conference):
        after = solved(conference, reviews, ranks)
        if after is None:
            continue
        tried += 1
        for chair in range(len(conference.chairs)):
            if conference.chairs[chair].papers & set(map(str, changed)):
                continue
            hidden += 1
            old, new = (
                np.array(one.view(chair, "exact")["reviews"]["dequantized"])
                for one in (before, after)
            )
            exact += bool(np.abs(old - new).max() > VISIBLE)
            places = [one.view(chair, "order")["order"] for one in (before, after)]
            order += places[0] != places[1]
    assert (found.facts, found.hidden) == (tried, hidden)
    assert found.visible == {"exact": exact, "order": order, "scoped": 0}
    assert order < exact
    assert policy != "refuse" or lam != 20.0 or order > 0
