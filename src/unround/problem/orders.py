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
from itertools import chain
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
class ReviewerStatements:
    """One reviewer's statements, between places in their list of papers."""

    rank: FloatArray  # one per paper, smaller is better, NaN = unranked
    above: Pairs  # (better, worse)
    alike: Pairs


@dataclass(frozen=True)
class ClosedOrder:
    """A closed order, the papers in its sequence, and the cycles that had to be left out of it."""

    order: Order
    sequence: IntArray  # the paper at each place of the order
    cycles: tuple[tuple[int, ...], ...]  # papers, ascending


def close(stated: ReviewerStatements) -> ClosedOrder:
    """Close the statements; papers that are about the same stand for each other."""
    papers = stated.rank.size
    owner = _classes(papers, stated.alike)
    successors = _graph(stated, owner)
    strong = strong_components(successors)
    component = {node: number for number, nodes in enumerate(strong) for node in nodes}
    holds: list[list[int]] = [[] for _ in successors]
    for paper, node in enumerate(owner):
        holds[node].append(paper)
    sequence: list[int] = []
    below: list[int] = []
    cycles = []
    under, own = [0] * len(strong), [0] * len(strong)
    for number, nodes in enumerate(strong):  # worst first
        here = sorted(paper for node in nodes for paper in holds[node])
        after = {component[lower] for node in nodes for lower in successors[node]}
        if number in after:
            cycles.append(tuple(here))
        for other in after - {number}:
            under[number] |= under[other] | own[other]
        own[number] = ((1 << len(here)) - 1) << len(sequence)
        sequence += here
        below += [under[number]] * len(here)
    return ClosedOrder(
        Order(tuple(below)), np.array(sequence, dtype=np.int64), tuple(sorted(cycles))
    )


def _classes(papers: int, alike: Pairs) -> list[int]:
    """Return for each paper the first one of those that are about the same, directly or not."""
    owner = list(range(papers))

    def first(paper: int) -> int:
        while owner[paper] != paper:
            paper = owner[paper]
        return paper

    for one, other in alike:
        low, high = sorted((first(one), first(other)))
        owner[high] = low
    return [first(paper) for paper in range(papers)]


def _graph(stated: ReviewerStatements, owner: list[int]) -> list[list[int]]:
    """Return what stands directly below each node: classes of papers, and a hub between two ranks.

    A hub stands below all papers of one rank and above all of the next, so that ranks with many
    papers need one edge for each paper and not one for each pair.
    """
    successors: list[list[int]] = [[] for _ in owner]
    for better, worse in stated.above:
        successors[owner[better]].append(owner[worse])
    ranked = np.flatnonzero(~np.isnan(stated.rank))
    ranks, level = np.unique(stated.rank[ranked], return_inverse=True)
    hubs = len(successors)
    successors += [[] for _ in range(ranks.size - 1)]
    for paper, rank in zip(ranked.tolist(), level.tolist(), strict=True):
        if rank < ranks.size - 1:
            successors[owner[paper]].append(hubs + rank)
        if rank > 0:
            successors[hubs + rank - 1].append(owner[paper])
    return successors


def strong_components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the strongly connected components, each after all that can be reached from it (Tarjan)."""
    count = 0
    number = [-1] * len(successors)
    lowest = [0] * len(successors)
    waiting: list[int] = []
    pending = [False] * len(successors)
    components = []
    for root in range(len(successors)):
        if number[root] >= 0:
            continue
        path: list[tuple[int, Iterator[int]]] = [(root, iter(successors[root]))]
        while path:
            node, following = path[-1]
            if number[node] < 0:
                number[node] = lowest[node] = count
                count += 1
                waiting.append(node)
                pending[node] = True
            for other in following:
                if number[other] < 0:
                    path.append((other, iter(successors[other])))
                    break
                if pending[other]:
                    lowest[node] = min(lowest[node], number[other])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    component: list[int] = []
                    while not component or component[-1] != node:
                        component.append(waiting.pop())
                        pending[component[-1]] = False
                    components.append(component)
    return components


def closure(pairs: Iterable[tuple[Item, Item]]) -> set[tuple[Item, Item]]:
    """Return the pairs (above, below) and all that follow from them; in a cycle, that is every pair.

    >>> sorted(closure([("a", "b"), ("b", "c")]))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    items, below = _as_bit_sets(pairs)
    for middle in range(len(below)):  # Warshall: paths through `middle`
        for place, reached in enumerate(below):
            if reached >> middle & 1:
                below[place] |= below[middle]
    return _as_pairs(items, below)


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

    def lowest(self, lower: FloatArray, gap: float) -> PushedBounds:
        """Push lower bounds up through the order."""
        base = lower.tolist() + [-np.inf] * (self.nodes - self.papers)
        bound = list(base)
        # A bound is its start's plus so many gaps: rounded only once.
        start, gaps = list(range(self.nodes)), [0] * self.nodes
        for low, high, count in self.steps:
            pushed = base[start[low]] + (gaps[low] + count) * gap
            if pushed > bound[high]:
                bound[high], start[high], gaps[high] = pushed, start[low], gaps[low] + count
        return PushedBounds(np.array(bound[: self.papers]), start, gaps)


class PushedBounds(NamedTuple):
    """Bounds, and where each comes from over how many gaps."""

    bound: FloatArray  # one per paper
    start: list[int]
    gaps: list[int]


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
        pushed = steps.lowest(lower, gap if tightest is None else tightest.gap)
        tighter = [
            TightestPath((upper[i] - lower[pushed.start[i]]) / count, i, pushed.start[i], count)
            for i, count in enumerate(pushed.gaps[: steps.papers])
            if count and pushed.bound[i] - upper[i] > rounding * count
        ]
        if not tighter:
            return tightest
        tightest = min(tighter)
