"""Aggregation of partial rankings as in Ailon (2010): LP-KwikSort for the generalized Kemeny cost.

A ranking costs one for every reviewer and pair that it reverses; pairs that a reviewer ties or has not
read cost nothing. The linear program over fractional orders is solved with triangle constraints added as
they are violated, and rounded by sorting around random pivots.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, vstack

from unround.arrays import FloatArray, IntArray
from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate

from .evidence import Evidence, judging_papers

ROUNDINGS = 40
SEED = 2_010
VIOLATED = 1e-6
MOST_AT_ONCE = 20_000  # constraints that are added in one round


@method("ailon", "LP-KwikSort (Ailon 2010)")
def _ailon(case: Case) -> Estimate:
    return judging_papers(case, aggregate)


def aggregate(evidence: Evidence) -> FloatArray:
    """Return minus the mean place of each paper over the cheapest of the rounded orders."""
    above = preferences(evidence)
    fraction = fractional_order(above).before
    random = np.random.default_rng(SEED)
    orders = [kwik_sort(fraction, np.arange(evidence.papers), random) for _ in range(ROUNDINGS)]
    costs = np.array([kemeny_cost(above, order) for order in orders])
    places = [
        np.argsort(order) for order, cost in zip(orders, costs, strict=True) if cost == costs.min()
    ]
    mean: FloatArray = np.mean(places, axis=0)
    return -mean


def preferences(evidence: Evidence) -> FloatArray:
    """Count reviewers who put the row above the column: by score, and by rank among equal scores."""
    counts = np.zeros((evidence.papers, evidence.papers))
    for mine in evidence.by_reviewer:
        score, rank = evidence.given[mine], evidence.rank_or_last[mine]
        over = score[:, None] > score
        over |= (score[:, None] == score) & (rank[:, None] < rank)
        counts[np.ix_(evidence.paper[mine], evidence.paper[mine])] += over
    return counts


def kemeny_cost(above: FloatArray, order: IntArray) -> float:
    """Return how many stated pairs an order, best first, reverses."""
    return float(np.triu(above.T[np.ix_(order, order)], 1).sum())


@dataclass(frozen=True)
class FractionalOrder:
    """The optimum of the linear program: a bound on every order's cost."""

    before: FloatArray  # how far the row stands before the column, 0 to 1
    cost: float


def fractional_order(above: FloatArray) -> FractionalOrder:
    """Solve the linear program: before[u,v] + before[v,w] + before[w,u] lies between 1 and 2."""
    papers = above.shape[0]
    first, second = np.triu_indices(papers, 1)
    number = np.zeros((papers, papers), dtype=np.int64)
    number[first, second] = np.arange(first.size)
    program: dict[str, Any] = {
        "c": above[second, first] - above[first, second],
        "bounds": (0.0, 1.0),
    }
    rows, limits = csr_array((0, first.size)), np.zeros(0)
    while True:
        if limits.size:
            program |= {"A_ub": rows, "b_ub": limits}
        found = linprog(**program)
        before = np.zeros((papers, papers))
        before[first, second] = found.x
        before[second, first] = 1.0 - found.x
        more, bounds = _violated(before, number)
        if not bounds.size:
            return FractionalOrder(before, float(found.fun + above[first, second].sum()))
        rows, limits = vstack([rows, more]).tocsr(), np.concatenate([limits, bounds])


def _violated(before: FloatArray, number: IntArray) -> tuple[csr_array, FloatArray]:
    """Return the most violated triangles u < v < w as rows: x_uv + x_vw − x_uw in [0, 1]."""
    papers = before.shape[0]
    found = [np.zeros((0, 5))]
    for u in range(papers - 2):
        v, w = np.triu_indices(papers - u - 1, 1)
        v, w = v + u + 1, w + u + 1
        value = before[u, v] + before[v, w] - before[u, w]
        excess = np.maximum(value - 1.0, -value)
        bad = np.flatnonzero(excess > VIOLATED)
        side = np.where(value > 1.0, 1.0, -1.0)
        rows = (number[u, v], number[v, w], number[u, w], side, excess)
        found.append(np.stack([part[bad] for part in rows], axis=1).astype(np.float64))
    table = np.concatenate(found)
    table = table[np.argsort(-table[:, 4], kind="stable")[:MOST_AT_ONCE]]
    sign, columns = table[:, 3], table[:, :3].astype(np.int64)
    values = np.stack([sign, sign, -sign], axis=1).reshape(-1)
    start = np.arange(0, 3 * sign.size + 1, 3)
    shape = (sign.size, papers * (papers - 1) // 2)
    return csr_array((values, columns.reshape(-1), start), shape=shape), np.maximum(sign, 0.0)


def kwik_sort(before: FloatArray, papers: IntArray, random: np.random.Generator) -> IntArray:
    """Sort around random pivots; a paper goes before the pivot with its fractional probability."""
    if papers.size <= 1:
        return papers
    pivot = papers[random.integers(papers.size)]
    others = papers[papers != pivot]
    ahead = random.random(others.size) < before[others, pivot]
    return np.concatenate(
        [
            kwik_sort(before, others[ahead], random),
            [pivot],
            kwik_sort(before, others[~ahead], random),
        ]
    )
