"""Cells opened just as far as an order needs: the least total square of all openings, exactly.

Minimise Σ dist(y_i, cell_i)² over scores y that keep to the order. For levels, each wholly above the
next, that is a monotone fit. For any other order, with u_i the opening upwards and
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

from unround.arrays import FloatArray, IntArray
from unround.compiler import compiled
from unround.problem.room import Steps

# Rounding of the few additions along a path, relative to the largest number in play.
ROUNDING = 1e-15
# Rates are fractions of whole numbers of nodes: below this they are zero, but for rounding.
VANISHING = 1e-9


class _Graph(NamedTuple):
    """The cells, and the steps of the order: y[high] ≥ y[low] + gaps · gap − spans · within."""

    lower: FloatArray  # one per paper
    upper: FloatArray
    steps: IntArray  # rows: low, high, gaps, spans
    gap: float
    within: float


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


def open_levels(
    height: IntArray, lower: FloatArray, upper: FloatArray, gap: float
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the opened cells of papers in levels, height 0 = worst.

    A level's papers may be sorted by their cells: some best scores are. Less their height times the
    gap, scores then only have to rise: pooling adjacent violators finds the lowest best ones.
    """
    order = np.lexsort((lower, height))
    shift = height[order] * gap
    scores = np.empty(lower.size)
    scores[order] = _rising_fit(lower[order] - shift, upper[order] - shift) + shift
    return np.minimum(lower, scores), np.maximum(upper, scores)


@compiled
def _rising_fit(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the lowest rising values with the least total squared distance from their intervals."""
    size = lower.size
    first, value = np.empty(size + 1, np.int64), np.empty(size)
    blocks = 0
    for place in range(size):
        opens, level = place, lower[place]
        while blocks > 0 and value[blocks - 1] > level:
            blocks -= 1
            opens = first[blocks]
            level = _nearest(lower[opens : place + 1], upper[opens : place + 1])
        first[blocks], value[blocks] = opens, level
        blocks += 1
    first[blocks] = size
    fitted = np.empty(size)
    for block in range(blocks):
        fitted[first[block] : first[block + 1]] = value[block]
    return fitted


@compiled
def _nearest(lower: FloatArray, upper: FloatArray) -> float:
    """Return the lowest value with the least total squared distance from all intervals.

    Where they share none, the derivative has one root between the least upper and the greatest lower
    end: Newton steps kept inside a shrinking bracket reach the piece with the root, and the root.
    """
    low, high = np.inf, -np.inf
    for k in range(lower.size):
        low, high = min(low, upper[k]), max(high, lower[k])
    if high <= low:
        return high
    level = 0.5 * (low + high)
    for _ in range(200):
        total, count = 0.0, 0
        for k in range(lower.size):
            if upper[k] < level:
                total += upper[k]
                count += 1
            elif lower[k] > level:
                total += lower[k]
                count += 1
        root = total / count if count else level
        if root == level:
            break
        if root > level:
            low = level
        else:
            high = level
        level = root if low <= root <= high else 0.5 * (low + high)
    return level


def open_cells(
    steps: Steps, lower: FloatArray, upper: FloatArray, gap: float
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the opened cells."""
    edges = [(low, high, gaps, 0) for low, high, gaps in steps.steps]
    edges += [(low, high, 0, 1) for pair in steps.alike for low, high in (pair, pair[::-1])]
    columns = np.ascontiguousarray(np.array(edges, dtype=np.int64).reshape(-1, 4).T)
    graph = _Graph(lower, upper, columns, gap, steps.within)
    papers = steps.papers
    nodes = 2 * papers
    head, tail = np.zeros((2, nodes), dtype=np.int64)
    need, force, point, push, moved = np.zeros((5, nodes))
    walk = np.zeros((4, nodes), dtype=np.int64)
    links = np.zeros((2, 2 * nodes + 1), dtype=np.int64)
    forest = _Forest(head, tail, need, force, point, push, moved, walk, links)
    scores = _least_stretch(graph, forest)
    # The scores keep to the order, so that whatever rounding did they fit between these ends.
    return np.minimum(lower + point[papers:], scores), np.maximum(upper, scores)


@compiled
def _least_stretch(graph: _Graph, forest: _Forest) -> FloatArray:
    """Find the openings; return the lowest scores that keep to the order inside the opened cells."""
    size = graph.lower.size
    scores, start = np.empty(size), np.empty(size, np.int64)
    counts = np.empty((2, size), np.int64)
    largest = 0.0
    for node in range(size):
        largest = max(largest, abs(graph.lower[node]), abs(graph.upper[node]))
    allowed = ROUNDING * largest
    active = 0
    for _ in range(20 * size + 20):
        _push_up(graph, forest.point, scores, start, counts)
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
        path = counts[0, chosen] * graph.gap - counts[1, chosen] * graph.within
        forest.need[active] = graph.lower[source] + path - graph.upper[chosen]
        forest.force[active] = 0.0
        active = _enforce(forest, active)
        if active < 0:
            break
    return scores


@compiled
def _push_up(
    graph: _Graph, point: FloatArray, scores: FloatArray, start: IntArray, counts: IntArray
) -> None:
    """Write the lowest scores above the opened lower ends, and where each comes from over how much.

    `counts` holds how many gaps lie between, and how many spans of papers about the same.
    """
    size = graph.lower.size
    low, high, gaps, spans = graph.steps
    for node in range(size):
        scores[node], start[node] = graph.lower[node] + point[size + node], node
        counts[0, node] = counts[1, node] = 0
    changed = True
    while changed:
        changed = False
        for k in range(low.size):
            source = start[low[k]]
            many, apart = counts[0, low[k]] + gaps[k], counts[1, low[k]] + spans[k]
            base = graph.lower[source] + point[size + source]
            pushed = base + (many * graph.gap - apart * graph.within)
            if pushed > scores[high[k]]:
                scores[high[k]], start[high[k]] = pushed, source
                counts[0, high[k]], counts[1, high[k]] = many, apart
                changed = True


@compiled
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


@compiled
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


@compiled
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


@compiled
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
