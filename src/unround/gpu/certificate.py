"""The certificate on a GPU: certificate/bound.py's numbers from arrays that lie there. Imports no solver.

One thread judges one component. The steps are those of certificate/bound.py, for orders in levels: every
review at a level lies above every review at the level before. A review in no comparison is a component of
its own.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int32

from unround.certificate.bound import UNIT_ROUNDOFF, Certificate
from unround.certificate.multipliers import NUMBERS, PLACES, TOUCHING, FitSpace, fit
from unround.gpu.launch import GpuArray, compiled_for_gpu, cuda, for_each, in_strides, to_host, xp
from unround.gpu.metrics import index_groups, paper_means

# Components of up to so many reviews are judged in the thread's own memory.
LONGEST_OWN = 8
ROOM_OWN = LONGEST_OWN + LONGEST_OWN * LONGEST_OWN // 4 + 2
LINKS_OWN = 2 * ROOM_OWN

_fit = compiled_for_gpu(fit)


class GpuStatements(NamedTuple):
    """Reviews on the GPU and their orders: the reviews of a component follow each other."""

    start: Any  # where each component's reviews start, and the end
    worth: Any  # one per review: the level in the order, worst first, ties alike
    gap: float  # between neighbouring levels
    code: Any  # one per review: its cell
    cells: Any  # rows: given score, lower end, upper end
    paper: Any  # one per review


class JudgedScores(NamedTuple):
    """The scores, and what is known about them beforehand."""

    scores: Any  # one per review
    means: Any  # one per paper
    paper_start: Any  # where each paper's reviews start
    pull: float  # 1, or 0 where the means count for nothing
    stay: float  # λ, or 1 where it is infinite
    weight: float  # 1 + λ, or 1
    reach: float  # the slack up to which a constraint is touched
    roundoff: float
    largest: float  # the largest number in play


@cuda.jit(device=True)
def _level_end(stated: GpuStatements, order: GpuArray, first: int, size: int) -> int:
    """Return the first node above the level that starts at a node."""
    last = first
    while last < size and stated.worth[order[last]] == stated.worth[order[first]]:
        last += 1
    return last


@cuda.jit(device=True)
def _sort(begin: int, size: int, stated: GpuStatements, order: GpuArray) -> None:
    """Order the reviews of a component by level; those of one level stay as they come."""
    for k in range(size):
        spot = k
        while spot > 0 and stated.worth[order[spot - 1]] > stated.worth[begin + k]:
            order[spot] = order[spot - 1]
            spot -= 1
        order[spot] = begin + k


@cuda.jit(device=True)
def _touch_cells(
    size: int, stated: GpuStatements, judged: JudgedScores, order: GpuArray, space: FitSpace
) -> int:
    """Write the gradient, and an edge to the ground for every end of a cell that is touched."""
    wanted, head, tail = space.numbers[0], space.places[0], space.places[1]
    edges = 0
    for node in range(size):
        review = order[node]
        score, cell = judged.scores[review], stated.code[review]
        mean = judged.means[stated.paper[review]]
        gradient = judged.pull * (score - mean) + judged.stay * (score - stated.cells[0, cell])
        wanted[node] = gradient
        at_lower = score - stated.cells[1, cell] <= judged.reach
        at_upper = stated.cells[2, cell] - score <= judged.reach
        if at_upper and not (at_lower and gradient > 0.0):
            head[edges], tail[edges] = size, node
            edges += 1
        elif at_lower:
            head[edges], tail[edges] = node, size
            edges += 1
    return edges


@cuda.jit(device=True)
def _touch_pairs(
    size: int,
    edges: int,
    stated: GpuStatements,
    judged: JudgedScores,
    order: GpuArray,
    space: FitSpace,
) -> int:
    """Add an edge for every touched pair of neighbouring levels."""
    head, tail = space.places[0], space.places[1]
    first, middle = 0, _level_end(stated, order, 0, size)
    while middle < size:
        last = _level_end(stated, order, middle, size)
        for below in range(first, middle):
            floor = judged.scores[order[below]]
            for above in range(middle, last):
                if judged.scores[order[above]] - floor - stated.gap <= judged.reach:
                    head[edges], tail[edges] = above, below
                    edges += 1
        first, middle = middle, last
    return edges


@cuda.jit(device=True)
def _judge_pairs(
    size: int,
    edge: int,
    edges: int,
    stated: GpuStatements,
    judged: JudgedScores,
    order: GpuArray,
    space: FitSpace,
) -> tuple[float, float]:
    """Add up what pairs explain, their forces and their number at each node.

    Return how far any pair moves to be met exactly, and how far any is broken.
    """
    value, head, tail = space.numbers[1], space.places[0], space.places[1]
    explained, forces, degree = space.numbers[3], space.numbers[4], space.numbers[5]
    unsure = 2.0 * judged.roundoff * judged.largest
    furthest = broken = 0.0
    first, middle = 0, _level_end(stated, order, 0, size)
    while middle < size:
        last = _level_end(stated, order, middle, size)
        for below in range(first, middle):
            floor = judged.scores[order[below]]
            for above in range(middle, last):
                slack = judged.scores[order[above]] - floor - stated.gap
                force = 0.0
                if edge < edges and head[edge] == above and tail[edge] == below:
                    force = value[edge]
                    edge += 1
                explained[above] += force
                explained[below] -= force
                forces[above] += force
                forces[below] += force
                degree[above] += 1.0
                degree[below] += 1.0
                furthest = max(furthest, (abs(slack) if force > 0.0 else max(-slack, 0.0)) + unsure)
                broken = max(broken, -slack)
        first, middle = middle, last
    return furthest, broken


@cuda.jit(device=True)
def _judge(
    component: int, stated: GpuStatements, judged: JudgedScores, order: GpuArray, space: FitSpace
) -> tuple[float, float]:
    """Return how far any score of a component can be off, times λ, and how far a constraint is broken."""
    begin = stated.start[component]
    size = stated.start[component + 1] - begin
    _sort(begin, size, stated, order)
    cells = _touch_cells(size, stated, judged, order, space)
    edges = _touch_pairs(size, cells, stated, judged, order, space)
    _fit(size, edges, space)
    wanted, value, head, tail = (
        space.numbers[0],
        space.numbers[1],
        space.places[0],
        space.places[1],
    )
    explained, forces, degree = space.numbers[3], space.numbers[4], space.numbers[5]
    furthest = broken = 0.0
    edge = 0
    for node in range(size):
        review = order[node]
        score, cell = judged.scores[review], stated.code[review]
        lower, upper = stated.cells[1, cell], stated.cells[2, cell]
        outside = max(max(lower - score, score - upper), 0.0)
        off, force = outside, 0.0
        if edge < cells and (head[edge] == node or tail[edge] == node):
            force = value[edge] if head[edge] == node else -value[edge]
            edge += 1
        if force > 0.0:
            off = max(off, abs(score - lower))
        elif force < 0.0:
            off = max(off, abs(upper - score))
        explained[node], forces[node], degree[node] = force, abs(force), 1.0
        furthest, broken = max(furthest, off), max(broken, outside)
    by_pairs, apart = _judge_pairs(size, cells, edges, stated, judged, order, space)
    moved = 2.0 * size * max(furthest, by_pairs)
    most = 0.0
    for node in range(size):
        review = order[node]
        paper = stated.paper[review]
        reviews = judged.paper_start[paper + 1] - judged.paper_start[paper]
        given = stated.cells[0, stated.code[review]]
        rounding = judged.pull * (reviews + 4.0) * judged.largest
        rounding += 4.0 * judged.stay * abs(judged.scores[review] - given)
        rounding += (degree[node] + 2.0) * forces[node]
        off = abs(wanted[node] - explained[node]) + judged.roundoff * rounding
        off += judged.weight * moved
        # A NaN proves nothing.
        most = max(most, off) if off == off else np.inf
    return most, max(broken, apart)


@cuda.jit
def judge_short(stated: GpuStatements, judged: JudgedScores, found: GpuArray) -> None:
    """Judge the components that fit into the thread's own memory; write the largest numbers found."""
    numbers = cuda.local.array((NUMBERS, ROOM_OWN), float64)
    places = cuda.local.array((PLACES, ROOM_OWN), int32)
    links = cuda.local.array(LINKS_OWN, int32)
    order = cuda.local.array(LONGEST_OWN, int32)
    most = broken = 0.0
    for component in range(cuda.grid(1), stated.start.size - 1, cuda.gridsize(1)):
        if stated.start[component + 1] - stated.start[component] <= LONGEST_OWN:
            off, apart = _judge(component, stated, judged, order, FitSpace(numbers, places, links))
            most, broken = max(most, off), max(broken, apart)
    cuda.atomic.max(found, 0, most)
    cuda.atomic.max(found, 1, broken)


