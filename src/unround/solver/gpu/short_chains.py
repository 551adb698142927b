"""Projection onto chains of few members, all of one length: the same problem with no memory but registers.

Every loop has a length known when the kernel is compiled, and no place depends on the data, so that the
compiler unrolls all of it. In place of pooling, the minimax form of the same solution: with v(a, b) the
best common value of members a .. b, clipped to the bounds that they share, member i gets the largest over
a ≤ i of the smallest over b ≥ i of v(a, b).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import float64, int32

from unround.card.launch import cuda
from unround.solver.gpu.chains import CardChains, CardReviews, CardSweep

# The longest chain that fits into registers.
LONGEST = 6


@cache
def short_kernel(size: int) -> Any:
    """Return the kernel for chains of exactly so many members."""

    @cuda.jit
    def sweep_chains(
        first: int, last: int, reviews: CardReviews, chains: CardChains, sweep: CardSweep
    ) -> None:
        chain = first + cuda.grid(1)
        if chain >= last:
            return
        begin = chains.start[chain]
        gap = chains.gap[chain if chains.gap.size > 1 else 0]
        target = cuda.local.array(size, float64)
        lower = cuda.local.array(size, float64)
        upper = cuda.local.array(size, float64)
        height = cuda.local.array(size, int32)
        member = cuda.local.array(size, int32)
        best = cuda.local.array(size, float64)
        value = cuda.local.array(size, float64)
        for k in range(size):
            cell = reviews.code[begin + k]
            given = reviews.cells[0, cell]
            centre = sweep.centres[reviews.paper[begin + k]]
            target[k] = given + sweep.weight * (centre - given)
            lower[k], upper[k] = reviews.cells[1, cell], reviews.cells[2, cell]
            height[k], member[k] = chains.height[begin + k], k
            best[k] = -np.inf
        # Ends of cells, pushed through the chain, as kernels/chains.py does.
        highest = passed = -np.inf
        for k in range(size):
            if k > 0 and height[k] != height[max(k - 1, 0)]:
                highest = passed
            passed = max(passed, lower[k] - height[k] * gap)
            lower[k] = max(lower[k], highest + height[k] * gap)
        lowest = passed = np.inf
        for step in range(size):
            k = size - 1 - step
            if k < size - 1 and height[k] != height[min(k + 1, size - 1)]:
                lowest = passed
            passed = min(passed, upper[k] - height[k] * gap)
            upper[k] = max(min(upper[k], lowest + height[k] * gap), lower[k])
        # Members of one level by clipped target.
        for done in range(size - 1):
            for k in range(size - 1 - done):
                one = min(max(target[k], lower[k]), upper[k])
                other = min(max(target[k + 1], lower[k + 1]), upper[k + 1])
                if height[k] == height[k + 1] and one > other:
                    target[k], target[k + 1] = target[k + 1], target[k]
                    lower[k], lower[k + 1] = lower[k + 1], lower[k]
                    upper[k], upper[k + 1] = upper[k + 1], upper[k]
                    member[k], member[k + 1] = member[k + 1], member[k]
        for opens in range(size):
            total, low, high = 0.0, -np.inf, np.inf
            for k in range(opens, size):
                shift = height[k] * gap
                total += target[k] - shift
                low, high = max(low, lower[k] - shift), min(high, upper[k] - shift)
                value[k] = min(max(total * (1.0 / (k + 1 - opens)), low), high)
            least = np.inf
            for step in range(size - opens):
                k = size - 1 - step
                least = min(least, value[k])
                best[k] = max(best[k], least)
        for k in range(size):
            sweep.scores[begin + member[k]] = min(
                max(best[k] + height[k] * gap, lower[k]), upper[k]
            )

    return sweep_chains
