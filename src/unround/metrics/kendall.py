"""The Kendall-tau error: pairs of reviews that an estimate orders wrongly or ties, and their share."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from unround.arrays import FloatArray, IntArray, ShortArray, coded, pairs_within
from unround.compiler import compiled
from unround.errors import UsageError
from unround.metrics.papers import TIES_PER_SPACING, tie_grid

# Pairs that an estimate reverses, and pairs that it ties though the truth does not.
PairCounts = tuple[int, int]
# Where values and levels are few, counting them is linear and beats sorting; up to this much space.
HISTOGRAM_PER_REVIEW = 16


class KendallError:
    """The Kendall-tau error against one truth, prepared once for many estimates.

    Parameters
    ----------
    truth : array_like
        One number per review.
    spacing : float
        The level spacing of the estimates, which are tied if they agree to four decimals of it.

    Examples
    --------
    >>> import unround
    >>> error = unround.metrics.KendallError([1.0, 2.0, 3.0])
    >>> error([3.0, 2.0, 1.0])
    1.0
    """

    def __init__(self, truth: ArrayLike, spacing: float = 1.0) -> None:
        self.spacing = spacing
        codes = coded(np.asarray(truth, dtype=np.float64))[1]
        self.codes: ShortArray = codes.astype(np.int32)  # the place of each value among the levels
        self._set_levels(np.bincount(codes))
        # The last estimate's order: the next one's is often close, and then sorted in no time.
        self._order: IntArray | None = None

    @classmethod
    def of_levels(cls, sizes: IntArray, spacing: float = 1.0) -> KendallError:
        """Return the error against a truth of which only the number of reviews on each level is known.

        It turns counts of pairs into shares; the counting itself is left to others.
        """
        error = cls(np.zeros(0), spacing)
        error._set_levels(sizes)
        return error

    def _set_levels(self, sizes: IntArray) -> None:
        self.levels = int(sizes.size)
        # Pairs that differ in the truth.
        self.untied = pairs_within(sizes.sum()) - pairs_within(sizes)

    def __call__(self, estimate: ArrayLike) -> float:
        """Return the error of one estimate; 0 when the truth has no two different values."""
        return self.share(*self.count(np.asarray(estimate, dtype=np.float64)))

    def share(self, wrong: int, tied: int) -> float:
        """The error of an estimate with so many pairs wrong and tied."""
        return (wrong + 0.5 * tied) / max(self.untied, 1)

    def published_share(self, wrong: int, tied: int) -> float:
        """The same error added up as the paper's program does, wrong/N + tied/2N.

        The last bit may differ, and in a validation it decides between λ whose errors are equal.
        """
        return wrong / max(self.untied, 1) + 0.5 * tied / max(self.untied, 1)

    def count(self, estimate: FloatArray) -> PairCounts:
        """Pairs that the estimate reverses, and pairs that it ties though the truth does not."""
        if estimate.size != self.codes.size:
            raise UsageError(
                f"truth has {self.codes.size} values and estimate {estimate.size}: they must match"
            )
        if self.untied == 0:
            return 0, 0
        unit = TIES_PER_SPACING / self.spacing
        least = float(np.rint(estimate.min() * unit))
        most = float(np.rint(estimate.max() * unit))
        if math.isnan(least):
            raise UsageError("estimate must be finite numbers")
        span = most - least + 1.0
        if span * self.levels <= HISTOGRAM_PER_REVIEW * estimate.size:
            return count_by_histogram(self.codes, estimate, unit, least, int(span), self.levels)
        last = np.arange(estimate.size) if self._order is None else self._order
        nearly = tie_grid(estimate[last], self.spacing)
        rest = np.argsort(nearly, kind="stable")
        self._order = order = last[rest]
        return count_by_sorting(self.codes[order], nearly[rest], self.levels)


@compiled
def count_by_sorting(truth: ShortArray, estimate: FloatArray, levels: int) -> PairCounts:
    """Pairs that the estimate reverses, and pairs that it ties though the truth does not.

    Unchecked: `estimate` ascending, `truth` its true ranks in 0 .. levels-1.
    """
    # tree is a Fenwick tree of how many reviews with a smaller estimate have each true rank.
    tree = np.zeros(levels + 1, np.int32)
    # Where all true ranks differ, no two reviews share one.
    shared = levels < truth.size
    within = np.zeros(levels if shared else 0, np.int32)
    wrong = 0
    tied = 0
    start = 0
    while start < truth.size:
        stop = start
        while stop < truth.size and estimate[stop] == estimate[start]:
            seen = 0
            node = truth[stop] + 1
            while node > 0:
                seen += tree[node]
                node -= node & -node
            wrong += start - seen
            tied += stop - start
            if shared:
                tied -= within[truth[stop]]
                within[truth[stop]] += 1
            stop += 1
        for review in range(start, stop):
            if shared:
                within[truth[review]] = 0
            node = truth[review] + 1
            while node <= levels:
                tree[node] += 1
                node += node & -node
        start = stop
    return wrong, tied


@compiled
def count_by_histogram(
    truth: ShortArray, estimate: FloatArray, unit: float, least: float, span: int, levels: int
) -> PairCounts:
    """The same counts in linear time, for estimates rounded to whole units from `least` on.

    Unchecked: every estimate falls on one of `span` units.
    """
    table = np.zeros((span, levels), np.int64)
    for review in range(truth.size):
        table[int(np.rint(estimate[review] * unit) - least), truth[review]] += 1
    # below[t]: reviews with a smaller estimate and the true rank t.
    below = np.zeros(levels, np.int64)
    wrong = 0
    tied = 0
    for value in range(span):
        higher = 0
        seen = 0
        for level in range(levels - 1, -1, -1):
            here = table[value, level]
            if here > 0:
                wrong += here * higher
                tied += here * seen
                seen += here
            higher += below[level]
        if seen > 0:
            for level in range(levels):
                below[level] += table[value, level]
    return wrong, tied
