"""Statistics of papers, percentiles and the Kendall-tau error on a GPU.

Sums are added in one fixed order, and pairs are counted in whole numbers: every run gives the same bits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from numba import int64

from unround.arrays import IntArray
from unround.gpu.launch import GpuArray, cuda, for_each, to_host, xp
from unround.metrics.kendall import KendallError, PairCounts
from unround.metrics.papers import STATISTIC_FUNCTIONS, TIES_PER_SPACING, SortedScores
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


def percentiles(scores: GpuArray, spacing: float = 1.0) -> GpuArray:
    """Return one percentile per score, as metrics.percentiles does."""
    grid = xp.rint(scores * (TIES_PER_SPACING / spacing))
    _, place, count = xp.unique(grid, return_inverse=True, return_counts=True)
    below = xp.cumsum(count) - count
    return (100.0 * (below + 0.5 * count) / max(scores.size, 1))[place]


# Cells of the largest table of counts on the GPU, 8 bytes each.
MOST_CELLS = 1 << 26


@cuda.jit
def _fill(
    estimate: GpuArray, truth: GpuArray, unit: float, least: int, levels: int, table: GpuArray
) -> None:
    k = cuda.grid(1)
    if k < estimate.size:
        row = int64(round(estimate[k] * unit)) - least
        cuda.atomic.add(table, row * levels + truth[k], 1)


class KendallByLevels:
    """Counts the pairs that estimates get wrong against a truth of few levels.

    As metrics.kendall.count_by_histogram does: from how many reviews have each pair of (estimate in units of
    the fourth decimal of the level spacing, true level).
    """

    def __init__(self, measure: KendallError, truth: GpuArray) -> None:
        self._untied, self._levels = measure.untied, measure.levels
        self._unit = TIES_PER_SPACING / measure.spacing
        self._truth = truth  # the level of each review, in the order of the estimates

    def fits(self, extent: float) -> bool:
        """Whether estimates that lie in such a range can be counted on the GPU."""
        return (extent * self._unit + 2.0) * self._levels <= MOST_CELLS

    def count(self, estimate: GpuArray) -> PairCounts:
        """Return the pairs that the estimate reverses, and those that it alone ties."""
        if self._untied == 0:
            return 0, 0
        least, most = (round(float(end) * self._unit) for end in (estimate.min(), estimate.max()))
        cells = xp.zeros((most - least + 1) * self._levels, dtype=xp.int64)
        rounding = self._unit, least, self._levels
        for_each(_fill, estimate.size, estimate, self._truth, *rounding, cells)
        table = cells.reshape(-1, self._levels)
        below = xp.cumsum(table, axis=0) - table  # reviews of the level with smaller estimates
        higher = xp.cumsum(below[:, ::-1], axis=1)[:, ::-1] - below
        tied = table.sum(axis=1)
        return (
            int((table * higher).sum()),
            (int((tied * tied).sum()) - int((table * table).sum())) // 2,
        )


def level_counts(level: GpuArray, levels: int) -> IntArray:
    """Return how many reviews have each level."""
    # A pass for each: counters that all threads add to at once would be slower.
    counts: IntArray = to_host(xp.stack([(level == each).sum() for each in range(levels)]))
    return counts
