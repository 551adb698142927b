"""The largest move of the mean of each of a reviewer's papers, over many changes by that reviewer.

A change first moves the means of the reviewer's own papers by δ_q, at centres as they stand. What comes
back over other reviewers moves a mean by at most max|δ| / λ more or less (docs/mathematics.md, section 9). A
change that cannot beat the furthest one found so far for any paper is not spread any further.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unround.arrays import FloatArray, IntArray, ShortArray
from unround.audit.influence.local_solver import (
    LocalProblem,
    Replacement,
    ScoreState,
    spread,
    take_back,
)
from unround.compiler import compiled
from unround.solver.kernels.arguments import Sweep
from unround.solver.kernels.chains import sweep_chains, tighten_chains


class Changes(NamedTuple):
    """Changes by one reviewer: a row per change, a column per review. All papers are in levels."""

    given: FloatArray
    lower: FloatArray
    upper: FloatArray
    height: IntArray  # 0 = worst; consecutive
    gap: float


class ChangeBuffers(NamedTuple):
    """Arrays that changes of one size are laid out in, one after the other, as a single chain."""

    replacement: Replacement
    height: ShortArray  # of the chain of `replacement`, which has a read-only view of it
    order: IntArray
    sums: FloatArray  # zeros, one per paper


class SearchLimits(NamedTuple):
    """The weight of the centres, and the limits of a search."""

    weight: float  # 1/(1+λ)
    threshold: float  # how far a mean may be from its centre
    back: float  # 1/λ: what can come back over other reviewers
    slack: float  # smaller gains do not count
    most: int  # reviews projected for one change


@compiled
def find_furthest(
    changes: Changes,
    sign: float,
    places: IntArray,
    buffers: ChangeBuffers,
    problem: LocalProblem,
    limits: SearchLimits,
    furthest: FloatArray,
    which: IntArray,
) -> int:
    """Write how far up (sign 1) or down (−1) the mean of each of the papers gets, and by which change.

    Return how many changes were solved; −1 if one took more than the most work. `places` are those of the
    reviews in the whole problem. Unchecked: `links.component` has the last number there.
    """
    paper, reviews = problem.whole.reviews.paper, problem.links.reviews
    state, before = problem.state, problem.before
    count, size = changes.given.shape
    first = np.empty((count, size))
    for change in range(count):
        _lay_out(changes, change, places, paper, buffers)
        _first_moves(buffers, before, reviews, limits.weight, first[change])
        for review in range(size):
            first[change, review] *= sign
    furthest[:] = 0.0
    which[:] = -1
    spreads = 0
    # Each paper's most promising change, and then any that can beat it.
    for step in range(size + count):
        change = _best(first, step) if step < size else step - size
        if not _promising(first[change], furthest, limits):
            continue
        _lay_out(changes, change, places, paper, buffers)
        replacement = buffers.replacement
        _, work = spread(problem, replacement, limits.weight, limits.threshold, limits.most)
        for review in range(size):
            own = paper[places[review]]
            moved = sign * (state.sums[own] - before.sums[own]) / reviews[own]
            if moved > furthest[review] + limits.slack:
                furthest[review], which[review] = moved, change
        take_back(problem, replacement.home)
        spreads += 1
        if work > limits.most:
            return -1
    return spreads


@compiled
def _lay_out(
    changes: Changes, change: int, places: IntArray, paper: ShortArray, buffers: ChangeBuffers
) -> None:
    """Write one change as a chain: worst level first, bounds tightened."""
    reviews, chains = buffers.replacement.arrays.reviews, buffers.replacement.arrays.chains
    height = changes.height[change]
    for review in range(height.size):  # insertion sort by height
        spot = review
        while spot > 0 and height[buffers.order[spot - 1]] > height[review]:
            buffers.order[spot] = buffers.order[spot - 1]
            spot -= 1
        buffers.order[spot] = review
    for spot in range(height.size):
        review = buffers.order[spot]
        reviews.given[spot] = changes.given[change, review]
        reviews.lower[spot] = changes.lower[change, review]
        reviews.upper[spot] = changes.upper[change, review]
        reviews.paper[spot] = paper[places[review]]
        buffers.replacement.home[spot] = places[review]
        buffers.height[spot] = height[review]
        chains.shift[spot] = height[review] * changes.gap
    tighten_chains(chains.start, chains.height, chains.shift, reviews.lower, reviews.upper)


@compiled
def _first_moves(
    buffers: ChangeBuffers,
    before: ScoreState,
    reviews: FloatArray,
    weight: float,
    moves: FloatArray,
) -> None:
    """Write how far a change moves the mean of each paper while no centre follows."""
    arrays, scores = buffers.replacement.arrays, buffers.replacement.scores
    sweep = Sweep(before.centres, weight, scores, buffers.sums)
    sweep_chains(0, 1, arrays.chains, arrays.reviews, sweep, arrays.chain_scratch)
    for spot in range(scores.size):
        paper = arrays.reviews.paper[spot]
        buffers.sums[paper] = 0.0
        off = scores[spot] - before.scores[buffers.replacement.home[spot]]
        moves[buffers.order[spot]] = off / reviews[paper]


@compiled
def _best(first: FloatArray, review: int) -> int:
    best = 0
    for change in range(first.shape[0]):
        if first[change, review] > first[best, review]:
            best = change
    return best


@compiled
def _promising(first: FloatArray, furthest: FloatArray, limits: SearchLimits) -> bool:
    """Return whether a change can move any mean further than the furthest so far."""
    largest = 0.0
    for review in range(first.size):
        largest = max(largest, abs(first[review]))
    for review in range(first.size):
        if first[review] + largest * limits.back > furthest[review] + limits.slack:
            return True
    return False
