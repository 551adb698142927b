"""The order of a run among the reviews and papers of a scope, without its distances.

Exact scores give hidden ones away: a score that a ranking holds stands exactly ε from its neighbour,
and how hard it is pushed follows from its digits. Which of two reviews of one level is higher may tell
as much: it says whose ranking pushed. So all that is shown of a run is one order of the papers, in
which no hidden score shows (`unround.report.paper_order`). A review stands among the reviews in scope
that were given the same level where its paper stands, but for what its reviewer stated about papers
in scope; the places are spread evenly over that level's cell. Mean scores are as near to the shown
reviews as the order of papers allows, spreads as that of given spreads; minimum, maximum and median are
those of the shown reviews.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import polars as pl

from unround.arrays import FloatArray, IntArray
from unround.metrics import percentiles
from unround.report.model import StatisticColumns
from unround.scale import Scale

DECIMALS = 6
STEP = 0.001  # least distance between two papers in order, where the scale has room for it


def evenly_spread(reviews: pl.DataFrame, place: FloatArray, scale: Scale) -> pl.DataFrame:
    """Return reviews in the order of their places, evenly spread over the cells of their levels.

    Equal places share the middle. Cells are the scale's: how far a ruling ranking opened one tells
    what it was compared with. Percentiles are among these reviews.
    """
    level = np.searchsorted(scale.values, reviews["value"].to_numpy())
    part, count = _parts(level, place)
    lower, upper = scale.lower[level], scale.upper[level]
    shown = np.round(lower + (upper - lower) * part / np.maximum(count, 1.0), DECIMALS)
    return reviews.with_columns(
        pl.Series("dequantized", shown),
        pl.Series("percentile", percentiles(shown) if shown.size else shown),
        pl.Series("lower", lower),
        pl.Series("upper", upper),
    )


def ordered_statistics(shown: pl.DataFrame, standing: IntArray, scale: Scale) -> StatisticColumns:
    """Return the statistics of each paper's shown reviews, the means fitted to the order of papers.

    shown     reviews with paper_number and dequantized
    standing  the place of each paper, the lowest first
    """
    papers = standing.size
    step = min(STEP, float(scale.upper[-1] - scale.lower[0]) / (4 * max(papers, 1)))
    score = pl.col("dequantized")
    found = (
        shown.group_by("paper_number")
        .agg(
            min=score.min(),
            max=score.max(),
            mean=score.mean(),
            median=score.median(),
            spread=score.max() - score.min(),
        )
        .sort("paper_number")
    )
    order = standing[found["paper_number"].to_numpy()].astype(np.float64)
    means = fitted_to_order(order, found["mean"].to_numpy(), step)
    known = found.with_columns(pl.Series("mean", means), pl.col("median", "spread").round(DECIMALS))
    numbers = pl.DataFrame(
        {"paper_number": range(papers)}, schema=known.select("paper_number").schema
    )
    columns = numbers.join(known, on="paper_number", how="left", maintain_order="left")
    return cast(StatisticColumns, columns.drop("paper_number").to_dict(as_series=False))


def fitted_to_order(order: FloatArray, target: FloatArray, step: float) -> FloatArray:
    """Return the numbers nearest to `target` that stand in the order of `order`, `step` apart or more.

    Equal entries of `order` get equal numbers.

    >>> fitted_to_order(np.array([1.0, 3.0, 2.0]), np.array([5.0, 7.0, 8.0]), 0.5).tolist()
    [5.0, 7.75, 7.25]
    """
    _, group, size = np.unique(order, return_inverse=True, return_counts=True)
    if not size.size:
        return target
    means = np.bincount(group, weights=target) / size
    climb = step * np.arange(size.size)
    fitted = _isotonic(means - climb, size) + climb
    # A fit near the end of the range must not leave it downwards.
    shown: FloatArray = np.round(np.maximum(fitted, means.min() + climb), DECIMALS)
    return shown[group]


def _isotonic(values: FloatArray, weight: IntArray) -> FloatArray:
    """Return the nearest sequence that never falls: neighbours that do are pooled."""
    blocks: list[tuple[float, int, int]] = []  # mean, weight, entries
    for value, heavy in zip(values.tolist(), weight.tolist(), strict=True):
        mean, total, entries = value, heavy, 1
        while blocks and blocks[-1][0] >= mean:
            earlier, more, count = blocks.pop()
            mean = (earlier * more + mean * total) / (more + total)
            total, entries = total + more, entries + count
        blocks.append((mean, total, entries))
    return np.repeat([block[0] for block in blocks], [block[2] for block in blocks])


def _parts(level: IntArray, place: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the part of its level that each review stands in, ties at their middle; and the parts in all."""
    part, count = np.zeros(level.size), np.zeros(level.size)
    for each in np.unique(level):
        here = np.flatnonzero(level == each)
        _, group, size = np.unique(place[here], return_inverse=True, return_counts=True)
        part[here] = (np.cumsum(size) - size / 2)[group]
        count[here] = here.size
    return part, count
