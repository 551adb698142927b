"""Problem: the convex program as flat arrays. No ids, no files, no choice of solver.

    minimise  Σ_p Σ_{i on p} (y_i − ȳ_p)²  +  λ Σ_i (y_i − z_i)²
    subject to  lower_i ≤ y_i ≤ upper_i  and  y_above ≥ y_below + gap  for every comparison

Comparisons come in components: sets of reviews of one reviewer that are tied to each other
and to nothing else. A component whose order is "levels, each wholly above the next" is a
chain; any other is a poset.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from unround.arrays import (
    FloatArray,
    IntArray,
    ShortArray,
    freeze,
    group_starts,
    run_starts,
    stable_order,
)


class Sendable:
    """Pickled by its fields alone and built from them again, so that its arrays are read-only there too."""

    def __reduce__(self) -> tuple[type[Sendable], tuple[Any, ...]]:
        return type(self), tuple(getattr(self, each.name) for each in fields(self))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Chains(Sendable):
    """Components in levels. Members of a chain lie between two starts, by height, worst first."""

    start: IntArray  # one more than there are chains
    member: IntArray  # reviews
    height: ShortArray  # 0 = worst level of its chain; consecutive
    gap: FloatArray  # one per chain: smallest distance between neighbouring levels

    def __post_init__(self) -> None:
        freeze(self.start, self.member, self.height, self.gap)

    def comparisons(self) -> Comparisons:
        """Every pair of reviews at neighbouring heights of a chain."""
        sizes = np.diff(self.start)
        chain = np.repeat(np.arange(sizes.size), sizes)
        opens = np.ones(self.member.size, dtype=np.bool_)
        opens[1:] = (chain[1:] != chain[:-1]) | (self.height[1:] != self.height[:-1])
        first = np.flatnonzero(opens)
        level_size = np.diff(np.append(first, self.member.size))
        lower = np.flatnonzero(chain[first[1:]] == chain[first[:-1]])
        below, above = _products(
            first[lower], level_size[lower], first[lower + 1], level_size[lower + 1]
        )
        pair_start = group_starts(chain[below], sizes.size)
        gap = self.gap[chain[below]]
        return Comparisons(
            self.start, self.member, pair_start, self.member[above], self.member[below], gap
        )


@dataclass(frozen=True)
class Posets(Sendable):
    """Components of any other shape, by their covering pairs."""

    start: IntArray
    member: IntArray
    pair_start: IntArray
    above: IntArray  # reviews
    below: IntArray
    gap: FloatArray  # one per pair

    def __post_init__(self) -> None:
        freeze(self.start, self.member, self.pair_start, self.above, self.below, self.gap)

    @cached_property
    def pair_places(self) -> tuple[IntArray, IntArray]:
        """Above and below as places among the members of their poset."""
        numbers = np.arange(self.start.size - 1)
        component = np.repeat(numbers, np.diff(self.pair_start))
        owner = np.repeat(numbers, np.diff(self.start))
        stride = int(self.member.max(initial=0)) + 1
        keys, first = owner * stride + self.member, self.start[:-1][component]
        above, below = (
            np.searchsorted(keys, component * stride + side) - first
            for side in (self.above, self.below)
        )
        return above, below

    @classmethod
    def none(cls) -> Posets:
        """No components."""
        start, none = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
        return cls(start, none, start, none, none, np.zeros(0))


class Comparisons(NamedTuple):
    """All components, each with its members and its pairs."""

    start: IntArray
    member: IntArray
    pair_start: IntArray
    above: IntArray
    below: IntArray
    gap: FloatArray


@dataclass(frozen=True)
class Openings(Sendable):
    """Cells as they were before they were opened, for all papers of the orders that needed it."""

    review: IntArray  # ascending
    lower: FloatArray
    upper: FloatArray

    def __post_init__(self) -> None:
        freeze(self.review, self.lower, self.upper)

    @classmethod
    def none(cls) -> Openings:
        """No cell was opened."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))


@dataclass(frozen=True)
class Problem(Sendable):
    """The whole program but for λ."""

    given: FloatArray
    lower: FloatArray
    upper: FloatArray
    paper: IntArray
    papers: int
    chains: Chains
    posets: Posets
    openings: Openings = field(default_factory=Openings.none)

    def __post_init__(self) -> None:
        freeze(self.given, self.lower, self.upper, self.paper)

    def __len__(self) -> int:
        return int(self.given.size)

    @cached_property
    def paper_count(self) -> IntArray:
        """The number of reviews of each paper."""
        return np.bincount(self.paper, minlength=self.papers)

    @cached_property
    def by_paper(self) -> ShortArray:
        """Reviews sorted by paper."""
        return stable_order(self.paper)

    @cached_property
    def paper_start(self) -> IntArray:
        """Where each paper starts in `by_paper`."""
        return np.concatenate([[0], np.cumsum(self.paper_count)])

    @property
    def singles(self) -> IntArray:
        """The reviews in no comparison, ascending."""
        single = np.ones(len(self), dtype=np.bool_)
        single[self.chains.member] = single[self.posets.member] = False
        return np.flatnonzero(single)

    @cached_property
    def comparisons(self) -> Comparisons:
        """Every covering pair of every component, chains first."""
        chains, posets = self.chains.comparisons(), self.posets
        return Comparisons(
            start=_joined(chains.start, posets.start),
            member=np.concatenate([chains.member, posets.member]),
            pair_start=_joined(chains.pair_start, posets.pair_start),
            above=np.concatenate([chains.above, posets.above]),
            below=np.concatenate([chains.below, posets.below]),
            gap=np.concatenate([chains.gap, posets.gap]),
        )


