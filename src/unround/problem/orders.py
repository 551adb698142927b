"""What one reviewer states about their papers: the transitive closure, its components, and its room.

A bit set is a Python integer: bit j of below[i] says that paper i stands above paper j. Unions and
differences of whole sets are single operations, so that thousands of papers need no matrices.

How much room an order needs is found by pushing bounds along its steps, from a lower to a higher node.
Levels have a hub between each two, above all papers of the one and below all of the other: one step per
paper and not one per pair.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import NamedTuple, TypeVar

import numpy as np

from unround.arrays import FloatArray, IntArray

Item = TypeVar("Item", bound=Hashable)
Pairs = Sequence[tuple[int, int]]
Step = tuple[int, int, int]  # from the lower node up to the higher one, and how many gaps it takes


@dataclass(frozen=True)
class Order:
    """A closed order without cycles. A paper's place comes after those of all papers below it."""

    below: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.below)

    def without(self, pairs: Sequence[int]) -> Order:
        """Return the order less some pairs; the rest must still be closed."""
        return Order(tuple(b & ~out for b, out in zip(self.below, pairs, strict=True)))

    def against(self, level: Sequence[int]) -> list[int]:
        """Return for each paper the set of papers below it that have a higher score."""
        higher, seen = dict[int, int](), 0
        for score in sorted(set(level), reverse=True):
            higher[score] = seen
            seen |= sum(1 << place for place, other in enumerate(level) if other == score)
        return [below & higher[score] for below, score in zip(self.below, level, strict=True)]

    def split(self, most: int) -> list[Component] | None:
        """Split into components of two or more papers; None with more than `most` covering pairs."""
        components: list[Component] = []
        for places in self._tied_together():
            levels = self._levels(places)
            pairs = self._covering_pairs(places, most) if levels is None else []
            most -= len(pairs)
            if most < 0:
                return None
            components.append(Component(places, levels, pairs))
        return components

    def _tied_together(self) -> list[int]:
        ties = [below | 1 << place for place, below in enumerate(self.below) if below]
        components: list[int] = []
        for tie in reversed(ties):
            apart = [component for component in components if not component & tie]
            for component in components:
                if component & tie:
                    tie |= component
            components = [*apart, tie]
        return components

    def _levels(self, component: int) -> list[int] | None:
        """Return the levels of a component, worst first, if each is wholly above the next."""
        together: dict[int, int] = {}
        for place in members(component):
            together[self.below[place]] = together.get(self.below[place], 0) | 1 << place
        lower, levels = 0, []
        for below in sorted(together, key=int.bit_count):
            if below != lower:
                return None
            levels.append(together[below])
            lower |= together[below]
        return levels

    def _covering_pairs(self, component: int, most: int) -> list[tuple[int, int]]:
        """Return the pairs (above, below) that follow from no others; stop when more than `most`."""
        pairs: list[tuple[int, int]] = []
        for place in members(component):
            left = self.below[place]
            while left:
                top = left.bit_length() - 1  # nothing else below `place` stands above it
                pairs.append((place, top))
                left &= ~(self.below[top] | 1 << top)
            if len(pairs) > most:
                break
        return pairs


@dataclass(frozen=True)
class Component:
    """Papers that comparisons tie together: in levels, or with their covering pairs."""

    places: int
    levels: list[int] | None  # worst first
    pairs: Pairs  # (above, below), those of lower places first; none for levels


@dataclass(frozen=True)
class ClosedOrder:
    """A closed order, the papers in its sequence, and the cycles that had to be left out of it."""

    order: Order
    sequence: IntArray  # the paper at each place of the order
    cycles: tuple[tuple[int, ...], ...]  # papers, ascending


def close(rank: FloatArray, above: Pairs, alike: Pairs) -> ClosedOrder:
    """Close the statements of one reviewer about their papers, by places in their list.

    rank   one per paper, smaller is better, NaN = unranked
    above  (better, worse)
    alike  papers that are about the same and so stand for each other
    """
    reach = _below_by_rank(rank)
    stated = list(reach)
    for better, worse in above:
        stated[better] |= 1 << worse
    for one, other in (*above, *alike, *((other, one) for one, other in alike)):
        _add(reach, one, other)
    # Papers that reach each other reach the same ones, themselves included.
    together: dict[int, list[int]] = {}
    for paper, reached in enumerate(reach):
        together.setdefault(reached | 1 << paper, []).append(paper)
    sequence: list[int] = []
    below: list[int] = []
    cycles: list[tuple[int, ...]] = []
    placed: list[tuple[int, int, int]] = []  # a paper, all that it reaches, and the places of those
    for reached in sorted(together, key=int.bit_count):  # worst first
        here = together[reached]
        inside = sum(1 << paper for paper in here)
        if any(stated[paper] & inside for paper in here):
            cycles.append(tuple(here))
        left, lower = reached & ~inside, 0
        for paper, others, places in reversed(placed):
            if not left:
                break
            if left & paper:
                left, lower = left & ~others, lower | places
        own = ((1 << len(here)) - 1) << len(sequence)
        placed.append((1 << here[0], reached, lower | own))
        sequence += here
        below += [lower] * len(here)
    return ClosedOrder(
        Order(tuple(below)), np.array(sequence, dtype=np.int64), tuple(sorted(cycles))
    )


