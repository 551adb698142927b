"""Projection onto chains: levels of reviews, each wholly above the next, inside their cells.

A level's order among its own reviews is free, yet its solution is sorted by the clipped targets:
each y is its clipped target, clipped once more to what the levels around allow. Sorting a level
so and shifting every level down by its height times the gap leaves a plain monotone chain with
bounds, which pooling adjacent violators solves exactly. A pooled block's value is its mean target
clipped to the bounds that all its members share; tightened bounds rise along the chain, so that
two blocks that violate the order always share an interval.

Arrays are in sweep order (see local.py): a chain's members lie together, worst level first.
"""

from __future__ import annotations

import numpy as np

from unround.arrays import FloatArray, IntArray, ShortArray
from unround.compiler import compiled
from unround.solver.kernels.arguments import ChainScratch, Sweep, SweptChains, SweptReviews


@compiled
def tighten_chains(
    start: IntArray,
    height: ShortArray,
    shift: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
) -> None:
    """Push lower bounds up and upper bounds down through each chain, in place.

    A bound that rounding pushed past its opposite meets it there.
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


@compiled
def sweep_chains(
    first_chain: int,
    last_chain: int,
    chains: SweptChains,
    reviews: SweptReviews,
    sweep: Sweep,
    scratch: ChainScratch,
) -> None:
    """Write the scores of some chains, each pulled and projected, and add them up by paper.

    Some chains at a time: reads of centres one after another, and then writes of sums, wait for
    memory together, where projections between them would have each wait alone.

    Unchecked: bounds tightened, shift = height * gap, ascending within a chain.
    """
    start, height, shift = chains
    given, paper, lower, upper = reviews
    centres, weight, scores, sums = sweep
    target = scratch.target
    room = target.size
    order, first = scratch.places[0], scratch.places[1]
    clipped, value, total, floor, ceiling = scratch.numbers
    chain = first_chain
    while chain < last_chain:
        origin, until = start[chain], chain + 1
        while until < last_chain and start[until + 1] - origin <= room:
            until += 1
        for k in range(origin, start[until]):
            target[k - origin] = given[k] + weight * (centres[paper[k]] - given[k])
        for some in range(chain, until):
            begin, size = start[some], start[some + 1] - start[some]
            for place in range(size):
                # Insertion sort within the level by clipped target.
                k = begin + place
                key = min(max(target[k - origin], lower[k]), upper[k])
                spot = place
                while (
                    spot > 0
                    and clipped[spot - 1] > key
                    and height[begin + order[spot - 1]] == height[k]
                ):
                    order[spot], clipped[spot] = order[spot - 1], clipped[spot - 1]
                    spot -= 1
                order[spot], clipped[spot] = place, key
            blocks = 0
            for place in range(size):
                k = begin + order[place]
                # Blocks 0 .. blocks-1 are pooled and rise; first[b] is where block b starts.
                opens = place
                summed = target[k - origin] - shift[k]
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
                    k = begin + order[place]
                    scores[k] = min(max(value[block] + shift[k], lower[k]), upper[k])
        for k in range(origin, start[until]):
            sums[paper[k]] += scores[k]
        chain = until
