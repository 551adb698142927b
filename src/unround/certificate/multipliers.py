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
def _non_negative_fit(wanted: FloatArray, head: IntArray, tail: IntArray) -> FloatArray:
    """Multipliers ≥ 0 whose sums at the nodes come closest to `wanted`."""
    nodes, edges = wanted.size, head.size
    chosen = np.zeros(edges, np.bool_)
    value, trial = np.zeros(edges), np.zeros(edges)
    left = np.zeros(nodes + 1)
    largest = 0.0
    for node in range(nodes):
        left[node] = wanted[node]
        largest = max(largest, abs(wanted[node]))
    enough = ROUNDING * largest
    for _ in range(3 * edges + 10):
        best, entering = enough, -1
        for edge in range(edges):
            gain = left[head[edge]] - left[tail[edge]]
            if not chosen[edge] and gain > best:
                best, entering = gain, edge
        if entering < 0:
            break
        chosen[entering] = True
        while True:
            _fit_forest(wanted, head, tail, chosen, trial)
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
            if done or reach == 1.0:
                break
        for node in range(nodes):
            left[node] = wanted[node]
        for edge in range(edges):
            value[edge] = max(value[edge], 0.0)
            left[head[edge]] -= value[edge]
            left[tail[edge]] += value[edge]
        left[nodes] = 0.0
    return value


@njit(cache=True, nogil=True)
def _fit_forest(
    wanted: FloatArray, head: IntArray, tail: IntArray, chosen: BoolArray, fitted: FloatArray
) -> None:
    """Least squares on the chosen edges, which form a forest."""
    nodes = wanted.size
    tree = np.arange(nodes + 1)
    joined = True
    while joined:
        joined = False
        for edge in range(head.size):
            if chosen[edge] and tree[head[edge]] != tree[tail[edge]]:
                # The ground has the largest number and so names its tree.
                larger = max(tree[head[edge]], tree[tail[edge]])
                tree[head[edge]] = tree[tail[edge]] = larger
                joined = True
    total, count = np.zeros(nodes + 1), np.zeros(nodes + 1)
    for node in range(nodes):
        total[tree[node]] += wanted[node]
        count[tree[node]] += 1.0
    open_sum = np.zeros(nodes + 1)
    for node in range(nodes):
        mean = 0.0 if tree[node] == nodes else total[tree[node]] / count[tree[node]]
        open_sum[node] = wanted[node] - mean
    degree = np.zeros(nodes + 1, np.int64)
    waiting = chosen.copy()
    for edge in range(head.size):
        if chosen[edge]:
            degree[head[edge]] += 1
            degree[tail[edge]] += 1
    degree[nodes] = -1  # the ground balances whatever reaches it and is never a leaf
    pruned = True
    while pruned:
        pruned = False
        for edge in range(head.size):
            if not waiting[edge]:
                continue
            up, down = head[edge], tail[edge]
            if degree[up] == 1:
                fitted[edge] = open_sum[up]
                open_sum[down] += open_sum[up]
            elif degree[down] == 1:
                fitted[edge] = -open_sum[down]
                open_sum[up] += open_sum[down]
            else:
                continue
            waiting[edge] = False
            degree[up] -= 1
            degree[down] -= 1
            pruned = True