class Part(NamedTuple):
    """Some components and single reviews of a problem, with reviews and papers numbered anew."""

    problem: Problem
    review: IntArray  # of the whole problem, one per review here
    paper: IntArray  # of the whole problem, one per paper here


def part_of(whole: Problem, chains: IntArray, posets: IntArray, singles: IntArray) -> Part:
    """Return the problem of some chains, posets and single reviews; one named twice is there twice."""
    chain_start, chained = chosen_runs(whole.chains.start, chains)
    poset_start, tied = chosen_runs(whole.posets.start, posets)
    pair_start, pairs = chosen_runs(whole.posets.pair_start, posets)
    review = np.concatenate([whole.chains.member[chained], whole.posets.member[tied], singles])
    paper, numbered = np.unique(whole.paper[review], return_inverse=True)
    begin = np.repeat(chained.size + poset_start[:-1], np.diff(pair_start))
    above, below = (begin + place[pairs] for place in whole.posets.pair_places)
    problem = Problem(
        given=whole.given[review],
        lower=whole.lower[review],
        upper=whole.upper[review],
        paper=numbered.astype(np.int64),
        papers=int(paper.size),
        chains=Chains(
            chain_start,
            np.arange(chained.size),
            whole.chains.height[chained],
            whole.chains.gap[chains],
        ),
        posets=Posets(
            poset_start,
            chained.size + np.arange(tied.size),
            pair_start,
            above,
            below,
            whole.posets.gap[pairs],
        ),
    )
    return Part(problem, review, paper)


def chosen_runs(start: IntArray, chosen: IntArray) -> tuple[IntArray, IntArray]:
    """Return where chosen runs of consecutive items start, one after the other, and their items."""
    sizes = np.diff(start)[chosen]
    begin = np.concatenate([[0], np.cumsum(sizes)])
    return begin, np.arange(begin[-1]) + np.repeat(start[:-1][chosen] - begin[:-1], sizes)


def _joined(first: IntArray, second: IntArray) -> IntArray:
    return np.concatenate([first, first[-1] + second[1:]])


def _products(
    left: IntArray, left_size: IntArray, right: IntArray, right_size: IntArray
) -> tuple[IntArray, IntArray]:
    """Return all pairs (l, r), for each k with l in left[k] .. and r in right[k] .., of these sizes."""
    count = left_size * right_size
    run = np.repeat(np.arange(count.size), count)
    within = np.arange(run.size) - np.repeat(np.cumsum(count) - count, count)
    return left[run] + within // right_size[run], right[run] + within % right_size[run]


@dataclass
class ComponentBuilder:
    """Components gathered so far. A component is named by its first review."""

    # Columns: name, review, height.
    chain_members: list[tuple[IntArray, ...]] = field(default_factory=list)
    chain_gaps: list[FloatArray] = field(default_factory=list)
    # Columns: name, review; and name, above, below.
    poset_members: list[tuple[IntArray, ...]] = field(default_factory=list)
    poset_pairs: list[tuple[IntArray, ...]] = field(default_factory=list)
    poset_gaps: list[FloatArray] = field(default_factory=list)

    def add_chains(self, name: IntArray, member: IntArray, height: IntArray, gap: float) -> None:
        """Add members of chains with their heights, 0 = worst."""
        self.chain_members.append((name, member, height))
        self.chain_gaps.append(np.full(member.size, gap))

    def add_posets(self, name: IntArray, member: IntArray) -> None:
        """Add members of posets."""
        self.poset_members.append((name, member))

    def add_pairs(self, name: IntArray, above: IntArray, below: IntArray, gap: float) -> None:
        """Add comparisons of posets."""
        self.poset_pairs.append((name, above, below))
        self.poset_gaps.append(np.full(above.size, gap))

    def chains(self) -> Chains:
        """Return all chains."""
        name, member, height = _columns(self.chain_members, 3)
        self.chain_members.clear()
        gap = np.concatenate([np.zeros(0), *self.chain_gaps])
        key = name * (int(height.max(initial=0)) + 1) + height
        # Rank lists come in this order: they need no sorting, which would copy them.
        if not np.all((key[1:] > key[:-1]) | ((key[1:] == key[:-1]) & (member[1:] > member[:-1]))):
            order = np.lexsort((member, key))
            name, member, height, gap = name[order], member[order], height[order], gap[order]
        first = run_starts(name)
        start = np.append(first, name.size)
        return Chains(start, member, height.astype(np.int32), gap[first])

    def posets(self) -> Posets:
        """Return all posets."""
        if not self.poset_members:
            return Posets.none()
        name, member = _columns(self.poset_members, 2)
        order = np.lexsort((member, name))
        first = run_starts(name[order])
        names, start = name[order][first], np.append(first, name.size)
        owner, above, below = _columns(self.poset_pairs, 3)
        gap = np.concatenate([np.zeros(0), *self.poset_gaps])
        sequence = np.lexsort((below, above, owner))
        pair_start = group_starts(np.searchsorted(names, owner[sequence]), names.size)
        return Posets(
            start, member[order], pair_start, above[sequence], below[sequence], gap[sequence]
        )


def _columns(parts: list[tuple[IntArray, ...]], rows: int) -> list[IntArray]:
    """Return the columns of all parts, joined; those of a single part as they are."""
    if len(parts) == 1:
        return list(parts[0])
    none = np.zeros(0, dtype=np.int64)
    return [np.concatenate([none, *(part[row] for part in parts)]) for row in range(rows)]
