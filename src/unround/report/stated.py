"""Places of reviews -> places that keep the order which each reviewer stated among papers in scope."""

from __future__ import annotations

import numpy as np
import polars as pl

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.problem.orders import closure


def in_stated_order(
    place: IntArray, reviews: pl.DataFrame, ranks: pl.DataFrame, pairs: pl.DataFrame
) -> FloatArray:
    """Return places as near to `place` as the order allows that a reviewer stated within a level.

    A review stands halfway between the highest place among it and those below it, and the lowest
    among it and those above it; of reviews that meet there, the one that is above more stands higher.
    """
    keys = ["reviewer", "paper"]
    several = pl.len().over("reviewer", "value") > 1
    rows = reviews.select("reviewer", "paper", "value").with_row_index("row").filter(several)
    kept = place.astype(np.float64)
    if not rows.height:
        return kept
    stated: dict[object, set[tuple[object, object]]] = {}
    theirs = pairs.join(rows, on="reviewer", how="semi").select("reviewer", "better", "worse")
    for reviewer, better, worse in theirs.iter_rows():
        stated.setdefault(reviewer, set()).add((better, worse))
    ranked = rows.join(ranks, on=keys, how="left", maintain_order="left")
    for (reviewer, _), group in ranked.group_by("reviewer", "value", maintain_order=True):
        at = group["row"].to_numpy()
        above = _above(group, stated.get(reviewer, set()))
        kept[at] = _kept(kept[at], above)
    return kept


def _above(group: pl.DataFrame, pairs: set[tuple[object, object]]) -> BoolArray:
    """Return which of a reviewer's papers stands above which, by ranks, pairs, and what follows."""
    rank = group["rank"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    papers = group["paper"].to_list()
    above: BoolArray = rank[:, None] < rank
    above |= np.array([[(one, other) in pairs for other in papers] for one in papers])
    better, worse = (side.tolist() for side in np.nonzero(above))
    for one, other in closure(zip(better, worse, strict=True)):
        above[one, other] = True
    return above


def _kept(place: FloatArray, above: BoolArray) -> FloatArray:
    """Return places that fall from each review to those which it is above."""
    itself = np.eye(place.size, dtype=np.bool_)
    highest = np.where(above | itself, place, -np.inf).max(axis=1)
    lowest = np.where(above.T | itself, place, np.inf).min(axis=1)
    first = above.sum(axis=1) - above.sum(axis=0)
    # Places are whole numbers, so that halves of their sums are 1/2 apart or more.
    kept: FloatArray = (highest + lowest) / 2 + first / (5.0 * place.size)
    return kept
