"""Projection onto chains: levels of reviews, each wholly above the next, inside their cells.

A level's order among its own reviews is free, yet its solution is sorted by the clipped targets:
each y is its clipped target, clipped once more to what the levels around allow. Sorting a level
so and shifting every level down by its height times the gap leaves a plain monotone chain with
bounds, which pooling adjacent violators solves exactly. A pooled block's value is its mean target
clipped to the bounds that all its members share; tightened bounds rise along the chain, so that
two blocks that violate the order always share an interval.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unround.arrays import FloatArray, IntArray


@njit(cache=True, nogil=True)
def tighten_chains(
    start: IntArray,
    height: IntArray,
    shift: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
) -> None:
    """Push lower bounds up and upper bounds down through each chain, in place.

    Bounds are in member order. A bound that rounding pushed past its opposite meets it there.
    """
    for chain in range(start.size - 1):
        first, last = start[chain], start[chain + 1]
        highest = passed = -np.inf
        for k in range(first, last):
            if k > first and height[k] != height[k - 1]:
                highest = passed
            passed = max(passed, lower[k] - shift[k])
            lower[k] = max(lower[k], highest + shift[k])
        lowest = passed = np.inf
        for k in range(last - 1, first - 1, -1):
            if k < last - 1 and height[k] != height[k + 1]:
                lowest = passed
            passed = min(passed, upper[k] - shift[k])
            upper[k] = max(min(upper[k], lowest + shift[k]), lower[k])


@njit(cache=True, nogil=True)
def project_chains(
    target: FloatArray,
    start: IntArray,
    member: IntArray,
    height: IntArray,
    shift: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    scores: FloatArray,
) -> None:
    """Write the projection of `target` into `scores` at the members of each chain.

    Unchecked: members by height, bounds tightened, shift = height * gap.
    """
    longest = 0
    for chain in range(start.size - 1):
        longest = max(longest, start[chain + 1] - start[chain])
    order = np.empty(longest, np.int64)
    clipped = np.empty(longest)
    first = np.empty(longest + 1, np.int64)
    value, total = np.empty(longest), np.empty(longest)
    floor, ceiling = np.empty(longest), np.empty(longest)
    for chain in range(start.size - 1):
        begin, size = start[chain], start[chain + 1] - start[chain]
        _sort_levels(target, begin, size, member, height, lower, upper, order, clipped)
        blocks = 0
        for place in range(size):
            k = order[place]
            # Blocks 0 .. blocks-1 are pooled and rise; first[b] is where block b starts.
            opens = place
            summed = target[member[k]] - shift[k]
            low, high = lower[k] - shift[k], upper[k] - shift[k]
            level = min(max(summed, low), high)
            while blocks > 0 and value[blocks - 1] > level:
                blocks -= 1
                opens = first[blocks]
                summed += total[blocks]
                low, high = max(low, floor[blocks]), min(high, ceiling[blocks])
                level = min(max(summed / (place + 1 - opens), low), high)
            first[blocks], value[blocks], total[blocks] = opens, level, summed
            floor[blocks], ceiling[blocks] = low, high
            blocks += 1
        first[blocks] = size
        for block in range(blocks):
            for place in range(first[block], first[block + 1]):
                k = order[place]
                scores[member[k]] = min(max(value[block] + shift[k], lower[k]), upper[k])


@njit(cache=True, nogil=True)
def _sort_levels(
    target: FloatArray,
    begin: int,
    size: int,
    member: IntArray,
    height: IntArray,
    lower: FloatArray,
    upper: FloatArray,
    order: IntArray,
    clipped: FloatArray,
) -> None:
    """Order a chain's members by height, within a height by clipped target (insertion sort)."""
    for place in range(size):
        k = begin + place
        key = min(max(target[member[k]], lower[k]), upper[k])
        spot = place
        while spot > 0 and height[order[spot - 1]] == height[k] and clipped[spot - 1] > key:
            order[spot], clipped[spot] = order[spot - 1], clipped[spot - 1]
            spot -= 1
        order[spot], clipped[spot] = k, key
