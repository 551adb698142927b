"""Multipliers of the constraints that given scores touch: non-negative least squares, for CPU and GPU.

Lawson and Hanson's method on a graph, component by component. The columns are comparisons, +1 at the
review above and -1 at the one below; a cell's end is a comparison with a ground node. Chosen columns
always form a forest, where least squares has a closed form: a tree with the ground in it leaves no
residual, any other leaves its mean, and the multipliers follow leaf by leaf. Whatever comes out is
non-negative, which is all that the certificate relies on.

The walks over trees look like those of problem/projection.py, and are written twice on purpose: the
certificate must not lean on what it judges, so they share no code.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.compiler import compiled
from unround.problem.model import Comparisons

ROUNDING = 1e-15
# Rounds that come no closer after which only rounding is left to fit.
PATIENCE = 25
NUMBERS = 7  # rows of working space
PLACES = 9


class Touched(NamedTuple):
    """The constraints that the scores touch."""

    pairs: BoolArray
    at_lower: BoolArray  # one per review: the lower end of its cell
    at_upper: BoolArray


@compiled
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
    room = _most_room(pairs)
    space = FitSpace(
        np.empty((NUMBERS, room)), np.empty((PLACES, room), np.int64), np.empty(2 * room, np.int64)
    )
    source = np.empty(room, np.int64)
    wanted, value = space.numbers[0], space.numbers[1]
    head, tail = space.places[0], space.places[1]
    for component in range(start.size - 1):
        begin, size = start[component], start[component + 1] - start[component]
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
        fit(size, edges, space)
        for edge in range(edges):
            if source[edge] >= 0:
                on_pair[source[edge]] = value[edge]
            else:
                review = -1 - source[edge]
                on_cell[review] = value[edge] if at_lower[review] else -value[edge]


@compiled
def _most_room(pairs: Comparisons) -> int:
    """Return the places that fitting any of the components takes."""
    most = 0
    for component in range(pairs.start.size - 1):
        members = pairs.start[component + 1] - pairs.start[component]
        edges = members + pairs.pair_start[component + 1] - pairs.pair_start[component]
        most = max(most, edges + 2)
    return most


@compiled
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


class FitSpace(NamedTuple):
    """What a fit is given, finds and works in: one more place per row than there are nodes and edges.

    The ground is the node after the last one.
    """

    numbers: FloatArray  # rows: wanted (per node), value and trial (per edge); of the fit: per node
    places: IntArray  # rows: head, tail and chosen (per edge); of the fit: per node
    links: IntArray  # two per edge


@compiled
def fit(nodes: int, edges: int, space: FitSpace) -> None:
    """Write the values ≥ 0 of the edges whose sums at the nodes come closest to the wanted ones."""
    wanted, value, trial, left = (
        space.numbers[0],
        space.numbers[1],
        space.numbers[2],
        space.numbers[3],
    )
    head, tail, chosen, tree = space.places[0], space.places[1], space.places[2], space.places[3]
    for edge in range(edges):
        value[edge], trial[edge], chosen[edge] = 0.0, 0.0, 0
    largest = 0.0
    for node in range(nodes):
        left[node], tree[node] = wanted[node], node
        largest = max(largest, abs(wanted[node]))
    left[nodes], tree[nodes] = 0.0, nodes
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
        chosen[entering] = 1
        while True:
            _fit_forest(nodes, edges, space)
            reach = 1.0
            for edge in range(edges):
                if (
                    chosen[edge] > 0
                    and trial[edge] <= 0.0
                    and value[edge] < reach * (value[edge] - trial[edge])
                ):
                    reach = value[edge] / (value[edge] - trial[edge])
            done = True
            for edge in range(edges):
                if chosen[edge] > 0:
                    value[edge] += reach * (trial[edge] - value[edge])
                    if trial[edge] <= 0.0 and value[edge] <= enough:
                        value[edge], chosen[edge], done = 0.0, 0, False
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
            distance += left[node] * left[node]
        idle = idle + 1 if distance >= least else 0
        if idle > PATIENCE:
            break
        least = min(least, distance)


@compiled
def _fit_forest(nodes: int, edges: int, space: FitSpace) -> None:
    """Fit the chosen edges, which form a forest, by least squares; write the tree of each node."""
    wanted, fitted = space.numbers[0], space.numbers[2]
    total, count, left = space.numbers[4], space.numbers[5], space.numbers[6]
    head, tail, tree = space.places[0], space.places[1], space.places[3]
    order, parent, link, start = space.places[4], space.places[5], space.places[6], space.places[7]
    _join_links(nodes + 1, edges, space)
    for node in range(nodes + 1):
        tree[node], link[node] = -1, -1
        total[node], count[node], left[node] = 0.0, 0.0, 0.0
    filled = 0
    for step in range(nodes + 1):  # the ground first, so that it is the root of its tree
        root = nodes - step
        if tree[root] >= 0:
            continue
        order[filled], tree[root] = root, root
        reached, filled = filled, filled + 1
        while reached < filled:
            node = order[reached]
            reached += 1
            for place in range(start[node], start[node + 1]):
                edge = space.links[place]
                other = tail[edge] if head[edge] == node else head[edge]
                if tree[other] < 0:
                    order[filled], tree[other], parent[other], link[other] = other, root, node, edge
                    filled += 1
    for node in range(nodes):
        total[tree[node]] += wanted[node]
        count[tree[node]] += 1.0
    for node in range(nodes):
        mean = 0.0 if tree[node] == nodes else total[tree[node]] / count[tree[node]]
        left[node] = wanted[node] - mean
    for step in range(nodes + 1):  # leaves first
        node = order[nodes - step]
        edge = link[node]
        if edge >= 0:
            fitted[edge] = left[node] if head[edge] == node else -left[node]
            left[parent[node]] += left[node]


@compiled
def _join_links(nodes: int, edges: int, space: FitSpace) -> None:
    """Write where the chosen edges of each node start, and those edges."""
    head, tail, chosen = space.places[0], space.places[1], space.places[2]
    start, place = space.places[7], space.places[8]
    for node in range(nodes + 1):
        start[node] = 0
    for edge in range(edges):
        if chosen[edge] > 0:
            start[head[edge] + 1] += 1
            start[tail[edge] + 1] += 1
    for node in range(nodes):
        start[node + 1] += start[node]
        place[node] = start[node]
    for edge in range(edges):
        if chosen[edge] > 0:
            space.links[place[head[edge]]] = edge
            space.links[place[tail[edge]]] = edge
            place[head[edge]] += 1
            place[tail[edge]] += 1
