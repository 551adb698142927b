"""Problem -> arrays in sweep order: members of a chain lie together, then posets, then single reviews.

A sweep then reads each array once from front to back. Large problems are cut into a fixed number
of blocks, each with its own sums, so that the result is the same bit for bit on any number of
threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray, ShortArray, freeze
from unround.problem.model import Posets, Problem
from unround.solver.kernels.chains import tighten_chains

BLOCKS = 4
# Below this many reviews one block is faster: the sums of several would cost more than they save.
LEAST_FOR_BLOCKS = 200_000
# Reviews whose centres are fetched together: enough to hide the wait, few enough to stay in cache.
TOGETHER = 512


@dataclass(frozen=True)
class Scratch:
    """What a sweep writes while it works on a component; nothing in it lasts."""

    # For chains.
    target: FloatArray  # of all members whose centres are fetched together
    numbers: FloatArray  # five rows, one entry a member of a chain
    places: IntArray  # two rows
    # For posets, by edge and by node of their graphs.
    edge_places: IntArray  # two rows
    edge_numbers: FloatArray  # two rows
    node_places: IntArray  # four rows
    node_numbers: FloatArray  # four rows
    chosen: BoolArray  # one entry an edge

    @classmethod
    def enough_for(cls, longest: int, edges: int, nodes: int) -> Scratch:
        """Enough for chains with so many members and posets with such graphs."""
        return cls(
            np.empty(max(TOGETHER, longest)),
            np.empty((5, longest)),
            np.empty((2, longest + 1), dtype=np.int64),
            np.empty((2, edges), dtype=np.int64),
            np.empty((2, edges)),
            np.empty((4, nodes), dtype=np.int64),
            np.empty((4, nodes)),
            np.empty(edges, dtype=np.bool_),
        )


@dataclass(frozen=True)
class Layout:
    """One entry a review in sweep order, unless said otherwise."""

    review: IntArray  # the review at each place
    given: FloatArray
    paper: ShortArray
    lower: FloatArray  # tightened inside chains
    upper: FloatArray
    height: ShortArray  # level within the chain, worst = 0; chains only
    shift: FloatArray  # height * gap; chains only
    count: FloatArray  # reviews, one a paper
    chain_start: IntArray
    longest: int  # members of the longest chain
    poset_start: IntArray  # places
    pair_start: IntArray
    above: IntArray  # one a pair, counted within the poset
    below: IntArray
    gap: FloatArray
    chain_cuts: IntArray  # chains of each block
    poset_cuts: IntArray
    single_cuts: IntArray  # places

    @property
    def blocks(self) -> int:
        """How many blocks a sweep is cut into."""
        return int(self.chain_cuts.size) - 1

    @cached_property
    def scratch(self) -> list[Scratch]:
        """Working space, one a block, so that a sweep allocates nothing."""
        # A poset's graph has its pairs, two ends of each cell, and a ground beside its members.
        sizes = np.diff(self.poset_start)
        edges = int((np.diff(self.pair_start) + 2 * sizes).max(initial=0))
        nodes = int(sizes.max(initial=0)) + 1
        return [Scratch.enough_for(self.longest, edges, nodes) for _ in range(self.blocks)]


def lay_out(problem: Problem) -> Layout:
    """The problem in sweep order."""
    chains, posets = problem.chains, problem.posets
    single = np.ones(len(problem), dtype=np.bool_)
    single[chains.member] = single[posets.member] = False
    review = chains.member
    if review.size < len(problem):
        review = np.concatenate([chains.member, posets.member, np.flatnonzero(single)])
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
        given=problem.given[review],
        paper=problem.paper[review].astype(np.int32),
        lower=lower,
        upper=upper,
        height=height,
        shift=shift,
        count=problem.paper_count.astype(np.float64),
        chain_start=chains.start,
        longest=int(np.diff(chains.start).max(initial=0)),
        poset_start=first_poset + posets.start,
        pair_start=posets.pair_start,
        above=_places(posets, posets.above),
        below=_places(posets, posets.below),
        gap=posets.gap,
        chain_cuts=_cuts(0, chains.start.size - 1, blocks),
        poset_cuts=_cuts(0, posets.start.size - 1, blocks),
        single_cuts=_cuts(first_poset + posets.member.size, len(problem), blocks),
    )


def _cuts(first: int, last: int, blocks: int) -> IntArray:
    return np.linspace(first, last, blocks + 1).astype(np.int64)


def _places(posets: Posets, reviews: IntArray) -> IntArray:
    """Reviews of pairs, counted from the start of their poset."""
    components = posets.start.size - 1
    component = np.repeat(np.arange(components), np.diff(posets.pair_start))
    owner = np.repeat(np.arange(components), np.diff(posets.start))
    stride = int(posets.member.max(initial=0)) + 1
    place = np.searchsorted(owner * stride + posets.member, component * stride + reviews)
    return (place - posets.start[:-1][component]).astype(np.int64)
