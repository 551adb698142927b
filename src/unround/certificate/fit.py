"""Forces on a graph that come closest to wanted ones: non-negative least squares, for CPU and GPU.

Lawson and Hanson's method. The columns are comparisons, +1 at the review above and -1 at the one
below; a cell's end is a comparison with a ground node. Chosen columns always form a forest, where
least squares has a closed form: a tree with the ground in it leaves no residual, any other leaves
its mean, and the multipliers follow leaf by leaf.

The walks over trees look like those of solver/kernels/posets.py, and are written twice on purpose:
the certificate must not lean on the solver that it judges, so they share no code.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.compiler import compiled

ROUNDING = 1e-15
# Rounds that come no closer after which only rounding is left to fit.
PATIENCE = 25
NUMBERS = 7  # rows of working space
PLACES = 9


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
