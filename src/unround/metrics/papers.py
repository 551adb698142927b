"""Numbers of reviews -> numbers of papers: means, statistics, and places with ties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unround.arrays import FloatArray, IntArray, coded, group_starts
from unround.wording import STATISTICS

TIES_PER_SPACING = 1e4  # scores are tied if they agree to four decimals of the level spacing


def paper_means(values: FloatArray, paper: IntArray, papers: int) -> FloatArray:
    """Return the mean of each paper's values; NaN for a paper without reviews.

    values  one per review
    paper   the number of its paper, from 0 on

    >>> paper_means(np.array([3.0, 5.0, 4.0]), np.array([0, 0, 2]), 3).tolist()
    [4.0, nan, 4.0]
    """
    count = np.bincount(paper, minlength=papers)
    means: FloatArray = np.bincount(paper, values, papers) / np.where(count, count, np.nan)
    return means


class SortedScores(NamedTuple):
    """The scores of papers that have any, ascending within each paper; arrays of NumPy or of a GPU."""

    ascending: Any
    first: Any  # where the scores of each paper start
    last: Any  # and where the last one is
    mean: Any  # of each paper


# How each statistic of the glossary follows from a paper's scores; `runs.bulk` uses these on a GPU too.
STATISTIC_FUNCTIONS: dict[str, Callable[[SortedScores], Any]] = {
    "min": lambda scores: scores.ascending[scores.first],
    "max": lambda scores: scores.ascending[scores.last],
    "mean": lambda scores: scores.mean,
    "median": lambda scores: (
        (
            scores.ascending[(scores.first + scores.last) // 2]
            + scores.ascending[(scores.first + scores.last + 1) // 2]
        )
        / 2.0
    ),
    "spread": lambda scores: scores.ascending[scores.last] - scores.ascending[scores.first],
}


def paper_statistics(values: FloatArray, paper: IntArray, papers: int) -> dict[str, FloatArray]:
    """Return every statistic (`unround.wording.STATISTICS`) of each paper's values; NaN without reviews.

    >>> found = paper_statistics(np.array([3.0, 5.0, 3.0, 1.0]), np.array([0, 0, 0, 1]), 2)
    >>> {name: column.tolist() for name, column in found.items()}["median"]
    [3.0, 1.0]
    """
    ascending = values[np.lexsort((values, paper))]
    start = group_starts(paper, papers)
    reviewed = np.flatnonzero(np.diff(start))
    first, last = start[reviewed], start[reviewed + 1] - 1
    # A mean of equal values may leave their range by a rounding: it stays inside.
    means = np.clip(paper_means(values, paper, papers)[reviewed], ascending[first], ascending[last])
    scores = SortedScores(ascending, first, last, means)
    columns = {}
    for name in STATISTICS:
        columns[name] = np.full(papers, np.nan)
        columns[name][reviewed] = STATISTIC_FUNCTIONS[name](scores)
    return columns


def tie_grid(scores: FloatArray, spacing: float = 1.0) -> FloatArray:
    """Return scores in units of the fourth decimal of the level spacing, rounded: equal means tied.

    >>> import numpy as np, unround
    >>> unround.metrics.tie_grid(np.array([5.00004, 5.00006])).tolist()
    [50000.0, 50001.0]
    """
    grid = scores * (TIES_PER_SPACING / spacing)
    return np.rint(grid, out=grid)


class TiedPlaces(NamedTuple):
    """The places of some values, 1 for the largest: tied values share the places from first to last."""

    first: IntArray
    last: IntArray

    @property
    def middle(self) -> FloatArray:
        """The middle of the places that each value shares."""
        return (self.first + self.last) / 2.0

    def share_above(self, line: int) -> FloatArray:
        """Return 1 for the best `line` values, 0 for others; a tie across the line shares the room.

        >>> tied_places(np.array([3.0, 5.0, 3.0, 1.0])).share_above(2).tolist()
        [0.5, 1.0, 0.5, 0.0]
        """
        share: FloatArray = (line + 1 - self.first) / (self.last + 1 - self.first)
        return np.clip(share, 0.0, 1.0)


def tied_places(values: NDArray[Any]) -> TiedPlaces:
    """Return the place of each value, 1 for the largest; only equal values are tied.

    Means of papers are rounded first (`tie_grid`), so that those equal to four decimals are tied.

    >>> places = tied_places(np.array([3.0, 5.0, 3.0, 1.0]))
    >>> places.first.tolist(), places.last.tolist()
    ([2, 1, 2, 4], [3, 1, 3, 4])
    """
    codes = coded(values)[1]
    size = np.bincount(codes)
    first = values.size + 1 - np.cumsum(size)
    return TiedPlaces(first[codes], (first + size - 1)[codes])
