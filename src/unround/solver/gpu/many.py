"""Many solves in one launch: λ × copies × small problems, one block of threads per solve.

A block sweeps its own problem until its own bound holds, and waits for no other. In a copy, reviewers
count as often as they were drawn: equal reviewers get equal scores, so that none is written down twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int32

from unround.arrays import FloatArray, IntArray, freeze
from unround.card.launch import SIMULATED, CardArray, cuda, memory_free
from unround.errors import UsageError
from unround.solver.gpu.chains import (
    NUMBERS,
    PLACES,
    CardChains,
    CardReviews,
    CardSweep,
    project_chain,
)
from unround.solver.gpu.parts import CardParts, Parts
from unround.solver.loop import MOST_SWEEPS, PATIENCE, ROUNDING, TIMES

BLOCK = 16 if SIMULATED else 256
SHARE_OF_MEMORY = 0.5
MOST_TIMES = 2**15 - 1  # that a reviewer counts


@dataclass(frozen=True)
class Solves:
    """What to solve: one entry per solve."""

    part: IntArray
    lam: FloatArray
    times: IntArray | None = None  # rows: how often each reviewer of the part counts

    def __post_init__(self) -> None:
        freeze(self.part, self.lam)


@dataclass(frozen=True)
class Solved:
    """One solve: the mean of each paper, and the scores if they were asked for."""

    means: FloatArray  # of a paper without reviews: no number
    scores: FloatArray | None
    bound: float
    sweeps: int


class CardSolves(NamedTuple):
    """Solves on the card, with the room that each has in the arrays of numbers."""

    part: Any
    lam: Any
    tolerance: float
    rounding: float  # moves below may be rounding
    times: Any  # rows, or a single number if every reviewer counts once
    first_place: Any
    first_paper: Any
    centres: Any
    means: Any
    scores: Any
    bound: Any
    sweeps: Any


@cuda.jit(device=True)
def _largest(moved: float, part: CardArray) -> float:
    """Return the largest number of a block's threads, to every thread."""
    thread = cuda.threadIdx.x
    cuda.syncthreads()
    part[thread] = moved
    cuda.syncthreads()
    step = BLOCK // 2
    while step > 0:
        if thread < step:
            part[thread] = max(part[thread], part[thread + step])
        cuda.syncthreads()
        step //= 2
    return part[0]  # type: ignore[no-any-return]


class Own(NamedTuple):
    """What one block works on: the arrays of its part and of its solve."""

    reviews: Any
    chains: Any
    owner: Any
    paper_start: Any
    place: Any
    times: Any
    centres: Any
    means: Any
    scores: Any


@cuda.jit(device=True)
def _own(parts: CardParts, solves: CardSolves, solve: int) -> Own:
    part = solves.part[solve]
    a, b = parts.first_place[part], parts.first_place[part + 1]
    first, last = parts.first_chain[part], parts.first_chain[part + 1]
    low, high = parts.first_paper[part], parts.first_paper[part + 1]
    paper, place = solves.first_paper[solve], solves.first_place[solve]
    return Own(
        CardReviews(parts.code[a:b], parts.paper[a:b], parts.cells),
        CardChains(
            parts.chain_start[first + part : last + part + 1],
            parts.height[a:b],
            parts.gap[first:last],
        ),
        parts.owner[a:b],
        parts.paper_start[low + part : high + part + 1],
        parts.place[a:b],
        solves.times[solve if solves.times.shape[0] > 1 else 0],
        solves.centres[paper : paper + high - low],
        solves.means[paper : paper + high - low],
        solves.scores[place : place + b - a],
    )


@cuda.jit(device=True)
def _times(own: Own, place: int) -> int:
    """Return how often the reviewer of a place counts."""
    return own.times[own.owner[place]] if own.times.size > 1 else own.times[0]  # type: ignore[no-any-return]


@cuda.jit(device=True)
def _start(own: Own) -> None:
    """Start from the means of the given scores; a paper that nobody reviews has none."""
    for paper in range(cuda.threadIdx.x, own.centres.size, BLOCK):
        total, count = 0.0, 0
        for k in range(own.paper_start[paper], own.paper_start[paper + 1]):
            place = own.place[k]
            times = _times(own, place)
            total += times * own.reviews.cells[0, own.reviews.code[place]]
            count += times
        own.centres[paper] = own.means[paper] = total / count if count > 0 else math.nan


@cuda.jit(device=True)
def _move(own: Own, share: float) -> float:
    """Write means, and centres a little beyond them; return how far any mean is from its old centre."""
    moved = 0.0
    for paper in range(cuda.threadIdx.x, own.centres.size, BLOCK):
        total, count = 0.0, 0
        for k in range(own.paper_start[paper], own.paper_start[paper + 1]):
            place = own.place[k]
            times = _times(own, place)
            if times > 0:
                total += times * own.scores[place]
                count += times
        if count > 0:
            mean, before = total / count, own.means[paper]
            moved = max(moved, abs(mean - own.centres[paper]))
            own.means[paper] = mean
            own.centres[paper] = mean + share * (mean - before)
    return moved


