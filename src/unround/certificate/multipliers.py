"""Multipliers of the constraints that given scores touch: non-negative least squares, by component.

Lawson and Hanson's method. The columns are comparisons, +1 at the review above and -1 at the one
below; a cell's end is a comparison with a ground node. Chosen columns always form a forest, where
least squares has a closed form: a tree with the ground in it leaves no residual, any other leaves
its mean, and the multipliers follow leaf by leaf.

Whatever comes out is non-negative, which is all that the certificate relies on.

The walks over trees look like those of solver/kernels/posets.py, and are written twice on purpose:
the certificate must not lean on the solver that it judges, so they share no code.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.problem.model import Comparisons

ROUNDING = 1e-15
# Rounds that come no closer after which only rounding is left to fit.
PATIENCE = 25


class Touched(NamedTuple):
    """The constraints that the scores touch."""

    pairs: BoolArray
    at_lower: BoolArray  # one per review: the lower end of its cell
    at_upper: BoolArray


@njit(cache=True, nogil=True)
def component_multipliers(
    gradient: FloatArray,
    pairs: Comparisons,
    touched: Touched,
    on_pair: FloatArray,
    on_cell: FloatArray,
) -> None:
    """Write multipliers of pairs and of cells (positive at the lower end, negative at the upper)."""
    start, member, pair_start, above, below, _ = pairs
    touches, at_lower, at_upper = touched
    place = np.empty(gradient.size, np.int64)
    for component in range(start.size - 1):
        begin, size = start[component], start[component + 1] - start[component]
        head = np.empty(pair_start[component + 1] - pair_start[component] + size, np.int64)
        tail, source = np.empty_like(head), np.empty_like(head)
        wanted = np.empty(size)
        edges = 0
        for node in range(size):
            review = member[begin + node]
            place[review] = node
            wanted[node] = gradient[review]
            if at_lower[review] or at_upper[review]:
                head[edges], tail[edges] = (node, size) if at_lower[review] else (size, node)
                source[edges] = -1 - review
                edges += 1
        for pair in range(pair_start[component], pair_start[component + 1]):
            if touches[pair]:
                head[edges], tail[edges] = place[above[pair]], place[below[pair]]
                source[edges] = pair
                edges += 1
        if edges == 0:
            continue
        found = _non_negative_fit(wanted, head[:edges], tail[:edges])
        for edge in range(edges):
            if source[edge] >= 0:
                on_pair[source[edge]] = found[edge]
            else:
                review = -1 - source[edge]
                on_cell[review] = found[edge] if at_lower[review] else -found[edge]


@njit(cache=True, nogil=True)
def lowest_scores(lower: FloatArray, pairs: Comparisons) -> FloatArray:
    """Return the lowest scores above the lower ends of cells that keep to all comparisons."""
    scores = lower.copy()
    for component in range(pairs.start.size - 1):
        first, last = pairs.pair_start[component], pairs.pair_start[component + 1]
        changed, passes = True, pairs.start[component + 1] - pairs.start[component] + 1
        while changed and passes > 0:
            changed, passes = False, passes - 1
            for k in range(first, last):
                pushed = scores[pairs.below[k]] + pairs.gap[k]
                if pushed > scores[pairs.above[k]]:
                    scores[pairs.above[k]], changed = pushed, True
    return scores


@njit(cache=True, nogil=True)
def _non_negative_fit(wanted: FloatArray, head: IntArray, tail: IntArray) -> FloatArray:
    """Multipliers ≥ 0 whose sums at the nodes come closest to `wanted`."""
    nodes, edges = wanted.size, head.size
    chosen = np.zeros(edges, np.bool_)
    value, trial = np.zeros(edges), np.zeros(edges)
    left, tree = np.zeros(nodes + 1), np.arange(nodes + 1)
    largest = 0.0
    for node in range(nodes):
        left[node] = wanted[node]
        largest = max(largest, abs(wanted[node]))
    enough = ROUNDING * largest
    least, idle = np.inf, 0
    for _ in range(3 * edges + 10):
        # An edge within a tree would close a circle: there residuals differ by rounding alone.
        best, entering = enough, -1
        for edge in range(edges):
            gain = left[head[edge]] - left[tail[edge]]
            if gain > best and tree[head[edge]] != tree[tail[edge]]:
                best, entering = gain, edge
        if entering < 0:
            break
        chosen[entering] = True
        while True:
            tree = _fit_forest(wanted, head, tail, chosen, trial)
            reach = 1.0
            for edge in range(edges):
                if (
                    chosen[edge]
                    and trial[edge] <= 0.0
                    and value[edge] < reach * (value[edge] - trial[edge])
                ):
                    reach = value[edge] / (value[edge] - trial[edge])
            done = True
            for edge in range(edges):
                if chosen[edge]:
                    value[edge] += reach * (trial[edge] - value[edge])
                    if trial[edge] <= 0.0 and value[edge] <= enough:
                        value[edge], chosen[edge], done = 0.0, False, False
            if done:
                break
        for node in range(nodes):
            left[node] = wanted[node]
        for edge in range(edges):
            value[edge] = max(value[edge], 0.0)
            left[head[edge]] -= value[edge]
            left[tail[edge]] += value[edge]
        left[nodes] = 0.0
        distance = 0.0
        for node in range(nodes):
            distance += left[node] ** 2
        idle = idle + 1 if distance >= least else 0
        if idle > PATIENCE:
            break
        least = min(least, distance)
    return value


@njit(cache=True, nogil=True)
def _fit_forest(
    wanted: FloatArray, head: IntArray, tail: IntArray, chosen: BoolArray, fitted: FloatArray
) -> IntArray:
    """Fit the chosen edges, which form a forest, by least squares; return the tree of each node."""
    nodes = wanted.size
    start, links = _links(nodes + 1, head, tail, chosen)
    order, parent, link = (
        np.empty(nodes + 1, np.int64),
        np.empty(nodes + 1, np.int64),
        np.full(nodes + 1, -1),
    )
    tree = np.full(nodes + 1, -1)
    filled = 0
    for root in range(nodes, -1, -1):  # the ground first, so that it is the root of its tree
        if tree[root] >= 0:
            continue
        order[filled], tree[root] = root, root
        reached, filled = filled, filled + 1
        while reached < filled:
            node = order[reached]
            reached += 1
            for place in range(start[node], start[node + 1]):
                edge = links[place]
                other = tail[edge] if head[edge] == node else head[edge]
                if tree[other] < 0:
                    order[filled], tree[other], parent[other], link[other] = other, root, node, edge
                    filled += 1
    total, count = np.zeros(nodes + 1), np.zeros(nodes + 1)
    for node in range(nodes):
        total[tree[node]] += wanted[node]
        count[tree[node]] += 1.0
    left = np.zeros(nodes + 1)
    for node in range(nodes):
        mean = 0.0 if tree[node] == nodes else total[tree[node]] / count[tree[node]]
        left[node] = wanted[node] - mean
    for place in range(nodes, -1, -1):  # leaves first
        node = order[place]
        edge = link[node]
        if edge >= 0:
            fitted[edge] = left[node] if head[edge] == node else -left[node]
            left[parent[node]] += left[node]
    return tree


@njit(cache=True, nogil=True)
def _links(
    nodes: int, head: IntArray, tail: IntArray, chosen: BoolArray
) -> tuple[IntArray, IntArray]:
    """Return where the chosen edges of each node start, and those edges."""
    start = np.zeros(nodes + 1, np.int64)
    for edge in range(head.size):
        if chosen[edge]:
            start[head[edge] + 1] += 1
            start[tail[edge] + 1] += 1
    for node in range(nodes):
        start[node + 1] += start[node]
    place, links = start.copy(), np.empty(start[nodes], np.int64)
    for edge in range(head.size):
        if chosen[edge]:
            links[place[head[edge]]] = links[place[tail[edge]]] = edge
            place[head[edge]] += 1
            place[tail[edge]] += 1
    return start, links
