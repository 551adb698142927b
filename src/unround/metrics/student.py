"""Quantiles of Student's distribution, without loading SciPy for one number."""

from __future__ import annotations

import math

import numpy as np

# From here on the expansion around the normal quantile is exact to rounding.
MANY_DEGREES = 1_000


def student_quantile(degrees: int, level: float) -> float:
    """Return the value that a variable with so many degrees of freedom exceeds with chance 1 - level.

    >>> round(student_quantile(10, 0.975), 6), round(student_quantile(10**6, 0.975), 6)
    (2.228139, 1.959966)
    """
    if level < 0.5:
        return -student_quantile(degrees, 1.0 - level)
    if degrees >= MANY_DEGREES:
        return _expanded(degrees, level)
    low, high = 0.0, math.pi / 2.0  # the angle whose tangent is value / sqrt(degrees)
    while (middle := (low + high) / 2.0) not in (low, high):
        low, high = (middle, high) if _chance(degrees, middle) < level else (low, middle)
    return math.tan(high) * math.sqrt(degrees)


def _chance(degrees: int, angle: float) -> float:
    """Return the chance to stay below sqrt(degrees) * tan(angle), by the finite sum of powers."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    steps = np.arange(2 + odd, degrees, 2)
    factors = cosine**2 * (steps - 1) / steps
    terms = 1.0 + float(np.cumprod(factors).sum()) if degrees > 1 else 0.0
    if odd:
        return 0.5 + (angle + sine * cosine * terms) / math.pi
    return 0.5 + 0.5 * sine * terms


def _expanded(degrees: int, level: float) -> float:
    """Return the quantile by the series in 1 / degrees around the normal one."""
    from statistics import NormalDist

    z = NormalDist().inv_cdf(level)
    series = (
        (z**3 + z) / 4.0,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96.0,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384.0,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160.0,
    )
    return z + sum(term / float(degrees) ** power for power, term in enumerate(series, start=1))
