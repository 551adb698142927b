"""Compiled draws for the Gibbs sampler: normal, truncated normal, and standard deviations.

Random numbers are SplitMix64's: the state, an array of one unsigned integer, is advanced in place.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unround.arrays import FloatArray
from unround.compiler import compiled, inlined

RandomState = NDArray[np.uint64]
# Rejection draws from a uniform distribution, to the right of zero, where the logarithm of the normal
# density falls by less than about FLAT; and, around zero, in intervals up to WIDE long.
FLAT = 1.0
WIDE = 2.5


@inlined
def uniform(state: RandomState) -> float:
    """Draw from the open interval (0, 1)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = state[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits = bits ^ (bits >> np.uint64(31))
    return (float(bits >> np.uint64(11)) + 0.5) * (1.0 / 9007199254740992.0)


@compiled
def normal(state: RandomState) -> float:
    """Draw from the standard normal distribution (the polar method)."""
    while True:
        x, y = 2.0 * uniform(state) - 1.0, 2.0 * uniform(state) - 1.0
        square = x * x + y * y
        if 0.0 < square < 1.0:
            return x * math.sqrt(-2.0 * math.log(square) / square)


@compiled
def truncated_normal(
    state: RandomState, centre: float, deviation: float, low: float, high: float
) -> float:
    """Draw from a normal distribution restricted to [low, high], by rejection."""
    if not low < high:
        return low
    a, b = (low - centre) / deviation, (high - centre) / deviation
    if a > 0.0:
        drawn = _right_of_zero(state, a, b)
    elif b < 0.0:
        drawn = -_right_of_zero(state, -b, -a)
    else:
        drawn = _around_zero(state, a, b)
    # Rounding must not carry a draw out of its interval.
    return min(max(centre + deviation * drawn, low), high)


@compiled
def _around_zero(state: RandomState, a: float, b: float) -> float:
    if b - a > WIDE:
        while True:
            x = normal(state)
            if a <= x <= b:
                return x
    while True:
        x = a + (b - a) * uniform(state)
        if uniform(state) <= math.exp(-0.5 * x * x):
            return x


@compiled
def _right_of_zero(state: RandomState, a: float, b: float) -> float:
    if a * (b - a) < FLAT:
        while True:
            x = a + (b - a) * uniform(state)
            if uniform(state) <= math.exp(0.5 * (a - x) * (a + x)):
                return x
    # An exponential distribution with rate a, cut off at b, lies above the normal density.
    kept = -math.expm1(-a * (b - a))
    while True:
        x = a - math.log1p(-uniform(state) * kept) / a
        if uniform(state) <= math.exp(-0.5 * (x - a) * (x - a)):
            return min(x, b)


@compiled
def deviation_given_squares(
    state: RandomState, count: float, squares: float, current: float, most: float
) -> float:
    """Draw a standard deviation s on (0, most] from s^-count · exp(-squares / 2s²), by a slice step.

    The slice is taken in log s, where the density is s^(1-count) · exp(..): it has one peak.
    """
    counts, squared = np.array([count]), np.array([squares])
    return _slice_step(state, False, counts, squared, 1.0, current, most)


@compiled
def deviation_given_sums(
    state: RandomState,
    counts: FloatArray,
    squares: FloatArray,
    noise: float,
    current: float,
    most: float,
) -> float:
    """Draw the standard deviation of effects on (0, most], given sums of effect and noise, by a slice step.

    counts[n] effects have n observations each, the sum of which is n times the effect plus noise;
    squares[n] is the sum of the squares of these sums.
    """
    return _slice_step(state, True, counts, squares, noise, current, most)


@compiled
def _slice_step(
    state: RandomState,
    sums: bool,
    counts: FloatArray,
    squares: FloatArray,
    noise: float,
    current: float,
    most: float,
) -> float:
    """Draw log s by stepping out and shrinking; `sums` says which of the two densities counts."""
    top = math.log(most)
    least = top - 20.0
    here = min(max(math.log(current), least), top)
    height = _density(sums, here, counts, squares, noise) + math.log(uniform(state))
    low = here - uniform(state)
    high = low + 1.0
    while low > least and _density(sums, low, counts, squares, noise) > height:
        low -= 1.0
    while high < top and _density(sums, high, counts, squares, noise) > height:
        high += 1.0
    low, high = max(low, least), min(high, top)
    while True:
        drawn = low + (high - low) * uniform(state)
        if _density(sums, drawn, counts, squares, noise) >= height:
            return math.exp(drawn)
        if drawn < here:
            low = drawn
        else:
            high = drawn
        if high - low < 1e-12:
            return math.exp(here)


@compiled
def _density(
    sums: bool, log_s: float, counts: FloatArray, squares: FloatArray, noise: float
) -> float:
    """Return the logarithm of the density of log s, but for a constant."""
    if not sums:
        return float((1.0 - counts[0]) * log_s - 0.5 * squares[0] * math.exp(-2.0 * log_s))
    ratio = math.exp(2.0 * log_s) / (noise * noise)
    total = log_s
    for n in range(1, counts.size):
        if counts[n] > 0.0:
            widened = 1.0 + n * ratio
            total -= 0.5 * counts[n] * math.log(widened)
            total += 0.5 * squares[n] * ratio / (noise * noise * widened)
    return total
