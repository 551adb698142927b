"""How far an estimate is from the truth: the paper's measures.

Scores are tied if they agree to four decimals of the level spacing: the unit of a scale does not matter.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from unround.arrays import FloatArray, coded, pairs_within
from unround.errors import UsageError
from unround.metrics.papers import tie_grid as tie_grid
from unround.metrics.papers import tied_places

if TYPE_CHECKING:
    from unround.metrics.kendall import KendallError as KendallError


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
    from unround.metrics.kendall import KendallError  # loads Numba

    true, estimated = _pair(truth, estimate)
    return KendallError(true)(estimated)


def __getattr__(name: str) -> Any:
    if name != "KendallError":
        raise AttributeError(f"module 'unround.metrics' has no attribute {name!r}")
    from unround.metrics.kendall import KendallError  # loads Numba

    return KendallError


def l2_error(truth: ArrayLike, estimate: ArrayLike) -> float:
    """Return the Euclidean distance between truth and estimate.

    Parameters
    ----------
    truth, estimate
        As for `kendall_error`.

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


def tie_share(scores: ArrayLike, spacing: float = 1.0) -> float:
    """Return the share of all pairs of scores that are tied to four decimals of the level spacing.

    Parameters
    ----------
    scores : array_like
        One number per review.
    spacing : float
        The smallest distance between two levels of the scale.

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
    sizes = np.bincount(coded(tie_grid(values, _positive(spacing)))[1])
    return pairs_within(sizes) / pairs_within(values.size)


def percentiles(scores: ArrayLike, spacing: float = 1.0) -> FloatArray:
    """Return 100 × (share of scores strictly below + half the share tied, itself included).

    Parameters
    ----------
    scores : array_like
        One number per review.
    spacing : float
        The smallest distance between two levels of the scale; scores are tied to four decimals of it.

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
    below = values.size + 0.5 - tied_places(tie_grid(values, _positive(spacing))).middle
    return 100.0 * below / max(values.size, 1)


def _vector(values: ArrayLike, name: str) -> FloatArray:
    try:
        vector = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"{name} must be numbers, one per review") from None
    if vector.ndim != 1:
        raise UsageError(f"{name} must have one dimension, not {vector.ndim}")
    if not np.all(np.isfinite(vector)):
        raise UsageError(f"{name} must be finite numbers")
    return vector


def _positive(spacing: float) -> float:
    if not isinstance(spacing, int | float | np.number) or not 0.0 < spacing < math.inf:
        raise UsageError(f"spacing must be a number above 0, not {spacing!r}")
    return float(spacing)


def _pair(truth: ArrayLike, estimate: ArrayLike) -> tuple[FloatArray, FloatArray]:
    true, estimated = _vector(truth, "truth"), _vector(estimate, "estimate")
    if true.size != estimated.size:
        raise UsageError(
            f"truth has {true.size} values and estimate {estimated.size}: they must match"
        )
    return true, estimated
