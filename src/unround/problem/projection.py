"""The point nearest to a given one at which comparisons hold: y_above − y_below ≥ need, exactly.

The dual active-set method of Goldfarb and Idnani, on a graph. Nodes are numbers and one ground node
fixed at 0; a bound on a number is a comparison with the ground. The active comparisons always form
a forest, so that every linear system is a walk over trees: a tree with the ground in it is fixed,
any other moves as one and balances its targets. Each round adds the most violated comparison and
lets go of those whose multiplier would turn negative; it ends after finitely many rounds.

The solver projects the scores of posets with it (solver/kernels/posets.py), and cells are opened by
it (open_cells.py). The walks over trees look like those of certificate/multipliers.py, and are written
twice on purpose: the certificate must not lean on what it judges, so they share no code.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.compiler import compiled

# Rounding of the few additions along a path, relative to the largest number in play.
ROUNDING_OF_LARGEST = 1e-15
# Rates are fractions of whole numbers of nodes: below this they are zero, but for rounding.
VANISHING = 1e-9


class Graph(NamedTuple):
    """Comparisons y[head] − y[tail] ≥ need as edges; the last node is the ground, fixed at 0."""

    wish: FloatArray  # one per node: where it would be without comparisons
    head: IntArray
    tail: IntArray
    need: FloatArray


class State(NamedTuple):
    """How far a projection has come."""

    active: BoolArray  # one per edge
    force: FloatArray  # one per edge, ≥ 0
    point: FloatArray  # one per node
    push: FloatArray  # one per node: scratch space
    moved: FloatArray  # one per node: scratch space
    # Rows of the walk over the forest: its nodes in order; and for each node its root, its parent, and the
    # edge to its parent.
    walk: IntArray
    # Rows: the active edges in ascending order and, in the last entry, how many; where the edges of each
    # node start; those edges.
    links: IntArray


@compiled
def project(graph: Graph, state: State, resume: bool) -> None:
    """Move the point to the one closest to `wish` at which every comparison holds.

    Resuming starts from the comparisons that were active last time, less those that now pull.
    """
    wish, head, tail, need = graph
    active, force, point = state.active, state.force, state.point
    if resume:
        _resume(graph, state)
    else:
        active[:] = False
        force[:] = 0.0
        for node in range(wish.size):  # a copy of slices would not compile for the GPU
            point[node] = wish[node]
        state.links[0, -1] = 0
    allowed = ROUNDING_OF_LARGEST * (_largest(need) + _largest(wish))
    walked = resume
    for _ in range(20 * (head.size + wish.size)):
        worst, edge = allowed, -1
        for k in range(head.size):
            short = need[k] - point[head[k]] + point[tail[k]]
            if not active[k] and short > worst:
                worst, edge = short, k
        if edge < 0:
            break
        if not walked:
            _walk_forest(wish.size, head, tail, state.walk, state.links)
            walked = True
        if not _enforce(edge, graph, state):
            break


@compiled
def _largest(values: FloatArray) -> float:
    """Return the largest magnitude, by a loop: NumPy's reductions take several times longer to compile."""
    largest = 0.0
    for value in values:
        largest = max(largest, abs(value))
    return largest


@compiled
def _resume(graph: Graph, state: State) -> None:
    """Restore point and forces from the active comparisons until all of these push."""
    active, force, links = state.active, state.force, state.links
    count = 0
    for k in range(active.size):
        if active[k]:
            links[0, count] = k
            count += 1
    while True:
        links[0, -1] = count
        force[:] = 0.0
        _restore(graph, state)
        kept = 0
        for place in range(count):
            k = links[0, place]
            if force[k] > 0.0:
                links[0, kept] = k
                kept += 1
            else:
                active[k] = False
        if kept == count:
            return
        count = kept


@compiled
def _enforce(edge: int, graph: Graph, state: State) -> bool:
    """Raise the force on one comparison until it holds, letting go of others on the way.

    Before and after, `walk` is that of the active comparisons.
    """
    wish, head, tail, need = graph
    active, force, point, push, moved, walk, links = state
    nodes = wish.size
    while True:
        root = walk[1]
        up, down = root[head[edge]], root[tail[edge]]
        up_step, down_step = _share(root, up), _share(root, down)
        if up == down:
            up_step = down_step = 0.0
        for node in range(nodes):
            push[node] = moved[node] = (
                up_step if root[node] == up else (-down_step if root[node] == down else 0.0)
            )
        push[head[edge]] -= 1.0
        push[tail[edge]] += 1.0
        _settle_forces(head, walk, push)
        # push now holds, at each node, how fast the force on the edge to its parent grows.
        length, release = np.inf, -1
        for node in range(nodes):
            held = walk[3, node]
            if held >= 0 and push[node] < -VANISHING and force[held] < -push[node] * length:
                length, release = force[held] / -push[node], held
        short = need[edge] - point[head[edge]] + point[tail[edge]]
        if up != down and short <= length * (up_step + down_step):
            length, release = short / (up_step + down_step), edge
        if release < 0:
            return False
        force[edge] += length
        for node in range(nodes):
            point[node] += length * moved[node]
            if walk[3, node] >= 0:
                force[walk[3, node]] += length * push[node]
        if release == edge:
            active[edge] = True
            _insert(links[0], edge)
            _restore(graph, state)
            return True
        active[release] = False
        _remove(links[0], release)
        force[release] = 0.0
        _walk_forest(nodes, head, tail, walk, links)


