"""Mallows-Binomial: binomial scores and Mallows rankings around one order of all papers.

Lost points ~ Binomial(levels − 1, p_j); a ranking has probability exp(−θ · reversed pairs) / ψ, where the
central order is that of p. For a fixed order p is an isotonic fit and θ a search in one dimension;
orders are searched exactly (A*) on small panels, greedily and by neighbour swaps on large ones.
Pearce and Erosheva's model.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.optimize import isotonic_regression, minimize_scalar
from scipy.special import xlogy

from unround.arrays import FloatArray, IntArray
from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate

from .evidence import Evidence, judging_papers

MOST_EXACT = 10  # papers up to which all orders are searched
MOST_THETA = 40.0


@method("mallows-binomial", "Mallows-Binomial")
def _mallows_binomial(case: Case) -> Estimate:
    return judging_papers(case, lambda evidence: -np.argsort(fit(evidence).order).astype(float))


@dataclass(frozen=True)
class Fit:
    """The most probable order, best paper first, with its parameters."""

    order: IntArray
    chance: FloatArray  # p of each paper: a smaller one is better
    theta: float
    cost: float  # negative log likelihood, up to binomial coefficients


def fit(evidence: Evidence) -> Fit:
    """Maximize the likelihood."""
    costs = Costs(evidence)
    exact = evidence.papers <= MOST_EXACT
    order = search(costs) if exact else swap_neighbours(costs, greedy(costs))
    reversed_pairs = costs.reversed_pairs(order)
    theta, cost = costs.scale(reversed_pairs)
    chance = np.empty(evidence.papers)
    chance[order] = costs.chances(order)
    return Fit(np.array(order), chance, theta, cost + costs.binomial(order))


class Costs:
    """The negative log likelihood of orders, whole or begun."""

    def __init__(self, evidence: Evidence) -> None:
        points = evidence.levels - 1
        self.papers = evidence.papers
        self.lost = np.bincount(
            evidence.paper, points - evidence.level, minlength=evidence.papers
        ).astype(np.float64)
        self.points = points * evidence.per_paper.astype(np.float64)
        self.by_mean = np.argsort(self.lost / self.points, kind="stable").tolist()
        self.preferences = evidence.preferences
        self.shapes = [tuple(group.size for group in ballot) for ballot in evidence.ballots]
        self.scale = cache(self._scale)

    def reversed_pairs(self, order: Sequence[int]) -> float:
        """Return how many stated pairs an order reverses."""
        # Row above column in the order: what the data say against it is the transpose.
        against = self.preferences.T[np.ix_(order, order)]
        return float(np.triu(against, 1).sum())

    def _scale(self, reversed_pairs: float) -> tuple[float, float]:
        """Return the best θ for so many reversed pairs, and the cost of the rankings with it."""

        def cost(theta: float) -> float:
            return theta * reversed_pairs + sum(log_psi(theta, shape) for shape in self.shapes)

        found = minimize_scalar(cost, bounds=(1e-9, MOST_THETA), method="bounded")
        return float(found.x), float(found.fun)

    def chances(self, order: Sequence[int]) -> FloatArray:
        """Return p along an order: binomial chances that do not decrease."""
        where = list(order)
        fitted = isotonic_regression(
            self.lost[where] / self.points[where], weights=self.points[where]
        )
        chances: FloatArray = fitted.x
        return chances

    def binomial(self, order: Sequence[int]) -> float:
        """Return the cost of the scores along an order."""
        where, chance = list(order), self.chances(order)
        lost, points = self.lost[where], self.points[where]
        return float(-(xlogy(lost, chance) + xlogy(points - lost, 1.0 - chance)).sum())

    def bound(self, begun: Sequence[int]) -> float:
        """Return a cost that no completion of a begun order can beat."""
        left = self.left(begun)
        inside = self.preferences[np.ix_(left, left)]
        unavoidable = float(np.minimum(inside, inside.T).sum()) / 2.0
        against = float(self.preferences[np.ix_(left, list(begun))].sum())
        pairs = self.reversed_pairs(begun) + against + unavoidable
        return self.scale(pairs)[1] + self.binomial([*begun, *left])

    def left(self, begun: Sequence[int]) -> list[int]:
        """Return the papers that are not in a begun order, as scores alone would put them."""
        placed = set(begun)
        return [paper for paper in self.by_mean if paper not in placed]


def search(costs: Costs) -> list[int]:
    """Return the best order of all (A*): the cheapest beginnings are completed first."""
    heap: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    while True:
        _, begun = heapq.heappop(heap)
        if len(begun) == costs.papers:
            return list(begun)
        for paper in set(range(costs.papers)) - set(begun):
            longer = (*begun, paper)
            heapq.heappush(heap, (costs.bound(longer), longer))


def greedy(costs: Costs) -> list[int]:
    """Return an order made paper by paper, each the cheapest by its bound."""
    order: list[int] = []
    least = np.minimum(costs.preferences, costs.preferences.T)
    settled = 0.0  # pairs that the begun order reverses, whatever follows
    while len(order) < costs.papers:
        left = costs.left(order)
        against = costs.preferences[np.ix_(left, left)].sum(axis=0)
        inside = least[np.ix_(left, left)]
        pairs = settled + against + inside.sum() / 2.0 - inside.sum(axis=0)
        bounds = [
            costs.scale(float(pairs[place]))[1]
            + costs.binomial([*order, paper, *left[:place], *left[place + 1 :]])
            for place, paper in enumerate(left)
        ]
        best = int(np.argmin(bounds))
        settled += float(against[best])
        order.append(left[best])
    return order


def swap_neighbours(costs: Costs, order: list[int]) -> list[int]:
    """Swap neighbours in an order for as long as that makes it cheaper."""
    order, pairs = list(order), costs.reversed_pairs(order)
    best, improved = costs.scale(pairs)[1] + costs.binomial(order), True
    while improved:
        improved = False
        for place in range(len(order) - 1):
            first, second = order[place : place + 2]
            swapped = [*order[:place], second, first, *order[place + 2 :]]
            change = costs.preferences[first, second] - costs.preferences[second, first]
            cost = costs.scale(pairs + float(change))[1] + costs.binomial(swapped)
            if cost < best - 1e-12:
                order, pairs, best, improved = swapped, pairs + float(change), cost, True
    return order


def log_psi(theta: float, groups: tuple[int, ...]) -> float:
    """Return the log of the normalizer of rankings with groups of these sizes.

    The sum of exp(−θ · reversed pairs) over all such rankings is a Gaussian multinomial coefficient.
    """
    return _log_factorial(theta, sum(groups)) - sum(_log_factorial(theta, g) for g in groups)


def _log_factorial(theta: float, size: int) -> float:
    steps = np.arange(1, size + 1)
    return float(np.log(np.expm1(-theta * steps) / np.expm1(-theta)).sum())
