"""The certificate on a GPU: certificate/bound.py's numbers from arrays that lie there. Imports no solver."""

from __future__ import annotations

import math

import numpy as np

from unround.arrays import FloatArray
from unround.certificate.bound import UNIT_ROUNDOFF, Certificate, certify
from unround.certificate.multipliers import NUMBERS, PLACES, TOUCHING, FitSpace
from unround.gpu.judging import (
    LONGEST_OWN,
    GpuStatements,
    Judged,
    judge_long,
    judge_short,
    take_room,
)
from unround.gpu.launch import GpuArray, for_each, in_strides, memory_free, to_host, xp
from unround.gpu.metrics import index_groups, paper_means
from unround.problem.model import Problem

# Reviews from which the GPU pays: its kernels compile in the time in which a processor certifies so many.
LEAST_REVIEWS = 12_000_000
# Cell, score, level, review and paper of each place, the index by paper, and what sorting it takes.
BYTES_PER_REVIEW = 96
BYTES_PER_PAPER = 24
BYTES_OF_ROOM = 8 * NUMBERS + 4 * PLACES + 8 + 4  # per place


def certify_where_quickest(
    problem: Problem, lam: float, scores: FloatArray, *, wanted: float = 0.0, sweeps: int = 0
) -> Certificate:
    """Certify large problems on the GPU, where they fit, and others on the processor."""
    on_gpu = len(problem) >= LEAST_REVIEWS and fits_on_gpu(problem)
    work = certify_problem_on_gpu if on_gpu else certify
    return work(problem, lam, scores, wanted=wanted, sweeps=sweeps)


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


def fits_on_gpu(problem: Problem) -> bool:
    """Whether the GPU can judge a problem: orders in levels, no cell opened, and enough memory."""
    if problem.posets.member.size or problem.openings.review.size:
        return False
    sizes = np.diff(problem.chains.start).astype(np.float64)
    room = np.where(sizes > LONGEST_OWN, sizes * (sizes / 4.0 + 1.0) + 2.0, 0.0).sum()
    wanted = BYTES_PER_REVIEW * len(problem) + BYTES_PER_PAPER * problem.papers
    return bool(wanted + BYTES_OF_ROOM * room <= memory_free())


def certify_problem_on_gpu(
    problem: Problem, lam: float, scores: FloatArray, *, wanted: float = 0.0, sweeps: int = 0
) -> Certificate:
    """Send a problem and its scores to the GPU and certify them there."""
    chains = problem.chains
    single = np.ones(len(problem), dtype=np.bool_)
    single[chains.member] = False
    alone = np.flatnonzero(single)
    ends = chains.start[-1] + np.arange(1, alone.size + 1)
    gap = np.concatenate([chains.gap, np.zeros(alone.size)])
    levels = np.concatenate([chains.height, np.zeros(alone.size, dtype=chains.height.dtype)])
    stated = GpuStatements(
        start=xp.asarray(np.concatenate([chains.start, ends]).astype(np.int32)),
        member=xp.asarray(np.concatenate([chains.member, alone]).astype(np.int32)),
        worth=xp.asarray(levels),
        gap=xp.asarray(gap if gap.size else np.zeros(1)),
        code=xp.arange(len(problem), dtype=xp.int32),
        cells=xp.asarray(np.stack([problem.given, problem.lower, problem.upper])),
        paper=xp.asarray(problem.paper.astype(np.int32)),
    )
    return certify_on_gpu(
        stated, problem.papers, lam, xp.array(scores), wanted=wanted, sweeps=sweeps
    )


class _Room:
    """Working space on the GPU for the components that need it."""

    def __init__(self, stated: GpuStatements) -> None:
        sizes = xp.zeros(stated.start.size - 1, dtype=xp.int64)
        for_each(take_room, sizes.size, stated, sizes)
        self._first = xp.zeros(sizes.size + 1, dtype=xp.int64)
        self._first[1:] = xp.cumsum(sizes)
        self._size = int(self._first[-1])
        self._order = xp.empty(self._size, dtype=xp.int32)
        self._space = FitSpace(
            xp.empty((NUMBERS, self._size)),
            xp.empty((PLACES, self._size), dtype=xp.int32),
            xp.empty(2 * self._size, dtype=xp.int32),
        )

    def judge(self, stated: GpuStatements, judged: Judged) -> tuple[float, float]:
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
