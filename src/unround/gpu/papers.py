"""Reviews on a GPU by paper: where they are, their means, and the columns of the tables.

Sums are added in one fixed order, so that every run gives the same bits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from unround.gpu.launch import GpuArray, cuda, for_each, xp
from unround.metrics import TIE_UNIT
from unround.metrics.papers import STATISTIC_FUNCTIONS, SortedScores
from unround.wording import STATISTICS


class Index(NamedTuple):
    """The places of the items of every group, ascending."""

    start: GpuArray  # where each group starts, and the end
    places: GpuArray


def index_groups(group: GpuArray, groups: int) -> Index:
    """Sort places by group: those of a paper's reviews by the paper, or those of a reviewer's."""
    return Index(
        starts_of(xp.bincount(group, minlength=groups)),
        xp.argsort(group, kind="stable").astype(xp.int32),
    )


def starts_of(sizes: GpuArray) -> GpuArray:
    """Return where each of several groups of such sizes starts, and the end."""
    start = xp.zeros(sizes.size + 1, dtype=xp.int32)
    start[1:] = xp.cumsum(sizes)
    return start


@cuda.jit
def _average(start: GpuArray, places: GpuArray, values: GpuArray, means: GpuArray) -> None:
    paper = cuda.grid(1)
    if paper < means.size:
        total, count = 0.0, start[paper + 1] - start[paper]
        for k in range(start[paper], start[paper + 1]):
            total += values[places[k]]
        means[paper] = total / count if count > 0 else math.nan


def paper_means(index: Index, values: GpuArray) -> GpuArray:
    """Return the mean of each paper's values, added in the order of its reviews."""
    means = xp.empty(index.start.size - 1)
    for_each(_average, means.size, index.start, index.places, values, means)
    return means


def paper_statistics(paper: GpuArray, papers: int, values: GpuArray) -> dict[str, GpuArray]:
    """Return the columns of the table of papers: the number of reviews, and every statistic.

    A paper without reviews has NaN.
    """
    index = index_groups(paper, papers)
    by_value = xp.argsort(values, kind="stable")
    ascending = values[by_value[xp.argsort(paper[by_value], kind="stable")]]
    count = xp.diff(index.start)
    first = xp.minimum(index.start[:-1], ascending.size - 1)
    last = first + xp.maximum(count, 1) - 1
    # A mean of equal values may leave their range by a rounding: it stays inside.
    means = xp.minimum(xp.maximum(paper_means(index, values), ascending[first]), ascending[last])
    scores = SortedScores(ascending, first, last, means)
    columns = {
        name: xp.where(count > 0, STATISTIC_FUNCTIONS[name](scores), math.nan)
        for name in STATISTICS
    }
    return {"reviews": count, **columns}


def percentiles(scores: GpuArray) -> GpuArray:
    """Return one percentile per score, as metrics.percentiles does."""
    _, place, count = xp.unique(xp.rint(scores * TIE_UNIT), return_inverse=True, return_counts=True)
    below = xp.cumsum(count) - count
    return (100.0 * (below + 0.5 * count) / max(scores.size, 1))[place]
