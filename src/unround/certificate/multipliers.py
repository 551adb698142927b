"""Multipliers of the constraints that given scores touch, component by component.

Whatever comes out is non-negative, which is all that the certificate relies on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unround.arrays import BoolArray, FloatArray
from unround.certificate.fit import NUMBERS, PLACES, FitSpace, fit
from unround.compiler import compiled
from unround.problem.model import Comparisons


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
