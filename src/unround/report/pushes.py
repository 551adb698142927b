"""Reviews in scope -> which of them a hidden paper can have pushed up or down."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl

from unround.arrays import BoolArray, FloatArray
from unround.scale import Scale

Reviews = set[tuple[object, object]]  # by reviewer and paper


def can_be_pushed(
    reviews: pl.DataFrame, ranks: pl.DataFrame, pairs: pl.DataFrame
) -> tuple[BoolArray, BoolArray]:
    """Return which reviews a hidden paper can have pushed up, and which down.

    Only what certainly can is counted: the reviewer ranked a hidden paper just below the review (or
    above), and gave no other paper in scope the same score, since that one might be pushed along.

    reviews       those in scope: reviewer, paper, value
    ranks, pairs  what their reviewers stated, about hidden papers too
    """
    seen = list(reviews.select("reviewer", "paper").iter_rows())
    given = Counter(reviews.select("reviewer", "value").iter_rows())
    alone = [given[row] == 1 for row in reviews.select("reviewer", "value").iter_rows()]
    found = []
    for step, mine, other in ((1, "better", "worse"), (-1, "worse", "better")):
        beside = _ranked_beside(ranks, set(seen), step) | _paired(pairs, set(seen), mine, other)
        found.append(np.array([key in beside for key in seen], dtype=np.bool_) & alone)
    return found[0], found[1]


def has_room(
    value: FloatArray, base: FloatArray, scale: Scale, push: float
) -> tuple[BoolArray, BoolArray]:
    """Return which scores a push can move so far up within their cells, and which down.

    At the ends of the scale there is no choice: a hidden paper beyond has the same score, as is known.
    """
    level = np.searchsorted(scale.values, value)
    up: BoolArray = (base + push <= scale.upper[level]) & (level > 0)
    down: BoolArray = (base - push >= scale.lower[level]) & (level < len(scale.levels) - 1)
    return up, down


def _ranked_beside(ranks: pl.DataFrame, seen: Reviews, step: int) -> Reviews:
    """Return the reviews with a hidden paper at the next rank: below with step 1, above with -1."""
    rows = list(ranks.select("reviewer", "paper", "rank").iter_rows())
    hidden = {(who, rank) for who, paper, rank in rows if (who, paper) not in seen}
    return {(who, paper) for who, paper, rank in rows if (who, rank + step) in hidden}


def _paired(pairs: pl.DataFrame, seen: Reviews, mine: str, other: str) -> Reviews:
    """Return the reviews that a stated pair compares with a hidden paper."""
    rows = pairs.select("reviewer", mine, other).iter_rows()
    return {(who, paper) for who, paper, against in rows if (who, against) not in seen}
