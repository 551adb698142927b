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
from unround.metrics.papers import paper_statistics, tied_places
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
    found = paper_statistics(
        shown["dequantized"].to_numpy(), shown["paper_number"].to_numpy().astype(np.int64), papers
    )
    reviewed = ~np.isnan(found["mean"])
    order = standing[reviewed].astype(np.float64)
    found["mean"][reviewed] = fitted_to_order(order, found["mean"][reviewed], step)
    columns = pl.DataFrame(found).with_columns(pl.col("median", "spread").round(DECIMALS))
    return cast(StatisticColumns, columns.fill_nan(None).to_dict(as_series=False))


def fitted_to_order(order: FloatArray, target: FloatArray, step: float) -> FloatArray:
    """Return the numbers nearest to `target` that stand in the order of `order`, `step` apart or more.

    Equal entries of `order` get equal numbers.

    >>> fitted_to_order(np.array([1.0, 3.0, 2.0]), np.array([5.0, 7.0, 8.0]), 0.5).tolist()
    [5.0, 7.75, 7.25]
    """
    _, group, size = np.unique(order, return_inverse=True, return_counts=True)
    if not size.size:
        return target
    from scipy.optimize import isotonic_regression  # takes a moment to load

    means = np.bincount(group, weights=target) / size
    climb = step * np.arange(size.size)
    fitted = isotonic_regression(means - climb, weights=size).x + climb
    # A fit near the end of the range must not leave it downwards.
    shown: FloatArray = np.round(np.maximum(fitted, means.min() + climb), DECIMALS)
    return shown[group]


def _parts(level: IntArray, place: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the part of its level that each review stands in, ties at their middle; and the parts in all."""
    part, count = np.zeros(level.size), np.zeros(level.size)
    for each in np.unique(level):
        here = np.flatnonzero(level == each)
        part[here] = tied_places(-place[here]).middle - 0.5
        count[here] = here.size
    return part, count
