"""Cells opened just as far as an order needs: the least total square of all openings, exactly.

Minimise Σ dist(y_i, cell_i)² over scores y that keep to the order. For levels, each wholly above the
next, that is a monotone fit. For any other order, with u_i the opening upwards and
d_j the one downwards, a path from j up to i over gaps that add up to g asks for

    u_i + d_j ≥ lower_j + g − upper_i.

The least openings are the point nearest to the origin at which these differences of u and −d hold.

The result is not trusted: certificate/bound.py proves how far it can be from the optimum.
"""

from __future__ import annotations

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.compiler import compiled
from unround.problem.orders import Steps
from unround.problem.projection import Graph, State, project


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


def open_order(
    steps: Steps, lower: FloatArray, upper: FloatArray, gap: float
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the opened cells of papers in any order."""
    need = lower[None, :] + _longest_paths(steps, gap) - upper[:, None]
    down = _least_openings(need)[1]
    # The scores keep to the order, so that whatever rounding did they fit between these ends.
    scores = steps.lowest(lower - down, gap)[0]
    return np.minimum(lower - down, scores), np.maximum(upper, scores)


def _longest_paths(steps: Steps, gap: float) -> FloatArray:
    """Return how far paper i (row) must be above paper j (column) at least; −∞ where no path leads up."""
    length = np.where(np.eye(steps.papers, dtype=np.bool_), 0.0, -np.inf)
    for low, high, count in steps.steps:  # lower ones first, so that one pass does
        np.maximum(length[high], length[low] + count * gap, out=length[high])
    return length


def _least_openings(need: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the openings u and d with the least total square such that u_i + d_j ≥ need_ij."""
    papers = len(need)
    up, down = np.nonzero(need > 0.0)
    edges, nodes = up.size, 2 * papers + 1  # u, then −d, then the ground
    state = State(
        active=np.zeros(edges, dtype=np.bool_),
        force=np.empty(edges),
        point=np.empty(nodes),
        push=np.empty(nodes),
        moved=np.empty(nodes),
        # Of the solver's layout, so that the kernel compiles once.
        walk=np.empty((4, nodes + 1), dtype=np.int64)[:, :nodes],
        links=np.empty((3, 2 * nodes + 2), dtype=np.int64),
    )
    project(Graph(np.zeros(nodes), up, papers + down, need[up, down]), state, False)
    return state.point[:papers], -state.point[papers:-1]
