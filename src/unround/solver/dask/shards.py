"""Shards: a problem cut into smaller ones that share papers but no comparison.

A sweep of the whole problem is a sweep of every shard, with the sums of each paper added up.
How a problem is cut follows from the problem alone: the same bits on any number of workers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.problem.model import Chains, Posets, Problem
from unround.solver.local import Solver

# More reviews than this in a shard, and its sweep costs much more than asking for it.
REVIEWS_A_SHARD = 200_000
# Small problems are cut too, so that several workers share them.
LEAST_SHARDS = 4


@dataclass
class Shard:
    """Some components of a problem, with their papers numbered anew.

    What it keeps of the last sweep saves work and changes no answer.
    """

    problem: Problem
    paper: IntArray  # each paper's number in the whole problem
    _swept: str = ""  # the name of the last sweep
    # After a loss a sweep is asked for anew while the old request may still run in another thread.
    _one_at_a_time: Lock = field(default_factory=Lock, repr=False, compare=False)

    @cached_property
    def solver(self) -> Solver:
        """The shard made ready for sweeps, once, where it lies."""
        return Solver(self.problem)

    def sums(self, centres: FloatArray, weight: float, sweep: str) -> FloatArray:
        """One sweep from the centres of the whole problem: the sum of scores, one per paper here."""
        with self._one_at_a_time:
            return self._sweep(centres, weight, sweep)

    def scores(self, centres: FloatArray, weight: float, sweep: str) -> FloatArray:
        """The scores of that sweep, one per review here; swept again if it was done elsewhere."""
        with self._one_at_a_time:
            if self._swept != sweep:
                self._sweep(centres, weight, sweep)
            return self.solver.scores()

    def _sweep(self, centres: FloatArray, weight: float, sweep: str) -> FloatArray:
        sums: FloatArray = self.solver.block_sums(centres[self.paper], weight).sum(axis=0)
        self._swept = sweep
        return sums

    def __reduce__(self) -> tuple[type[Shard], tuple[Problem, IntArray]]:
        return Shard, (self.problem, self.paper)


class Cuts:
    """Where a problem is cut."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        wanted = max(LEAST_SHARDS, -(-len(problem) // REVIEWS_A_SHARD))
        self.count = min(wanted, max(1, len(problem)))
        single = np.ones(len(problem), dtype=np.bool_)
        single[problem.chains.member] = single[problem.posets.member] = False
        self._singles = np.flatnonzero(single)

    def reviews(self, number: int) -> IntArray:
        """The reviews of a shard, in its order: of chains, of posets, then single ones."""
        single = self._singles[self._span(self._singles.size, number)]
        chains, posets = self._components(number)
        chained = _members(self._problem.chains, chains)
        return np.concatenate([chained, _members(self._problem.posets, posets), single])

    def shard(self, number: int) -> Shard:
        """One of the shards."""
        whole, review = self._problem, self.reviews(number)
        chains, posets = self._components(number)
        paper, renumbered = np.unique(whole.paper[review], return_inverse=True)
        problem = Problem(
            given=whole.given[review],
            lower=whole.lower[review],
            upper=whole.upper[review],
            paper=renumbered.astype(np.int64),
            papers=int(paper.size),
            chains=_cut_chains(whole.chains, chains),
            posets=_cut_posets(whole.posets, posets, _members(whole.chains, chains).size),
        )
        return Shard(problem, paper)

    def _components(self, number: int) -> tuple[slice, slice]:
        chains, posets = self._problem.chains, self._problem.posets
        return self._span(chains.start.size - 1, number), self._span(posets.start.size - 1, number)

    def _span(self, things: int, number: int) -> slice:
        return slice(things * number // self.count, things * (number + 1) // self.count)


def _members(components: Chains | Posets, span: slice) -> IntArray:
    return components.member[components.start[span.start] : components.start[span.stop]]


def _starts(start: IntArray, span: slice) -> IntArray:
    starts: IntArray = start[span.start : span.stop + 1] - start[span.start]
    return starts


def _cut_chains(whole: Chains, span: slice) -> Chains:
    """Some chains; their members come first in a shard, in the order they have here."""
    members = slice(whole.start[span.start], whole.start[span.stop])
    return Chains(
        start=_starts(whole.start, span),
        member=np.arange(members.stop - members.start, dtype=np.int64),
        height=whole.height[members].copy(),
        gap=whole.gap[span].copy(),
    )


def _cut_posets(whole: Posets, span: slice, first: int) -> Posets:
    """Some posets; their members follow those of the chains, from `first` on."""
    member = _members(whole, span)
    pairs = slice(whole.pair_start[span.start], whole.pair_start[span.stop])
    order = np.argsort(member)

    def renumbered(reviews: IntArray) -> IntArray:
        place = np.searchsorted(member, reviews, sorter=order)
        return (first + order[place]).astype(np.int64)

    return Posets(
        start=_starts(whole.start, span),
        member=np.arange(first, first + member.size, dtype=np.int64),
        pair_start=_starts(whole.pair_start, span),
        above=renumbered(whole.above[pairs]),
        below=renumbered(whole.below[pairs]),
        gap=whole.gap[pairs].copy(),
    )
