"""How much room an order needs: bounds pushed along its steps, and the largest gap that fits.

An order is a graph of steps from a lower to a higher node. Levels have a hub between each two, above
all papers of the one and below all of the other: one step per paper and not one per pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from unround.arrays import FloatArray
from unround.problem.order import Component, Pairs, members

Step = tuple[int, int, int]  # from the lower node up to the higher one, and how many gaps it takes


@dataclass(frozen=True)
class Steps:
    """The steps of an order, lower ones first, and pairs that may lie at most `within` apart."""

    papers: int
    nodes: int  # papers, then hubs
    steps: Sequence[Step]
    alike: Pairs = ()
    within: float = 0.0

    def lowest(self, lower: FloatArray, gap: float) -> Pushed:
        """Push lower bounds up through the order."""
        base = lower.tolist() + [-np.inf] * (self.nodes - self.papers)
        bound = list(base)
        # A bound is its start's plus so many gaps less so many times `within`: rounded only once.
        start, gaps, spans = list(range(self.nodes)), [0] * self.nodes, [0] * self.nodes
        moves = [(low, high, count, 0) for low, high, count in self.steps]
        moves += [(low, high, 0, 1) for pair in self.alike for low, high in (pair, pair[::-1])]
        changed = True
        while changed:
            changed = False
            for low, high, count, span in moves:
                many, apart = gaps[low] + count, spans[low] + span
                pushed = base[start[low]] + (many * gap - apart * self.within)
                if pushed > bound[high]:
                    bound[high], start[high], gaps[high], spans[high] = (
                        pushed,
                        start[low],
                        many,
                        apart,
                    )
                    changed = bool(
                        self.alike
                    )  # without them, lower steps come first: one pass does
        return Pushed(np.array(bound[: self.papers]), start, gaps)

    def highest(self, upper: FloatArray, gap: float) -> FloatArray:
        """Push upper bounds down through the order."""
        turned = [(high, low, gaps) for low, high, gaps in reversed(self.steps)]
        mirror = Steps(self.papers, self.nodes, turned, self.alike, self.within)
        return -mirror.lowest(-upper, gap).bound


class Pushed(NamedTuple):
    """Bounds, and where each comes from over how many gaps."""

    bound: FloatArray  # one per paper
    start: list[int]
    gaps: list[int]


class Tightest(NamedTuple):
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
) -> Tightest | None:
    """Return the largest gap that fits into the cells, None if `gap` does.

    Along a path of n gaps from paper j up to i a gap of (upper_i − lower_j)/n fits. The path that a
    gap breaks most gives a smaller one; the last of these is the smallest of all paths (Dinkelbach).
    """
    tightest = None
    while True:
        pushed = steps.lowest(lower, gap if tightest is None else tightest.gap)
        tighter = [
            Tightest((upper[i] - lower[pushed.start[i]]) / count, i, pushed.start[i], count)
            for i, count in enumerate(pushed.gaps[: steps.papers])
            if count and pushed.bound[i] - upper[i] > rounding * count
        ]
        if not tighter:
            return tightest
        tightest = min(tighter)
