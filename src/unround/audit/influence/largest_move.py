"""How far any of many changes of one reviewer moves the means of their papers: tried, or ruled out.

A change first moves the means of the reviewer's own papers by δ_q, at centres as they stand. What comes
back over other reviewers moves a mean by at most max|δ| / λ more or less (docs/mathematics.md, section 9). A
change that cannot beat the furthest one found so far for any paper is not spread any further.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray, ShortArray
from unround.audit.influence.local_solver import (
    Links,
    Own,
    Parts,
    Rounds,
    Standing,
    Touched,
    spread,
    take_back,
)
from unround.compiler import compiled
from unround.solver.kernels.arguments import Sweep
from unround.solver.kernels.chains import sweep_chains, tighten_chains


class Changes(NamedTuple):
    """Changes of one reviewer: a row per change, a column per review. All papers stand in levels."""

    given: FloatArray
    lower: FloatArray
    upper: FloatArray
    height: IntArray  # 0 = worst; consecutive
    gap: float


class Room(NamedTuple):
    """Where a change is laid out: the chain of `own`, whose heights are a read-only view of `height`."""

    own: Own
    height: ShortArray
    order: IntArray
    sums: FloatArray  # zeros, one per paper


class Solving(NamedTuple):
    """What a change is solved with."""

    weight: float
    threshold: float
    back: float  # 1/λ
    slack: float  # gains below this are none
    most: int  # reviews projected for one change


@compiled
def find_furthest(
    changes: Changes,
    sign: float,
    places: IntArray,
    room: Room,
    whole: Parts,
    links: Links,
    standing: Standing,
    before: Standing,
    held: BoolArray,
    touched: Touched,
    rounds: Rounds,
    solving: Solving,
    furthest: FloatArray,
    which: IntArray,
) -> int:
    """Write how far up (sign 1) or down (−1) the mean of each own paper gets, and by which change.

    Return how many changes were spread; −1 if one took more than the most work. `places` are those of the
    reviews in the whole problem. Unchecked: `links.component` has the own number there.
    """
    count, size = changes.given.shape
    first = np.empty((count, size))
    for change in range(count):
        _lay_out(changes, change, places, whole, room)
        _first_moves(places, room, links, before, solving.weight, first[change])
        for review in range(size):
            first[change, review] *= sign
    furthest[:] = 0.0
    which[:] = -1
    spreads = 0
    for step in range(
        size + count
    ):  # each paper's most promising change, and then any that can beat it
        change = _best(first, step) if step < size else step - size
        if not _promising(first[change], furthest, solving):
            continue
        _lay_out(changes, change, places, whole, room)
        _, work = spread(
            whole,
            room.own,
            links,
            standing,
            touched,
            rounds,
            solving.weight,
            solving.threshold,
            solving.most,
        )
        for review in range(size):
            paper = whole.reviews.paper[places[review]]
            moved = sign * (standing.sums[paper] - before.sums[paper]) / links.reviews[paper]
            if moved > furthest[review] + solving.slack:
                furthest[review], which[review] = moved, change
        take_back(whole, room.own, standing, before, held, touched)
        spreads += 1
        if work > solving.most:
            return -1
    return spreads


@compiled
def _lay_out(changes: Changes, change: int, places: IntArray, whole: Parts, room: Room) -> None:
    """Write one change as a chain: worst level first, bounds tightened."""
    reviews, chains = room.own.parts.reviews, room.own.parts.chains
    height = changes.height[change]
    for review in range(height.size):  # insertion sort by height
        spot = review
        while spot > 0 and height[room.order[spot - 1]] > height[review]:
            room.order[spot] = room.order[spot - 1]
            spot -= 1
        room.order[spot] = review
    for spot in range(height.size):
        review = room.order[spot]
        reviews.given[spot] = changes.given[change, review]
        reviews.lower[spot] = changes.lower[change, review]
        reviews.upper[spot] = changes.upper[change, review]
        reviews.paper[spot] = whole.reviews.paper[places[review]]
        room.own.home[spot] = places[review]
        room.height[spot] = height[review]
        chains.shift[spot] = height[review] * changes.gap
    tighten_chains(chains.start, chains.height, chains.shift, reviews.lower, reviews.upper)


@compiled
def _first_moves(
    places: IntArray,
    room: Room,
    links: Links,
    before: Standing,
    weight: float,
    moves: FloatArray,
) -> None:
    """Write how far a change moves the mean of each own paper while no centre follows."""
    parts = room.own.parts
    sweep = Sweep(before.centres, weight, room.own.scores, room.sums)
    sweep_chains(0, 1, parts.chains, parts.reviews, sweep, parts.chain_scratch)
    for spot in range(places.size):
        paper = parts.reviews.paper[spot]
        room.sums[paper] = 0.0
        off = room.own.scores[spot] - before.scores[room.own.home[spot]]
        moves[room.order[spot]] = off / links.reviews[paper]


@compiled
def _best(first: FloatArray, review: int) -> int:
    best = 0
    for change in range(first.shape[0]):
        if first[change, review] > first[best, review]:
            best = change
    return best


@compiled
def _promising(first: FloatArray, furthest: FloatArray, solving: Solving) -> bool:
    """Return whether a change can move any mean further than the furthest so far."""
    largest = 0.0
    for review in range(first.size):
        largest = max(largest, abs(first[review]))
    for review in range(first.size):
        if first[review] + largest * solving.back > furthest[review] + solving.slack:
            return True
    return False