@cuda.jit
def judge_long(
    stated: GpuStatements,
    judged: JudgedScores,
    room: GpuArray,
    order: GpuArray,
    space: FitSpace,
    found: GpuArray,
) -> None:
    """Judge the other components, each in its own part of working space in arrays of the GPU."""
    most = broken = 0.0
    for component in range(cuda.grid(1), stated.start.size - 1, cuda.gridsize(1)):
        first, last = room[component], room[component + 1]
        if last > first:
            own = FitSpace(
                space.numbers[:, first:last],
                space.places[:, first:last],
                space.links[2 * first : 2 * last],
            )
            off, apart = _judge(component, stated, judged, order[first:last], own)
            most, broken = max(most, off), max(broken, apart)
    cuda.atomic.max(found, 0, most)
    cuda.atomic.max(found, 1, broken)


@cuda.jit
def count_places(stated: GpuStatements, room: GpuArray) -> None:
    """Write how many places of working space in arrays of the GPU each component needs."""
    component = cuda.grid(1)
    if component < room.size:
        first, last = stated.start[component], stated.start[component + 1]
        places = 0
        if last - first > LONGEST_OWN:
            places = last - first + 2
            for place in range(first, last):
                places += _next_level(stated, first, last, stated.worth[place])
        room[component] = places


