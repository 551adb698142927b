"""Cells opened just as far as an order needs: the least total square of all openings, exactly.

Minimise Σ dist(y_i, cell_i)² over scores y that keep to the order. With u_i the opening upwards and
d_j the one downwards, a path from j up to i over gaps that add up to g asks for

    u_i + d_j ≥ lower_j + g − upper_i.

That is a projection of the origin onto differences u_i − e_j with e = −d, so the dual active-set
method of Goldfarb and Idnani applies, on a graph with a node for each u and each e: the active
paths form a forest, and every linear system is a walk over its trees. The path that is broken most
is found by pushing the opened lower ends up through the order, so that paths need no list.

The result is not trusted: certificate/openings.py proves how far it can be from the optimum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unround.arrays import FloatArray, IntArray
from unround.problem.room import Steps

# Rounding of the few additions along a path, relative to the largest number in play.
ROUNDING = 1e-15
# Rates are fractions of whole numbers of nodes: below this they are zero, but for rounding.
VANISHING = 1e-9


class _Graph(NamedTuple):
    """The cells, and the steps of the order: y[high] ≥ y[low] + gap."""

    lower: FloatArray  # one per node; −∞ for hubs
    upper: FloatArray
    low: IntArray
    high: IntArray
    gap: FloatArray


class _Forest(NamedTuple):
    """Active paths as edges between a node i (its opening upwards) and n + j (downwards, negative)."""

    head: IntArray
    tail: IntArray
    need: FloatArray
    force: FloatArray
    point: FloatArray  # one per node
    push: FloatArray  # one per node: scratch space
    moved: FloatArray  # one per node: scratch space
    walk: IntArray  # rows: order, root, parent, edge to the parent
    links: IntArray  # rows: where a node's edges start, and those edges


def open_cells(
    steps: Steps, lower: FloatArray, upper: FloatArray, gap: float
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the opened cells."""
    hubs = np.full(steps.nodes - steps.papers, np.inf)
    edges = [(low, high, gaps * gap) for low, high, gaps in steps.steps]
    for one, other in steps.alike:
        edges += [(one, other, -steps.within), (other, one, -steps.within)]
    low, high, gaps = (np.array(column) for column in zip(*edges, strict=True))
    graph = _Graph(
        np.concatenate([lower, -hubs]),
        np.concatenate([upper, hubs]),
        low.astype(np.int64),
        high.astype(np.int64),
        gaps.astype(np.float64),
    )
    nodes = 2 * steps.nodes
    head, tail = np.zeros((2, nodes), dtype=np.int64)
    need, force, point, push, moved = np.zeros((5, nodes))
    walk = np.zeros((4, nodes), dtype=np.int64)
    links = np.zeros((2, 2 * nodes + 1), dtype=np.int64)
    forest = _Forest(head, tail, need, force, point, push, moved, walk, links)
    scores = _least_stretch(graph, forest)[: steps.papers]
    down = point[steps.nodes : steps.nodes + steps.papers]
    # The scores keep to the order, so that whatever rounding did they fit between these ends.
    return np.minimum(lower + down, scores), np.maximum(upper, scores)


@njit(cache=True, nogil=True)
def _least_stretch(graph: _Graph, forest: _Forest) -> FloatArray:
    """Find the openings; return the lowest scores that keep to the order inside the opened cells."""
    size = graph.lower.size
    scores, path, start = np.empty(size), np.empty(size), np.empty(size, np.int64)
    largest = 0.0
    for node in range(size):
        if graph.upper[node] < np.inf:
            largest = max(largest, abs(graph.lower[node]), abs(graph.upper[node]))
    allowed = ROUNDING * largest
    active = 0
    for _ in range(20 * size + 20):
        _push_up(graph, forest.point, scores, path, start)
        worst, chosen = allowed, -1
        for node in range(size):
            short = scores[node] - (graph.upper[node] + forest.point[node])
            if short > worst:
                worst, chosen = short, node
        if chosen < 0:
            break
        source = start[chosen]
        for edge in range(active):
            if forest.head[edge] == chosen and forest.tail[edge] == size + source:
                return scores  # as tight as rounding allows
        forest.head[active], forest.tail[active] = chosen, size + source
        forest.need[active] = graph.lower[source] + path[chosen] - graph.upper[chosen]
        forest.force[active] = 0.0
        active = _enforce(forest, active)
        if active < 0:
            break
    return scores


@njit(cache=True, nogil=True)
def _push_up(
    graph: _Graph, point: FloatArray, scores: FloatArray, path: FloatArray, start: IntArray
) -> None:
    """Write the lowest scores above the opened lower ends, and where each comes from over which gap."""
    size = scores.size
    for node in range(size):
        scores[node], path[node], start[node] = graph.lower[node] + point[size + node], 0.0, node
    changed = True
    while changed:
        changed = False
        for k in range(graph.low.size):
            low, high = graph.low[k], graph.high[k]
            pushed = scores[low] + graph.gap[k]
            if pushed > scores[high]:
                scores[high], start[high] = pushed, start[low]
                path[high] = path[low] + graph.gap[k]
                changed = True


