"""The certificate on a card: bound.py's numbers from arrays that lie there. Imports no solver."""

from __future__ import annotations

import math

import numpy as np
from numba import float64

from unround.arrays import FloatArray
from unround.card.extents import extent
from unround.card.index import PaperIndex, index_papers, prefix_sums
from unround.card.launch import THREADS, CardArray, blocks_of, cuda, for_each, memory_free
from unround.certificate.bound import TOUCHING, UNIT_ROUNDOFF, Certificate
from unround.certificate.fit import NUMBERS, PLACES, FitSpace
from unround.certificate.judging import (
    LONGEST_OWN,
    CardStatements,
    Judged,
    judge_long,
    judge_short,
    take_room,
)
from unround.problem.model import Problem

# Cell, score, level, review and paper of each place, and the index by paper.
BYTES_PER_REVIEW = 64
BYTES_PER_PAPER = 24
BYTES_OF_ROOM = 8 * NUMBERS + 4 * PLACES + 8 + 4  # per place


def certify_on_card(
    stated: CardStatements,
    papers: int,
    lam: float,
    scores: CardArray,
    *,
    wanted: float = 0.0,
    sweeps: int = 0,
) -> Certificate:
    """Return the sharpest bound found; the search ends as soon as it is below `wanted`."""
    index = index_papers(stated.paper, papers)
    means = _means(index, scores)
    ends = stated.cells.copy_to_host()[1:]
    largest = max(float(np.abs(ends).max(initial=0.0)), *map(abs, extent(scores)))
    infinite = math.isinf(lam)
    best, violation, room = math.inf, 0.0, _Room(stated)
    for touching in TOUCHING:
        judged = Judged(
            scores, means, index.start,
            pull=0.0 if infinite else 1.0,
            stay=1.0 if infinite else lam,
            weight=1.0 if infinite else 1.0 + lam,
            reach=touching * largest,
            roundoff=UNIT_ROUNDOFF,
            largest=largest,
        )  # fmt: skip
        off, violation = room.judge(stated, judged)
        best = min(best, off if infinite else off / lam)
        if best <= wanted:
            break
    return Certificate(best, violation, _objective(stated, means, lam, scores), sweeps)


def fits_on_card(problem: Problem) -> bool:
    """Whether the card can judge a problem: orders in levels, no cell opened, and enough memory."""
    if problem.posets.member.size or problem.openings.review.size:
        return False
    sizes = np.diff(problem.chains.start).astype(np.float64)
    room = np.where(sizes > LONGEST_OWN, sizes * (sizes / 4.0 + 1.0) + 2.0, 0.0).sum()
    wanted = BYTES_PER_REVIEW * len(problem) + BYTES_PER_PAPER * problem.papers
    return bool(wanted + BYTES_OF_ROOM * room <= memory_free())


def certify_problem_on_card(
    problem: Problem, lam: float, scores: FloatArray, *, wanted: float = 0.0, sweeps: int = 0
) -> Certificate:
    """Send a problem and its scores to the card and certify them there."""
    chains = problem.chains
    single = np.ones(len(problem), dtype=np.bool_)
    single[chains.member] = False
    alone = np.flatnonzero(single)
    ends = chains.start[-1] + np.arange(1, alone.size + 1)
    gap = np.concatenate([chains.gap, np.zeros(alone.size)])
    levels = np.concatenate([chains.height, np.zeros(alone.size, dtype=chains.height.dtype)])
    stated = CardStatements(
        start=cuda.to_device(np.concatenate([chains.start, ends]).astype(np.int32)),
        member=cuda.to_device(np.concatenate([chains.member, alone]).astype(np.int32)),
        worth=cuda.to_device(levels),
        gap=cuda.to_device(gap if gap.size else np.zeros(1)),
        code=cuda.to_device(np.arange(len(problem), dtype=np.int32)),
        cells=cuda.to_device(np.stack([problem.given, problem.lower, problem.upper])),
        paper=cuda.to_device(problem.paper.astype(np.int32)),
    )
    return certify_on_card(
        stated, problem.papers, lam, cuda.to_device(scores), wanted=wanted, sweeps=sweeps
    )


class _Room:
    """Working space on the card for the components that need it."""

    def __init__(self, stated: CardStatements) -> None:
        components = stated.start.size - 1
        sizes = cuda.device_array(components, dtype=np.int64)
        for_each(take_room, components, stated, sizes)
        self._first = cuda.device_array(components + 1, dtype=np.int64)
        self._size = prefix_sums(sizes, self._first) if components else 0
        self._order = cuda.device_array(self._size, dtype=np.int32)
        self._space = FitSpace(
            cuda.device_array((NUMBERS, self._size), dtype=np.float64),
            cuda.device_array((PLACES, self._size), dtype=np.int32),
            cuda.device_array(2 * self._size, dtype=np.int32),
        )

    def judge(self, stated: CardStatements, judged: Judged) -> tuple[float, float]:
        """Return how far any score can be off, times λ, and how far any constraint is broken."""
        blocks = blocks_of(stated.start.size - 1)
        found = cuda.device_array((2, blocks), dtype=np.float64)
        judge_short[blocks, THREADS](stated, judged, found)
        most = found.copy_to_host().max(axis=1)
        if self._size:
            judge_long[blocks, THREADS](
                stated, judged, self._first, self._order, self._space, found
            )
            most = np.maximum(most, found.copy_to_host().max(axis=1))
        return float(most[0]), float(most[1])


@cuda.jit
def _add_up(start: CardArray, places: CardArray, scores: CardArray, means: CardArray) -> None:
    """Write the mean of each paper's scores, added in the order of its reviews."""
    paper = cuda.grid(1)
    if paper < means.size:
        first, last = start[paper], start[paper + 1]
        total = 0.0
        for k in range(first, last):
            total += scores[places[k]]
        means[paper] = total / (last - first) if last > first else 0.0


def _means(index: PaperIndex, scores: CardArray) -> CardArray:
    means = cuda.device_array(index.start.size - 1, dtype=np.float64)
    for_each(_add_up, means.size, index.start, index.places, scores, means)
    return means


@cuda.jit
def _squares(
    code: CardArray,
    paper: CardArray,
    cells: CardArray,
    means: CardArray,
    scores: CardArray,
    sums: CardArray,
) -> None:
    """Write each block's sums of (y − ȳ)² and (y − z)²."""
    around = cuda.shared.array(THREADS, float64)
    away = cuda.shared.array(THREADS, float64)
    thread = cuda.threadIdx.x
    from_mean = from_given = 0.0
    for k in range(cuda.grid(1), scores.size, cuda.gridsize(1)):
        one, other = scores[k] - means[paper[k]], scores[k] - cells[0, code[k]]
        from_mean += one * one
        from_given += other * other
    around[thread], away[thread] = from_mean, from_given
    cuda.syncthreads()
    if thread == 0:
        for other_thread in range(1, THREADS):
            around[0] += around[other_thread]
            away[0] += away[other_thread]
        sums[0, cuda.blockIdx.x], sums[1, cuda.blockIdx.x] = around[0], away[0]


def _objective(stated: CardStatements, means: CardArray, lam: float, scores: CardArray) -> float:
    """Return the objective, added up in one fixed order."""
    sums = cuda.device_array((2, blocks_of(scores.size)), dtype=np.float64)
    _squares[sums.shape[1], THREADS](stated.code, stated.paper, stated.cells, means, scores, sums)
    from_mean, from_given = (math.fsum(part) for part in sums.copy_to_host())
    return from_given if math.isinf(lam) else from_mean + lam * from_given
