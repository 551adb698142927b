"""Papers on the card: the means of their scores, and where to start from.

Every mean adds the scores of its paper in one fixed order: no addition of floats is left to chance.
"""

from __future__ import annotations

import numpy as np
from numba import float64

from unround.card.index import MANY, PaperIndex
from unround.card.launch import (
    GATHERING,
    THREADS,
    CardArray,
    blocks_of,
    cuda,
    for_each,
    on_card,
)
from unround.solver.kernels.centres import scores_only_centre


@cuda.jit
def _long_means(
    many: CardArray, start: CardArray, places: CardArray, scores: CardArray, means: CardArray
) -> None:
    """Write the mean of one paper per block."""
    part = cuda.shared.array(THREADS, float64)
    thread, paper = cuda.threadIdx.x, many[cuda.blockIdx.x]
    total = 0.0
    for k in range(start[paper] + thread, start[paper + 1], THREADS):
        total += scores[places[k]]
    part[thread] = total
    cuda.syncthreads()
    step = THREADS // 2
    while step > 0:
        if thread < step:
            part[thread] += part[thread + step]
        cuda.syncthreads()
        step //= 2
    if thread == 0:
        means[paper] = part[0] / (start[paper + 1] - start[paper])


@cuda.jit
def _move_centres(
    start: CardArray,
    places: CardArray,
    scores: CardArray,
    centres: CardArray,
    means: CardArray,
    furthest: CardArray,
) -> None:
    """Write the means of all other papers; each block finds how far any centre of its papers moved."""
    part = cuda.shared.array(THREADS, float64)
    thread = cuda.threadIdx.x
    moved = 0.0
    for paper in range(cuda.grid(1), centres.size, cuda.gridsize(1)):
        first, last = start[paper], start[paper + 1]
        if last - first <= MANY:
            total, k = 0.0, first
            while k + 4 <= last:  # four at a time: none waits for the other
                one, two = scores[places[k]], scores[places[k + 1]]
                three, four = scores[places[k + 2]], scores[places[k + 3]]
                total = total + one + two + three + four
                k += 4
            while k < last:
                total += scores[places[k]]
                k += 1
            means[paper] = total / (last - first) if last > first else centres[paper]
        moved = max(moved, abs(means[paper] - centres[paper]))
    part[thread] = moved
    cuda.syncthreads()
    step = THREADS // 2
    while step > 0:
        if thread < step:
            part[thread] = max(part[thread], part[thread + step])
        cuda.syncthreads()
        step //= 2
    if thread == 0:
        furthest[cuda.blockIdx.x] = part[0]


@cuda.jit
def take_largest(values: CardArray, largest: CardArray) -> None:
    """Write the largest of some values, with one block."""
    part = cuda.shared.array(GATHERING, float64)
    thread = cuda.threadIdx.x
    most = 0.0
    for k in range(thread, values.size, GATHERING):
        most = max(most, abs(values[k]))
    part[thread] = most
    cuda.syncthreads()
    step = GATHERING // 2
    while step > 0:
        if thread < step:
            part[thread] = max(part[thread], part[thread + step])
        cuda.syncthreads()
        step //= 2
    if thread == 0:
        largest[0] = part[0]


class Means:
    """Moves centres to the means of the scores."""

    def __init__(self, index: PaperIndex) -> None:
        self._index = index
        self._furthest = cuda.device_array(blocks_of(index.start.size - 1), dtype=np.float64)
        self._largest = cuda.device_array(1, dtype=np.float64)

    def move(self, scores: CardArray, centres: CardArray, means: CardArray) -> float:
        """Write the means and return how far any centre moved."""
        start, places, many = self._index
        if many.size:
            _long_means[many.size, THREADS](many, start, places, scores, means)
        _move_centres[self._furthest.size, THREADS](
            start, places, scores, centres, means, self._furthest
        )
        take_largest[1, GATHERING](self._furthest, self._largest)
        return float(self._largest.copy_to_host()[0])


@cuda.jit
def _codes_by_paper(code: CardArray, places: CardArray, by_paper: CardArray) -> None:
    k = cuda.grid(1)
    if k < places.size:
        by_paper[k] = code[places[k]]


_scores_only_centre = on_card(scores_only_centre)


@cuda.jit
def _scores_only_centres(
    given: CardArray,
    lower: CardArray,
    upper: CardArray,
    weight: float,
    by_paper: CardArray,
    start: CardArray,
    centres: CardArray,
) -> None:
    paper = cuda.grid(1)
    if paper < centres.size:
        first, last = start[paper], start[paper + 1]
        centres[paper] = 0.0  # a paper without reviews pulls nobody
        if first < last:
            centres[paper] = _scores_only_centre(given, weight, lower, upper, by_paper, first, last)


def first_centres(code: CardArray, cells: CardArray, index: PaperIndex, weight: float) -> CardArray:
    """Return the exact centres if nothing were ranked."""
    by_paper = cuda.device_array(code.size, dtype=code.dtype)
    for_each(_codes_by_paper, code.size, code, index.places, by_paper)
    centres = cuda.device_array(index.start.size - 1, dtype=np.float64)
    for_each(
        _scores_only_centres, centres.size,
        cells[0], cells[1], cells[2], weight, by_paper, index.start, centres,
    )  # fmt: skip
    return centres
