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

from unround.arrays import FloatArray, IntArray, ShortArray, freeze, group_starts, stable_order


class Sendable:
    """Pickled by its fields alone, and made anew from them: frozen wherever it arrives."""

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
    gap: FloatArray  # one per pair; negative for "at most so far below"

    def __post_init__(self) -> None:
        freeze(self.start, self.member, self.pair_start, self.above, self.below, self.gap)

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


def _joined(first: IntArray, second: IntArray) -> IntArray:
    return np.concatenate([first, first[-1] + second[1:]])


def _products(
    left: IntArray, left_size: IntArray, right: IntArray, right_size: IntArray
) -> tuple[IntArray, IntArray]:
    """All pairs (l, r) of consecutive runs left[k] .. and right[k] .., run by run."""
    count = left_size * right_size
    run = np.repeat(np.arange(count.size), count)
    within = np.arange(run.size) - np.repeat(np.cumsum(count) - count, count)
    return left[run] + within // right_size[run], right[run] + within % right_size[run]