@compiled
def _share(root: IntArray, tree: int) -> float:
    """Return how far a tree moves under a unit force: not at all with the ground in it."""
    if root[root.size - 1] == tree:
        return 0.0
    size = 0
    for node in range(root.size):
        if root[node] == tree:
            size += 1
    return 1.0 / size


@compiled
def _insert(edges: IntArray, edge: int) -> None:
    """Insert an edge into an ascending list, whose length is in its last entry."""
    place = edges[-1]
    while place > 0 and edges[place - 1] > edge:
        edges[place] = edges[place - 1]
        place -= 1
    edges[place] = edge
    edges[-1] += 1


@compiled
def _remove(edges: IntArray, edge: int) -> None:
    """Remove an edge from such a list."""
    place = 0
    while edges[place] != edge:
        place += 1
    edges[-1] -= 1
    while place < edges[-1]:
        edges[place] = edges[place + 1]
        place += 1


@compiled
def _walk_forest(
    nodes: int, head: IntArray, tail: IntArray, walk: IntArray, links: IntArray
) -> None:
    """Write the breadth-first order of every tree; that of the ground starts at the ground."""
    order, root, parent, link = walk[0], walk[1], walk[2], walk[3]
    active, begin, edges = links[0], links[1], links[2]
    count = active[-1]
    begin[: nodes + 1] = 0
    for place in range(count):
        begin[head[active[place]] + 1] += 1
        begin[tail[active[place]] + 1] += 1
    for node in range(nodes):
        begin[node + 1] += begin[node]
        root[node] = begin[node]  # for now: where the node's next edge goes
    for place in range(count):
        k = active[place]
        edges[root[head[k]]] = k
        root[head[k]] += 1
        edges[root[tail[k]]] = k
        root[tail[k]] += 1
    root[:] = -1
    filled = 0
    for start in range(nodes - 1, -1, -1):
        if root[start] >= 0:
            continue
        order[filled], root[start], parent[start], link[start] = start, start, -1, -1
        reached = filled
        filled += 1
        while reached < filled:
            node = order[reached]
            reached += 1
            for place in range(begin[node], begin[node + 1]):
                k = edges[place]
                other = tail[k] if head[k] == node else head[k]
                if root[other] < 0:
                    order[filled], root[other], parent[other], link[other] = other, start, node, k
                    filled += 1


@compiled
def _settle_forces(head: IntArray, walk: IntArray, push: FloatArray) -> None:
    """Turn what each node must receive into the force on the edge to its parent, leaves first."""
    order, parent, link = walk[0], walk[2], walk[3]
    for place in range(order.size - 1, -1, -1):
        node = order[place]
        if link[node] >= 0:
            push[parent[node]] += push[node]
            if head[link[node]] != node:
                push[node] = -push[node]


@compiled
def _restore(graph: Graph, state: State) -> None:
    """Compute point and forces anew from the active comparisons, so that rounding does not add up."""
    wish, head, tail, need = graph
    _, force, point, push, moved, walk, links = state
    nodes = wish.size
    _walk_forest(nodes, head, tail, walk, links)
    order, root, parent, link = walk[0], walk[1], walk[2], walk[3]
    for place in range(nodes):
        node = order[place]
        if link[node] < 0:
            point[node] = 0.0
        elif head[link[node]] == node:
            point[node] = point[parent[node]] + need[link[node]]
        else:
            point[node] = point[parent[node]] - need[link[node]]
    # For now, at each root: the sum of its tree, and how many nodes it has.
    push[:] = 0.0
    moved[:] = 0.0
    for node in range(nodes):
        push[root[node]] += wish[node] - point[node]
        moved[root[node]] += 1.0
    for node in range(nodes - 1):
        if root[node] != nodes - 1:  # the ground's tree stays
            point[node] += push[root[node]] / moved[root[node]]
    for node in range(nodes):
        push[node] = point[node] - wish[node]
    _settle_forces(head, walk, push)
    for node in range(nodes):
        if link[node] >= 0:
            force[link[node]] = max(push[node], 0.0)