@cache
def _kernel(longest: int) -> Any:
    """Return the kernel for chains of at most so many members."""
    room = longest + 1

    @cuda.jit
    def solve_one(parts: CardParts, solves: CardSolves) -> None:
        numbers = cuda.local.array((NUMBERS, longest), float64)
        places = cuda.local.array((PLACES, room), int32)
        shared = cuda.shared.array(BLOCK, float64)
        solve = cuda.blockIdx.x
        own, lam = _own(parts, solves, solve), solves.lam[solve]
        _start(own)
        finite = lam < math.inf
        weight = 1.0 / (1.0 + lam) if finite else 0.0
        root = math.sqrt(1.0 - weight)  # of how strongly convex the function is: acceleration.py
        share = (1.0 - root) / (1.0 + root)
        sweep = CardSweep(own.centres, weight, own.scores)
        least, since, done, moved = math.inf, 0, 0, math.inf
        most = max(MOST_SWEEPS, int(5.0 * TIMES / root))
        while done < most:
            cuda.syncthreads()
            for chain in range(cuda.threadIdx.x, own.chains.gap.size, BLOCK):
                if _times(own, own.chains.start[chain]) > 0:
                    project_chain(chain, own.reviews, own.chains, sweep, numbers, places)
            cuda.syncthreads()
            moved = _largest(_move(own, share if done > 0 else 0.0), shared)
            done += 1
            since = 0 if moved < least else since + 1
            least = min(least, moved)
            if not finite or moved <= solves.tolerance * lam:
                break
            if since >= max(float64(PATIENCE), TIMES / root) and moved <= solves.rounding:
                break
        if cuda.threadIdx.x == 0:
            solves.bound[solve] = moved / lam if finite else 0.0
            solves.sweeps[solve] = done

    return solve_one


def solve_each(
    parts: Parts, solves: Solves, tolerance: float, *, scores: bool = False
) -> Iterator[Solved]:
    """Solve all; yield one after the other. Raise UsageError if the memory takes not even one."""
    papers = np.diff(parts.first_paper)[solves.part]
    reviews = np.diff(parts.first_place)[solves.part]
    wanted = 16 * papers + 8 * reviews + 32
    if solves.times is not None:
        wanted += 2 * solves.times.shape[1]
    room = SHARE_OF_MEMORY * memory_free()
    if wanted.size and wanted.max() > room:
        raise UsageError(
            f"the GPU has too little memory free: one solve wants {wanted.max() / 1e9:.1f} GB and may "
            f"take {room / 1e9:.1f} GB; leave the engine out"
        )
    turn = (np.cumsum(wanted) // max(room / 2.0, float(wanted.max(initial=1)))).astype(np.int64)
    for chosen in np.split(np.arange(turn.size), np.flatnonzero(np.diff(turn)) + 1):
        if chosen.size:
            yield from _launched(parts, _some(solves, chosen), tolerance, scores=scores)


def _some(solves: Solves, chosen: IntArray) -> Solves:
    times = None if solves.times is None else solves.times[chosen]
    return Solves(solves.part[chosen], solves.lam[chosen], times)


def _launched(parts: Parts, solves: Solves, tolerance: float, *, scores: bool) -> Iterator[Solved]:
    count = solves.part.size
    first_place = _firsts(np.diff(parts.first_place)[solves.part])
    first_paper = _firsts(np.diff(parts.first_paper)[solves.part])
    numbers = cuda.device_array(int(first_place[-1]), dtype=np.float64)
    centres, means = (cuda.device_array(int(first_paper[-1]), dtype=np.float64) for _ in range(2))
    bound, sweeps = (cuda.device_array(count, dtype=kind) for kind in (np.float64, np.int32))
    times = np.ones((1, 1), dtype=np.int16)
    if solves.times is not None:
        times = np.minimum(solves.times, MOST_TIMES).astype(np.int16)
    on_card = CardSolves(
        cuda.to_device(solves.part.astype(np.int32)), cuda.to_device(solves.lam),
        tolerance, ROUNDING * parts.largest, cuda.to_device(times),
        cuda.to_device(first_place), cuda.to_device(first_paper),
        centres, means, numbers, bound, sweeps,
    )  # fmt: skip
    _kernel(1 << max(parts.longest - 1, 1).bit_length())[count, BLOCK](parts.on_card, on_card)
    found, bounds, swept = (each.copy_to_host() for each in (means, bound, sweeps))
    for solve in range(count):
        part = int(solves.part[solve])
        given = None
        if scores:
            given = np.empty(int(first_place[solve + 1] - first_place[solve]))
            own = parts.review[parts.first_place[part] : parts.first_place[part + 1]]
            given[own] = numbers[first_place[solve] : first_place[solve + 1]].copy_to_host()
        yield Solved(
            found[first_paper[solve] : first_paper[solve + 1]],
            given, float(bounds[solve]), int(swept[solve]),
        )  # fmt: skip


def _firsts(sizes: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
