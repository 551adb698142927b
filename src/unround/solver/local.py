"""The engine "local": sweeps on this machine, large problems in several threads.

A problem is laid out in sweep order: the chains, each as one run, then the posets, then single reviews. A
sweep then reads each array once from front to back. Large problems are cut into a fixed number of blocks,
each with its own sums, so that the result is the same bit for bit on any number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from unround.arrays import FloatArray, IntArray, freeze
from unround.problem.model import Problem
from unround.solver.kernels.arguments import (
    ChainScratch,
    PosetScratch,
    Sweep,
    SweptChains,
    SweptPosets,
    SweptReviews,
)
from unround.solver.kernels.centres import move_centres, scores_only_centres, sweep_singles
from unround.solver.kernels.chains import sweep_chains, tighten_chains
from unround.solver.kernels.posets import sweep_posets
from unround.solver.loop import Solution, iterate

BLOCKS = 4
# Below this many reviews one block is faster: adding up the sums of several costs more than threads save.
LEAST_FOR_BLOCKS = 200_000
# Reviews whose centres are fetched together: enough to wait for memory once, few enough to stay in cache.
TOGETHER = 512


@dataclass(frozen=True)
class Layout:
    """A problem in sweep order, and the cuts between its blocks."""

    review: IntArray  # the review at each place
    count: FloatArray  # reviews, one entry per paper
    reviews: SweptReviews
    chains: SweptChains
    posets: SweptPosets
    chain_cuts: IntArray  # chains of each block
    poset_cuts: IntArray
    single_cuts: IntArray  # places

    @property
    def blocks(self) -> int:
        """How many blocks a sweep is cut into."""
        return int(self.chain_cuts.size) - 1

    @cached_property
    def scratch(self) -> list[tuple[ChainScratch, PosetScratch]]:
        """Working space for chains and posets, one per block, so that a sweep allocates nothing."""
        longest = int(np.diff(self.chains.start).max(initial=0))
        # A poset's graph has its pairs, two ends of each cell, and a ground beside its members.
        sizes = np.diff(self.posets.start)
        edges = int((np.diff(self.posets.pair_start) + 2 * sizes).max(initial=0))
        nodes = int(sizes.max(initial=0)) + 1
        return [_scratch(longest, edges, nodes) for _ in range(self.blocks)]


def _scratch(longest: int, edges: int, nodes: int) -> tuple[ChainScratch, PosetScratch]:
    """Allocate enough for chains with so many members and posets with such graphs."""
    chains = ChainScratch(
        target=np.empty(max(TOGETHER, longest)),
        numbers=np.empty((5, longest)),
        places=np.empty((2, longest + 1), dtype=np.int64),
    )
    posets = PosetScratch(
        edge_places=np.empty((2, edges), dtype=np.int64),
        edge_numbers=np.empty((2, edges)),
        node_places=np.empty((4, nodes), dtype=np.int64),
        node_numbers=np.empty((4, nodes)),
        links=np.empty((3, 2 * nodes + 2), dtype=np.int64),
    )
    return chains, posets


def lay_out(problem: Problem) -> Layout:
    """Put the problem into sweep order."""
    chains, posets = problem.chains, problem.posets
    review = chains.member
    if review.size < len(problem):
        review = np.concatenate([chains.member, posets.member, problem.singles])
    first_poset = chains.member.size
    lower, upper = problem.lower[review], problem.upper[review]
    shift: FloatArray = chains.height.astype(np.float64) * np.repeat(
        chains.gap, np.diff(chains.start)
    )
    height = chains.height.astype(np.int32, copy=False)
    freeze(height)  # kernels are compiled for one kind of array, read-only or not
    tighten_chains(chains.start, height, shift, lower, upper)
    blocks = BLOCKS if len(problem) >= LEAST_FOR_BLOCKS else 1
    return Layout(
        review=review,
        count=problem.paper_count.astype(np.float64),
        reviews=SweptReviews(
            problem.given[review], problem.paper[review].astype(np.int32), lower, upper
        ),
        chains=SweptChains(chains.start, height, shift),
        posets=SweptPosets(
            start=first_poset + posets.start,
            pair_start=posets.pair_start,
            above=posets.pair_places[0],
            below=posets.pair_places[1],
            gap=posets.gap,
            held=np.zeros(posets.above.size + 2 * posets.member.size, dtype=np.bool_),
        ),
        chain_cuts=_cuts(0, chains.start.size - 1, blocks),
        poset_cuts=_cuts(0, posets.start.size - 1, blocks),
        single_cuts=_cuts(first_poset + posets.member.size, len(problem), blocks),
    )


def _cuts(first: int, last: int, blocks: int) -> IntArray:
    return np.linspace(first, last, blocks + 1).astype(np.int64)


def sweep_block(layout: Layout, block: int, sweep: Sweep) -> None:
    """Write the scores of one block, in sweep order, and add them to their papers' sums."""
    (for_chains, for_posets), reviews = layout.scratch[block], layout.reviews
    first, last = layout.chain_cuts[block : block + 2]
    sweep_chains(first, last, layout.chains, reviews, sweep, for_chains)
    if layout.posets.above.size:
        first, last = layout.poset_cuts[block : block + 2]
        sweep_posets(first, last, layout.posets, reviews, sweep, for_posets)
    if layout.single_cuts[0] < layout.single_cuts[-1]:
        first, last = layout.single_cuts[block : block + 2]
        sweep_singles(first, last, reviews, sweep)


