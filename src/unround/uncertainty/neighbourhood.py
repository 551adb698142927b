"""Errors of single effects in large conferences, each from its neighbourhood.

Around a paper p, take its reviewers and all papers that they reviewed. The reviews of those papers by
others count with their strictness as further noise. Nothing beyond can tell p's effect apart by more
than a fraction of a per cent (measured in the tests), and each paper costs a system of the size of its
number of reviewers. The same with roles exchanged gives the errors of reviewers.
"""

from __future__ import annotations

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.compiler import compiled


@compiled
def neighbourhood_errors(
    start: IntArray,
    other: IntArray,
    other_start: IntArray,
    back: IntArray,
    ratio: float,
    other_ratio: float,
) -> FloatArray:
    """Return the variance of each effect, in units of noise².

    `other[start[p]:start[p+1]]` are the neighbours of p, `back[other_start[r]:..]` those of r. Ratios
    are noise² over the variance of the effects, and of the neighbours' effects.
    """
    count = start.size - 1
    errors = np.empty(count)
    outside = 1.0 / (1.0 + 1.0 / other_ratio)  # weight of a review by somebody else
    near = np.zeros(count, dtype=np.int64)  # how many of the neighbours know q
    for p in range(count):
        first, size = start[p], start[p + 1] - start[p]
        for k in range(size):
            r = other[first + k]
            for j in range(other_start[r], other_start[r + 1]):
                near[back[j]] += 1
        system = np.zeros((size, size))
        for k in range(size):
            r = other[first + k]
            system[k, k] += other_start[r + 1] - other_start[r] + other_ratio
            for j in range(other_start[r], other_start[r + 1]):
                q = back[j]
                known = near[q]
                total = start[q + 1] - start[q]
                flow = 1.0 / (ratio + known + (total - known) * outside)
                if known == 1:
                    system[k, k] -= flow
                else:
                    for i in range(size):
                        if _knows(other_start, back, other[first + i], q):
                            system[k, i] -= flow
        own = 1.0 / (ratio + size)
        errors[p] = own + own * own * np.linalg.solve(system, np.ones(size)).sum()
        for k in range(size):
            r = other[first + k]
            for j in range(other_start[r], other_start[r + 1]):
                near[back[j]] = 0
    return errors


@compiled
def _knows(other_start: IntArray, back: IntArray, r: int, q: int) -> bool:
    """Whether r is a neighbour of q. Neighbours are in ascending order."""
    low, high = other_start[r], other_start[r + 1]
    while low < high:
        middle = (low + high) // 2
        if back[middle] < q:
            low = middle + 1
        else:
            high = middle
    return bool(low < other_start[r + 1] and back[low] == q)
