"""Projection onto chains and posets on a GPU, one thread per component.

A thread tightens the cells of its chain, sorts every level by the clipped targets, and pools
adjacent violators. Short chains work in the thread's own memory, one kernel for each power of two;
longer ones in arrays of the GPU. Posets are projected by the CPU's function, compiled for the GPU.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int32

from unround.arrays import FloatArray, IntArray
from unround.gpu.launch import (
    SIMULATED,
    GpuArray,
    compiled_for_gpu,
    cuda,
    for_each,
    kernel_argument,
    xp,
)
from unround.problem.model import Problem
from unround.solver.kernels.arguments import PosetScratch, SweptPosets, SweptReviews
from unround.solver.kernels.posets import sweep_poset

# The longest chain whose working space is the thread's own.
LONGEST_OWN = 8 if SIMULATED else 64
NUMBERS = 8  # rows of working space
PLACES = 3


class GpuReviews(NamedTuple):
    """One entry per review, in sweep order, and the cells that their codes stand for."""

    code: Any
    paper: Any
    cells: Any  # rows: given score, lower end, upper end


class GpuChains(NamedTuple):
    """The levels of the chains, whose members come first."""

    start: Any  # where each chain's members start, and the end
    height: Any  # one per member: its level within the chain, worst = 0
    gap: Any  # one per chain, or a single one for all


class GpuSweep(NamedTuple):
    """Where a sweep starts from, and where it writes."""

    centres: Any
    weight: float
    scores: Any


@cuda.jit(device=True)
def _load(
    begin: int,
    size: int,
    reviews: GpuReviews,
    chains: GpuChains,
    gap: float,
    sweep: GpuSweep,
    numbers: GpuArray,
    height: GpuArray,
) -> None:
    """Fetch targets, cells and shifts of a chain, and push the ends of its cells through it."""
    target, lower, upper, shift = numbers[0], numbers[1], numbers[2], numbers[3]
    for k in range(size):
        cell = reviews.code[begin + k]
        given = reviews.cells[0, cell]
        centre = sweep.centres[reviews.paper[begin + k]]
        target[k] = given + sweep.weight * (centre - given)
        lower[k], upper[k] = reviews.cells[1, cell], reviews.cells[2, cell]
        height[k] = chains.height[begin + k]
        shift[k] = height[k] * gap
    highest = passed = -np.inf
    for k in range(size):
        if k > 0 and height[k] != height[k - 1]:
            highest = passed
        passed = max(passed, lower[k] - shift[k])
        lower[k] = max(lower[k], highest + shift[k])
    lowest = passed = np.inf
    for k in range(size - 1, -1, -1):
        if k < size - 1 and height[k] != height[k + 1]:
            lowest = passed
        passed = min(passed, upper[k] - shift[k])
        upper[k] = max(min(upper[k], lowest + shift[k]), lower[k])


@cuda.jit(device=True)
def _sort_levels(size: int, numbers: GpuArray, order: GpuArray, height: GpuArray) -> None:
    """Order the members of every level by clipped target."""
    target, lower, upper, clipped = numbers[0], numbers[1], numbers[2], numbers[4]
    for place in range(size):
        key = min(max(target[place], lower[place]), upper[place])
        spot = place
        while spot > 0 and clipped[spot - 1] > key and height[order[spot - 1]] == height[place]:
            order[spot], clipped[spot] = order[spot - 1], clipped[spot - 1]
            spot -= 1
        order[spot], clipped[spot] = place, key


@cuda.jit(device=True)
def _pool(begin: int, size: int, numbers: GpuArray, places: GpuArray, scores: GpuArray) -> None:
    """Pool adjacent violators and write the scores."""
    target, lower, upper, shift = numbers[0], numbers[1], numbers[2], numbers[3]
    value, total, floor, ceiling = numbers[4], numbers[5], numbers[6], numbers[7]
    order, first = places[0], places[1]
    blocks = 0
    for place in range(size):
        k = order[place]
        opens = place
        summed = target[k] - shift[k]
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
            scores[begin + k] = min(max(value[block] + shift[k], lower[k]), upper[k])


@cuda.jit(device=True)
def project_chain(
    chain: int,
    reviews: GpuReviews,
    chains: GpuChains,
    sweep: GpuSweep,
    numbers: GpuArray,
    places: GpuArray,
) -> None:
    """Write the scores of one chain."""
    begin, size = chains.start[chain], chains.start[chain + 1] - chains.start[chain]
    gap = chains.gap[chain if chains.gap.size > 1 else 0]
    _load(begin, size, reviews, chains, gap, sweep, numbers, places[2])
    _sort_levels(size, numbers, places[0], places[2])
    _pool(begin, size, numbers, places, sweep.scores)


@cache
def own_memory_kernel(longest: int) -> Any:
    """Return the kernel for chains of at most so many members."""
    room = longest + 1

    @cuda.jit
    def sweep_chains(
        first: int, last: int, reviews: GpuReviews, chains: GpuChains, sweep: GpuSweep
    ) -> None:
        chain = first + cuda.grid(1)
        if chain < last:
            numbers = cuda.local.array((NUMBERS, longest), float64)
            places = cuda.local.array((PLACES, room), int32)
            project_chain(chain, reviews, chains, sweep, numbers, places)

    return sweep_chains


@cuda.jit
def sweep_long_chains(
    first: int,
    last: int,
    reviews: GpuReviews,
    chains: GpuChains,
    sweep: GpuSweep,
    numbers: GpuArray,
    places: GpuArray,
) -> None:
    """Project chains of any length; working space has a place per member and one more per chain."""
    chain = first + cuda.grid(1)
    if chain < last:
        origin = chains.start[first]
        begin = chains.start[chain] - origin
        end = chains.start[chain + 1] - origin
        at = begin + chain - first
        project_chain(
            chain, reviews, chains, sweep,
            numbers[:, begin:end], places[:, at : at + end - begin + 1],
        )  # fmt: skip


@cuda.jit
def sweep_singles(first: int, last: int, reviews: GpuReviews, sweep: GpuSweep) -> None:
    """Write the scores z + w (m − z), clipped, of reviews in no comparison."""
    k = first + cuda.grid(1)
    if k < last:
        cell = reviews.code[k]
        given = reviews.cells[0, cell]
        wish = given + sweep.weight * (sweep.centres[reviews.paper[k]] - given)
        sweep.scores[k] = min(max(wish, reviews.cells[1, cell]), reviews.cells[2, cell])


_sweep_poset = compiled_for_gpu(sweep_poset)


@cuda.jit
def _sweep_posets(
    posets: SweptPosets,
    reviews: SweptReviews,
    centres: GpuArray,
    weight: float,
    scores: GpuArray,
    scratch: PosetScratch,
) -> None:
    poset = cuda.grid(1)
    if poset < posets.start.size - 1:
        first, last = posets.start[poset], posets.start[poset + 1]
        edge = posets.pair_start[poset] + 2 * first
        edges = posets.pair_start[poset + 1] + 2 * last - edge
        node, nodes = first + poset, last - first + 1
        link, links = 2 * (node + poset), 2 * nodes + 2
        own = PosetScratch(
            scratch.edge_places[:, edge : edge + edges],
            scratch.edge_numbers[:, edge : edge + edges],
            scratch.node_places[:, node : node + nodes],
            scratch.node_numbers[:, node : node + nodes],
            scratch.links[:, link : link + links],
        )
        _sweep_poset(poset, posets, reviews, centres, weight, scores, own)


class GpuPosets:
    """The posets of a problem, counted from the first of their members."""

    def __init__(self, problem: Problem) -> None:
        posets = problem.posets
        member = posets.member
        self.count, self.members = int(posets.start.size) - 1, int(member.size)
        reviews = SweptReviews(
            *_sent(problem.given[member], problem.paper[member].astype(np.int32)),
            *_sent(problem.lower[member], problem.upper[member]),
        )
        pairs, members = posets.above.size, member.size
        swept = SweptPosets(
            *_sent(posets.start, posets.pair_start),
            *_sent(*posets.pair_places),
            *_sent(posets.gap, np.zeros(pairs + 2 * members, dtype=np.bool_)),
        )
        edges, nodes = pairs + 2 * members, members + self.count
        scratch = PosetScratch(
            edge_places=xp.empty((2, edges), dtype=xp.int64),
            edge_numbers=xp.empty((2, edges), dtype=xp.float64),
            node_places=xp.empty((4, nodes), dtype=xp.int64),
            node_numbers=xp.empty((4, nodes), dtype=xp.float64),
            links=xp.empty((3, 2 * (nodes + self.count)), dtype=xp.int64),
        )
        # Every sweep hands these to its kernel: they are made ready for it once.
        self._posets, self._reviews, self._scratch = map(kernel_argument, (swept, reviews, scratch))

    def sweep(self, centres: Any, weight: float, scores: Any) -> None:
        """Write the scores of the members."""
        for_each(
            _sweep_posets, self.count,
            self._posets, self._reviews, centres, weight, scores, self._scratch,
        )  # fmt: skip


def bytes_of_posets(problem: Problem) -> int:
    """Return how much memory the posets take on the GPU."""
    edges = problem.posets.above.size + 2 * problem.posets.member.size
    nodes = problem.posets.member.size + problem.posets.start.size
    return 80 * edges + 192 * nodes


def _sent(*arrays: FloatArray | IntArray | Any) -> list[Any]:
    return [xp.asarray(array) for array in arrays]
