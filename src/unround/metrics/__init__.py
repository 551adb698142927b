"""How far an estimate is from the truth: the paper's measures, ties after rounding to 4 decimals."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from unround.arrays import FloatArray, IntArray, ShortArray, coded
from unround.errors import UsageError
from unround.metrics.papers import tied_places

TIE_DECIMALS = 4
TIE_UNIT = 10.0**TIE_DECIMALS
# Where values and levels are few, counting them is linear and beats sorting; up to this much space.
HISTOGRAM_PER_REVIEW = 16


def kendall_error(truth: ArrayLike, estimate: ArrayLike) -> float:
    """Return the share of pairs that the estimate orders wrongly; a pair it ties counts one half.

    Pairs tied in the truth are left out. O(n log n).

    Parameters
    ----------
    truth, estimate : array_like
        One number per review, in the same order.

    Returns
    -------
    float
        Between 0 (same order) and 1 (reversed).

    Examples
    --------
    >>> import unround
    >>> unround.metrics.kendall_error([1, 2, 3], [1, 3, 2])
    0.3333333333333333
    >>> unround.metrics.kendall_error([1, 2, 3], [1, 2, 2])
    0.16666666666666666
    """
    true, estimated = _pair(truth, estimate)
    return KendallError(true)(estimated)


class KendallError:
    """The Kendall-tau error against one truth, prepared once for many estimates.

    Parameters
    ----------
    truth : ndarray
        One number per review.

    Examples
    --------
    >>> import numpy as np, unround
    >>> error = unround.metrics.KendallError(np.array([1.0, 2.0, 3.0]))
    >>> error(np.array([3.0, 2.0, 1.0]))
    1.0
    """

    def __init__(self, truth: FloatArray) -> None:
        codes = coded(truth)[1]
        self.codes: ShortArray = codes.astype(np.int32)  # the place of each value among the levels
        self._set_levels(np.bincount(codes))
        # The last estimate's order: the next one's is often close, and then sorted in no time.
        self._order: IntArray | None = None

    @classmethod
    def of_levels(cls, sizes: IntArray) -> KendallError:
        """Return the error against a truth of which only the number of reviews on each level is known.

        It turns counts of pairs into shares; the counting itself is left to others.
        """
        error = cls(np.zeros(0))
        error._set_levels(sizes)
        return error

    def _set_levels(self, sizes: IntArray) -> None:
        self.levels = int(sizes.size)
        self.untied = _pairs(int(sizes.sum())) - _tied_pairs(
            sizes
        )  # pairs that the truth tells apart

    def __call__(self, estimate: FloatArray) -> float:
        """Return the error of one estimate; 0 when the truth has no two different values."""
        return self.share(*self.count(estimate))

    def published(self, estimate: FloatArray) -> float:
        """The same error added up as the paper's program does, wrong/N + tied/2N.

        The last bit may differ, and in a validation it decides between λ whose errors are equal.
        """
        return self.published_share(*self.count(estimate))

    def published_share(self, wrong: int, tied: int) -> float:
        """The published error of an estimate with so many pairs wrong and tied."""
        return wrong / max(self.untied, 1) + 0.5 * tied / max(self.untied, 1)

    def share(self, wrong: int, tied: int) -> float:
        """The error of an estimate with so many pairs wrong and tied."""
        return (wrong + 0.5 * tied) / max(self.untied, 1)

    def count(self, estimate: FloatArray) -> tuple[int, int]:
        """Pairs that the estimate reverses, and pairs that it ties though the truth does not."""
        from unround.metrics.kernels import count_by_histogram, count_by_sorting, extent

        if estimate.size != self.codes.size:
            raise UsageError(
                f"truth has {self.codes.size} values and estimate {estimate.size}: they must match"
            )
        if self.untied == 0:
            return 0, 0
        least, most = extent(estimate, TIE_UNIT)
        if math.isnan(least):
            raise UsageError("estimate must be finite numbers")
        span = most - least + 1.0
        if span * self.levels <= HISTOGRAM_PER_REVIEW * estimate.size:
            return count_by_histogram(self.codes, estimate, TIE_UNIT, least, int(span), self.levels)
        last = np.arange(estimate.size) if self._order is None else self._order
        nearly = tie_grid(estimate[last])
        rest = np.argsort(nearly, kind="stable")
        self._order = order = last[rest]
        return count_by_sorting(self.codes[order], nearly[rest], self.levels)


def l2_error(truth: ArrayLike, estimate: ArrayLike) -> float:
    """Return the Euclidean distance between truth and estimate.

    Parameters
    ----------
    truth, estimate : array_like
        One number per review, in the same order.

    Returns
    -------
    float
        The root of the sum of squared differences.

    Examples
    --------
    >>> import unround
    >>> unround.metrics.l2_error([0, 0], [3, 4])
    5.0
    """
    true, estimated = _pair(truth, estimate)
    return math.sqrt(math.fsum((true - estimated) ** 2))


def tie_share(scores: ArrayLike) -> float:
    """Return the share of all pairs of scores that are tied to four decimals.

    Parameters
    ----------
    scores : array_like
        One number per review.

    Returns
    -------
    float
        Between 0 (no tie) and 1.

    Examples
    --------
    >>> import unround
    >>> unround.metrics.tie_share([1, 1, 2])
    0.3333333333333333
    """
    values = _vector(scores, "scores")
    if values.size < 2:
        return 0.0
    sizes = np.bincount(coded(tie_grid(values))[1])
    return _tied_pairs(sizes) / _pairs(values.size)


def percentiles(scores: ArrayLike) -> FloatArray:
    """Return 100 × (share of scores strictly below + half the share tied, itself included).

    Parameters
    ----------
    scores : array_like
        One number per review.

    Returns
    -------
    ndarray
        One percentile per score.

    Examples
    --------
    >>> import unround
    >>> unround.metrics.percentiles([3.0, 5.0, 5.0, 9.0]).tolist()
    [12.5, 50.0, 50.0, 87.5]
    """
    values = _vector(scores, "scores")
    below = values.size + 0.5 - tied_places(tie_grid(values)).middle
    return 100.0 * below / max(values.size, 1)


def tie_grid(scores: FloatArray) -> FloatArray:
    """Return scores in units of the fourth decimal, rounded: equal means tied.

    >>> import numpy as np, unround
    >>> unround.metrics.tie_grid(np.array([5.00004, 5.00006])).tolist()
    [50000.0, 50001.0]
    """
    grid = scores * TIE_UNIT
    return np.rint(grid, out=grid)


def _pairs(count: int) -> int:
    return count * (count - 1) // 2


def _tied_pairs(sizes: IntArray) -> int:
    return int(np.sum(sizes * (sizes - 1) // 2))


def _vector(values: ArrayLike, name: str) -> FloatArray:
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1:
        raise UsageError(f"{name} must have one dimension, not {vector.ndim}")
    if not np.all(np.isfinite(vector)):
        raise UsageError(f"{name} must be finite numbers")
    return vector


def _pair(truth: ArrayLike, estimate: ArrayLike) -> tuple[FloatArray, FloatArray]:
    true, estimated = _vector(truth, "truth"), _vector(estimate, "estimate")
    if true.size != estimated.size:
        raise UsageError(
            f"truth has {true.size} values and estimate {estimated.size}: they must match"
        )
    return true, estimated
