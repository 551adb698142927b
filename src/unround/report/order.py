"""The order of a run among the reviews and papers of a scope, without its distances.

Exact scores give hidden ones away: a score that a ranking holds stands exactly ε from its neighbour,
and how hard it is pushed follows from its digits. So a review stands at its place among the reviews
in scope that were given the same level, spread evenly over that level's cell. Reviews of one paper with
the same level share a place: which of them is lower says nothing about the paper, but says whose
ranking pushed, and so what a hidden paper was given. A paper's statistics stand in the order of the
run, as near to the shown reviews as that order allows. All are functions of the given scores and of
the order alone.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import polars as pl

from unround.arrays import FloatArray, IntArray
from unround.metrics import percentiles, tie_grid
from unround.report.model import StatisticColumns
from unround.scale import Scale

STATISTICS = ("min", "max", "mean", "median", "spread")
DECIMALS = 6
STEP = 0.001  # least distance between two papers in order, where the scale has room for it


def evenly_spread(reviews: pl.DataFrame, scale: Scale) -> pl.DataFrame:
    """Return reviews at their places within their levels, by the mean of their paper's on that level.

    Ties share the middle of their places.

    Cells are the scale's: how far a ruling ranking opened one tells what it was compared with.
    Percentiles are among these reviews.
    """
    level = np.searchsorted(scale.values, reviews["value"].to_numpy())
    score = reviews.select(pl.col("dequantized").mean().over("paper_number", "value")).to_series()
    place, count = _places(level, tie_grid(score.to_numpy()))
    lower, upper = scale.lower[level], scale.upper[level]
    shown = np.round(lower + (upper - lower) * place / np.maximum(count, 1.0), DECIMALS)
    return reviews.with_columns(
        pl.Series("dequantized", shown),
        pl.Series("percentile", percentiles(shown) if shown.size else shown),
        pl.Series("lower", lower),
        pl.Series("upper", upper),
    )


def ordered_statistics(
    run: pl.DataFrame, shown: pl.DataFrame, papers: int, scale: Scale
) -> StatisticColumns:
    """Return the statistics of each paper's shown reviews, fitted to the order that the run has.

    run, shown  the same reviews with paper_number and dequantized, in the run and as shown
    """
    step = min(STEP, float(scale.upper[-1] - scale.lower[0]) / (4 * max(papers, 1)))
    before, after = _statistics(run), _statistics(shown)
    columns: dict[str, list[float | None]] = {}
    for name in STATISTICS:
        order = tie_grid(before[name].to_numpy())
        columns[name] = [None] * papers
        fitted = fitted_to_order(order, after[name].to_numpy(), step)
        for number, value in zip(before["paper_number"].to_list(), fitted.tolist(), strict=True):
            columns[name][number] = value
    return cast(StatisticColumns, columns)


def _statistics(reviews: pl.DataFrame) -> pl.DataFrame:
    """Return min, max, mean, median and spread of each paper's scores, by paper."""
    score = pl.col("dequantized")
    return (
        reviews.group_by("paper_number")
        .agg(
            min=score.min(),
            max=score.max(),
            mean=score.mean(),
            median=score.median(),
            spread=score.max() - score.min(),
        )
        .sort("paper_number")
    )


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
    # A fit near the end of the range must not leave it downwards: a spread is never negative.
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


def _places(level: IntArray, score: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return each review's place within its level, from 1/2 up, ties at their middle; and the count."""
    place, count = np.zeros(level.size), np.zeros(level.size)
    for each in np.unique(level):
        here = np.flatnonzero(level == each)
        _, group, size = np.unique(score[here], return_inverse=True, return_counts=True)
        place[here] = (np.cumsum(size) - size / 2)[group]
        count[here] = here.size
    return place, count