def _below_by_rank(rank: FloatArray) -> list[int]:
    """Return for each paper the set of all papers of worse ranks."""
    below, worse = [0] * rank.size, 0
    ranked = np.flatnonzero(~np.isnan(rank))
    ordered = ranked[np.argsort(-rank[ranked], kind="stable")].tolist()
    for _, tied in groupby(ordered, key=rank.__getitem__):
        papers = list(tied)
        for paper in papers:
            below[paper] = worse
        worse |= sum(1 << paper for paper in papers)
    return below


def _add(reach: list[int], one: int, other: int) -> None:
    """Add to a closed relation that one item is above another, and all that follows."""
    gained = reach[other] | 1 << other
    if gained & ~reach[one]:
        for item, reached in enumerate(reach):
            if item == one or reached >> one & 1:
                reach[item] = reached | gained


def closure(pairs: Iterable[tuple[Item, Item]]) -> set[tuple[Item, Item]]:
    """Return the pairs (above, below) and all that follow from them; in a cycle, that is every pair.

    >>> sorted(closure([("a", "b"), ("b", "c")]))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    items, stated = _as_bit_sets(pairs)
    reach = [0] * len(items)
    for one, lower in enumerate(stated):
        for other in members(lower):
            _add(reach, one, other)
    return _as_pairs(items, reach)


def covering_pairs(closed: Iterable[tuple[Item, Item]]) -> set[tuple[Item, Item]]:
    """Return the fewest pairs from which a transitive relation follows.

    >>> sorted(covering_pairs({("a", "b"), ("a", "c"), ("b", "c")}))
    [('a', 'b'), ('b', 'c')]
    """
    items, below = _as_bit_sets(closed)
    implied = [0] * len(below)
    for place, lower in enumerate(below):
        for between in members(lower):
            implied[place] |= below[between]
    return _as_pairs(items, [one & ~far for one, far in zip(below, implied, strict=True)])


def _as_bit_sets(pairs: Iterable[tuple[Item, Item]]) -> tuple[list[Item], list[int]]:
    """Return the items of a relation, and for each the set of those below it."""
    stated = list(pairs)
    place = {item: number for number, item in enumerate(dict.fromkeys(chain(*stated)))}
    below = [0] * len(place)
    for one, other in stated:
        below[place[one]] |= 1 << place[other]
    return list(place), below


def _as_pairs(items: list[Item], below: list[int]) -> set[tuple[Item, Item]]:
    return {(items[one], items[two]) for one, lower in enumerate(below) for two in members(lower)}


def members(places: int) -> Iterator[int]:
    """Yield the places of a bit set in ascending order."""
    while places:
        lowest = places & -places
        yield lowest.bit_length() - 1
        places ^= lowest


@dataclass(frozen=True)
class Steps:
    """The steps of an order, lower ones first."""

    papers: int
    nodes: int  # papers, then hubs
    steps: Sequence[Step]

    def lowest(self, lower: FloatArray, gap: float) -> tuple[FloatArray, list[int], list[int]]:
        """Push lower bounds up; return them, one per paper, and where each comes from over how many gaps."""
        base = lower.tolist() + [-np.inf] * (self.nodes - self.papers)
        bound = list(base)
        # A bound is its start's plus so many gaps: rounded only once.
        start, gaps = list(range(self.nodes)), [0] * self.nodes
        for low, high, count in self.steps:
            pushed = base[start[low]] + (gaps[low] + count) * gap
            if pushed > bound[high]:
                bound[high], start[high], gaps[high] = pushed, start[low], gaps[low] + count
        return np.array(bound[: self.papers]), start, gaps


class TightestPath(NamedTuple):
    """The largest gap that fits, and the papers between which no larger one does."""

    gap: float
    best: int
    worst: int
    steps: int


def steps_of(papers: int, components: Sequence[Component]) -> Steps:
    """Return the steps of an order that has been split into components."""
    steps: list[Step] = []
    hub = papers
    for component in components:
        if component.levels is None:
            steps += [(low, high, 1) for high, low in component.pairs]
            continue
        for lower, higher in zip(component.levels, component.levels[1:], strict=False):
            steps += [(low, hub, 0) for low in members(lower)]
            steps += [(hub, high, 1) for high in members(higher)]
            hub += 1
    return Steps(papers, hub, steps)


def largest_gap(
    steps: Steps, lower: FloatArray, upper: FloatArray, gap: float, rounding: float
) -> TightestPath | None:
    """Return the largest gap that fits into the cells, None if `gap` does.

    Along a path of n gaps from paper j up to i a gap of (upper_i − lower_j)/n fits. The path that a
    gap breaks most gives a smaller one; the last of these is the smallest of all paths (Dinkelbach).
    """
    tightest = None
    while True:
        bound, start, gaps = steps.lowest(lower, gap if tightest is None else tightest.gap)
        tighter = [
            TightestPath((upper[i] - lower[start[i]]) / count, i, start[i], count)
            for i, count in enumerate(gaps[: steps.papers])
            if count and bound[i] - upper[i] > rounding * count
        ]
        if not tighter:
            return tightest
        tightest = min(tighter)
