"""Statistics of papers, percentiles and the Kendall-tau error on a GPU.

Sums are added in one fixed order, and pairs are counted in whole numbers: every run gives the same bits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from numba import int64

from unround.arrays import IntArray, pairs_within
from unround.gpu.launch import GpuArray, cuda, for_each, to_host, xp
from unround.metrics import TIE_UNIT
from unround.metrics.kendall import KendallError, PairCounts
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


def percentiles(scores: GpuArray, spacing: float = 1.0) -> GpuArray:
    """Return one percentile per score, as metrics.percentiles does."""
    grid = xp.rint(scores * (TIE_UNIT / spacing))
    _, place, count = xp.unique(grid, return_inverse=True, return_counts=True)
    below = xp.cumsum(count) - count
    return (100.0 * (below + 0.5 * count) / max(scores.size, 1))[place]


# Cells of the largest table that is kept on the GPU, 8 bytes each.
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
        self._unit = TIE_UNIT / measure.spacing
        self._truth = truth  # the level of each review, in the order of the estimates

    def fits(self, extent: float) -> bool:
        """Whether estimates that lie in such a range can be counted on the GPU."""
        return (extent * self._unit + 2.0) * self._levels <= MOST_CELLS

    def count(self, estimate: GpuArray) -> PairCounts:
        """Return the pairs that the estimate reverses, and those that it alone ties."""
        if self._untied == 0:
            return 0, 0
        least, most = _ends_in_units(estimate, self._unit)
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


class KendallByOrder:
    """Counts the pairs that estimates get wrong against a truth that is tied at its two ends only."""

    def __init__(self, truth: GpuArray, spacing: float = 1.0) -> None:
        self._unit = TIE_UNIT / spacing
        self._order = xp.argsort(truth, kind="stable").astype(xp.int32)
        ordered = truth[self._order]
        low = int(xp.searchsorted(ordered, ordered[:1], side="right")[0])
        high = int(xp.searchsorted(ordered, ordered[-1:], side="left")[0])
        ends = [(0, truth.size)] if low == truth.size else [(0, low), (high, truth.size)]
        self._ends = [(first, last) for first, last in ends if last - first > 1]
        tied = sum(pairs_within(last - first) for first, last in self._ends)
        self.untied = pairs_within(truth.size) - tied

    def count(self, estimate: GpuArray) -> PairCounts:
        """Return the pairs that the estimate reverses, and those that it alone ties."""
        least, most = _ends_in_units(estimate, self._unit)
        units = (xp.rint(estimate[self._order] * self._unit) - least).astype(xp.int32)
        wrong, tied = _inversions(units, most - least + 1)
        for first, last in self._ends:
            own = _inversions(units[first:last], most - least + 1)
            wrong, tied = wrong - own[0], tied - own[1]
        return wrong, tied


def _inversions(values: GpuArray, span: int) -> PairCounts:
    """Count the pairs in falling order, and the pairs of equal values.

    From the highest bit down, values that agree in all higher bits are a group. In it, each pair of a 1
    before a 0 falls; then the zeros of the group are put before its ones.
    """
    bits = max(span - 1, 1).bit_length()
    sizes = xp.bincount(values, minlength=1 << bits)
    start, place, wrong = starts_of(sizes), xp.arange(values.size, dtype=xp.int32), 0
    for bit in range(bits - 1, -1, -1):
        is_one = (values >> bit & 1).astype(xp.bool_)
        ones_before = starts_of(is_one)
        group = values >> (bit + 1) << (bit + 1)
        ones = ones_before[:-1] - ones_before[start[group]]  # of the group, before this value
        wrong += int(xp.where(is_one, 0, ones).sum(dtype=xp.int64))
        parted = xp.empty_like(values)
        parted[xp.where(is_one, start[group + (1 << bit)] + ones, place - ones)] = values
        values = parted
    return wrong, int((sizes * (sizes - 1) // 2).sum())


def _ends_in_units(estimate: GpuArray, unit: float) -> tuple[int, int]:
    """Return the least and the largest estimate, times `unit` and rounded."""
    return round(float(estimate.min()) * unit), round(float(estimate.max()) * unit)


def level_counts(level: GpuArray, levels: int) -> IntArray:
    """Return how many reviews have each level."""
    # A pass for each: counters that all threads add to at once would be slower.
    counts: IntArray = to_host(xp.stack([(level == each).sum() for each in range(levels)]))
    return counts