@njit(cache=True, nogil=True)
def _enforce(forest: _Forest, new: int) -> int:
    """Raise the force on the path `new` until it holds, letting go of others on the way.

    Edges 0 .. new-1 are active. Returns how many are in the end, -1 if it cannot be made to hold.
    """
    head, tail, need, force, point, push, moved, walk, _ = forest
    nodes = point.size
    while True:
        _walk_forest(forest, new)
        root = walk[1]
        up, down = root[head[new]], root[tail[new]]
        up_size = down_size = 0
        for node in range(nodes):
            if root[node] == up:
                up_size += 1
            if root[node] == down:
                down_size += 1
        for node in range(nodes):
            moved[node] = 0.0
            if up != down and root[node] == up:
                moved[node] = 1.0 / up_size
            if up != down and root[node] == down:
                moved[node] = -1.0 / down_size
            push[node] = moved[node]
        push[head[new]] -= 1.0
        push[tail[new]] += 1.0
        _settle_forces(forest)
        # push now holds, at each node, how fast the force on the edge to its parent grows.
        length, release = np.inf, -1
        for node in range(nodes):
            held = walk[3, node]
            if held >= 0 and push[node] < -VANISHING and force[held] < -push[node] * length:
                length, release = force[held] / -push[node], held
        short = need[new] - point[head[new]] + point[tail[new]]
        rate = 0.0 if up == down else 1.0 / up_size + 1.0 / down_size
        if up != down and short <= length * rate:
            length, release = short / rate, new
        if release < 0:
            return -1
        force[new] += length
        for node in range(nodes):
            point[node] += length * moved[node]
            if walk[3, node] >= 0:
                force[walk[3, node]] += length * push[node]
        if release == new:
            _restore(forest, new + 1)
            return new + 1
        for edge in range(release, new):  # the new path stays last
            head[edge], tail[edge] = head[edge + 1], tail[edge + 1]
            need[edge], force[edge] = need[edge + 1], force[edge + 1]
        new -= 1


@njit(cache=True, nogil=True)
def _walk_forest(forest: _Forest, active: int) -> None:
    """Write the breadth-first order of every tree."""
    head, tail, links = forest.head, forest.tail, forest.links
    order, root, parent, link = forest.walk
    nodes = order.size
    begin, edges = links
    begin[: nodes + 1] = 0
    for edge in range(active):
        begin[head[edge] + 1] += 1
        begin[tail[edge] + 1] += 1
    for node in range(nodes):
        begin[node + 1] += begin[node]
        root[node] = begin[node]
    for edge in range(active):
        edges[root[head[edge]]] = edges[root[tail[edge]]] = edge
        root[head[edge]] += 1
        root[tail[edge]] += 1
    root[:] = -1
    filled = 0
    for first in range(nodes):
        if root[first] >= 0:
            continue
        order[filled], root[first], parent[first], link[first] = first, first, -1, -1
        reached = filled
        filled += 1
        while reached < filled:
            node = order[reached]
            reached += 1
            for place in range(begin[node], begin[node + 1]):
                edge = edges[place]
                other = tail[edge] if head[edge] == node else head[edge]
                if root[other] < 0:
                    order[filled], root[other], parent[other] = other, first, node
                    link[other] = edge
                    filled += 1


@njit(cache=True, nogil=True)
def _settle_forces(forest: _Forest) -> None:
    """Turn what each node must receive into the force on the edge to its parent, leaves first."""
    order, _, parent, link = forest.walk
    push = forest.push
    for place in range(order.size - 1, -1, -1):
        node = order[place]
        if link[node] >= 0:
            push[parent[node]] += push[node]
            if forest.head[link[node]] != node:
                push[node] = -push[node]


@njit(cache=True, nogil=True)
def _restore(forest: _Forest, active: int) -> None:
    """Compute point and forces anew from the active paths, so that rounding does not add up."""
    _walk_forest(forest, active)
    order, root, parent, link = forest.walk
    point, push, moved = forest.point, forest.push, forest.moved
    moved[:] = 0.0  # at each root: the sum of its tree, and in push how many nodes it has
    push[:] = 0.0
    for place in range(order.size):
        node = order[place]
        edge = link[node]
        if edge < 0:
            point[node] = 0.0
        elif forest.head[edge] == node:
            point[node] = point[parent[node]] + forest.need[edge]
        else:
            point[node] = point[parent[node]] - forest.need[edge]
        moved[root[node]] += point[node]
        push[root[node]] += 1.0
    for node in range(point.size):
        point[node] -= moved[root[node]] / push[root[node]]
    push[:] = point
    _settle_forces(forest)
    for node in range(point.size):
        if link[node] >= 0:
            forest.force[link[node]] = max(push[node], 0.0)