@cuda.jit(device=True)
def _next_level(stated: GpuStatements, first: int, last: int, worth: int) -> int:
    """Return how many reviews of a component are on the next level above one of such worth."""
    count, level = 0, worth
    for place in range(first, last):
        other = stated.worth[place]
        if other > worth:
            if level == worth or other < level:
                count, level = 0, other
            if other == level:
                count += 1
    return count


def certify_on_gpu(
    stated: GpuStatements,
    papers: int,
    lam: float,
    scores: GpuArray,
    *,
    wanted: float = 0.0,
    sweeps: int = 0,
) -> Certificate:
    """Return the sharpest bound found; the search ends as soon as it is below `wanted`."""
    index = index_groups(stated.paper, papers)
    means = paper_means(index, scores)
    largest = max(float(xp.abs(stated.cells[1:]).max()), float(xp.abs(scores).max()))
    infinite = math.isinf(lam)
    best, violation, buffers = math.inf, 0.0, _FitBuffers(stated)
    for touching in TOUCHING:
        judged = JudgedScores(
            scores, means, index.start,
            pull=0.0 if infinite else 1.0,
            stay=1.0 if infinite else lam,
            weight=1.0 if infinite else 1.0 + lam,
            reach=touching * largest,
            roundoff=UNIT_ROUNDOFF,
            largest=largest,
        )  # fmt: skip
        off, violation = buffers.judge(stated, judged)
        best = min(best, off if infinite else off / lam)
        if best <= wanted:
            break
    return Certificate(best, violation, _objective(stated, means, lam, scores), sweeps)


class _FitBuffers:
    """Working space on the GPU for the components that need it."""

    def __init__(self, stated: GpuStatements) -> None:
        sizes = xp.zeros(stated.start.size - 1, dtype=xp.int64)
        for_each(count_places, sizes.size, stated, sizes)
        self._first = xp.zeros(sizes.size + 1, dtype=xp.int64)
        self._first[1:] = xp.cumsum(sizes)
        self._size = int(self._first[-1])
        self._order = xp.empty(self._size, dtype=xp.int32)
        self._space = FitSpace(
            xp.empty((NUMBERS, self._size)),
            xp.empty((PLACES, self._size), dtype=xp.int32),
            xp.empty(2 * self._size, dtype=xp.int32),
        )

    def judge(self, stated: GpuStatements, judged: JudgedScores) -> tuple[float, float]:
        """Return how far any score can be off, times λ, and how far any constraint is broken."""
        components, found = stated.start.size - 1, xp.zeros(2)
        in_strides(judge_short, components, stated, judged, found)
        if self._size:
            in_strides(
                judge_long, components,
                stated, judged, self._first, self._order, self._space, found,
            )  # fmt: skip
        most, broken = to_host(found).tolist()
        return most, broken


def _objective(stated: GpuStatements, means: GpuArray, lam: float, scores: GpuArray) -> float:
    """Return the objective, added up in one fixed order."""
    distance = stated.cells[0][stated.code]
    distance -= scores
    from_given = float(xp.dot(distance, distance))
    if math.isinf(lam):
        return from_given
    distance = means[stated.paper]
    distance -= scores
    return float(xp.dot(distance, distance)) + lam * from_given