def start_centres(problem: Problem, weight: float) -> FloatArray:
    """Return the exact centres if nothing were ranked: right at once for papers that no order touches."""
    return scores_only_centres(
        problem.given, weight, problem.lower, problem.upper, problem.paper_start, problem.by_paper
    )


class Solver:
    """A problem made ready for sweeps on this machine, for any number of λ."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.layout = lay_out(problem)
        self.swept = np.empty(len(problem))  # the scores of the last sweep, in sweep order
        self._sums = np.empty((self.layout.blocks, problem.papers))
        self._means = np.empty(problem.papers)

    def solve(self, lam: float, tolerance: float, start: FloatArray | None = None) -> Solution:
        """Return scores within `tolerance` of the optimum, starting from centres `start` if given."""
        return iterate(self, lam, tolerance, start)

    def first_centres(self, weight: float) -> FloatArray:
        """Return where to start when nothing better is known."""
        return start_centres(self._problem, weight)

    def sweep(self, centres: FloatArray, weight: float) -> tuple[FloatArray, float]:
        """Sweep from these centres; return the new ones, good until the next sweep, and how far any moved."""
        sums = self.block_sums(centres, weight)
        return self._means, move_centres(sums, self.layout.count, centres, self._means)

    def block_sums(self, centres: FloatArray, weight: float) -> FloatArray:
        """Sweep from these centres; return for every block the sum of scores, one per paper."""

        def work(block: int) -> None:
            self._sums[block] = 0.0
            sweep_block(self.layout, block, Sweep(centres, weight, self.swept, self._sums[block]))

        for_each(work, self.layout.blocks)
        return self._sums

    def scores(self) -> FloatArray:
        """Return the scores of the last sweep, one per review."""
        placed = np.empty(len(self._problem))
        placed[self.layout.review] = self.swept
        return placed


def for_each(work: Callable[[int], None], blocks: int) -> None:
    """Do every block, in threads if there are several. Which thread does which does not affect the result."""
    if blocks == 1 or _threads() == 1:
        for block in range(blocks):
            work(block)
    else:
        list(_pool().map(work, range(blocks)))


@cache
def _threads() -> int:
    """Return UNROUND_THREADS, or the number of processors that this process may use."""
    chosen = os.environ.get("UNROUND_THREADS", "")
    if chosen.isdigit() and int(chosen) > 0:
        return int(chosen)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_threads(), thread_name_prefix="unround")


if hasattr(os, "register_at_fork"):
    # A forked process has none of its parent's threads: it makes a pool of its own.
    os.register_at_fork(after_in_child=_pool.cache_clear)
