"""The certificate on a GPU: certificate/bound.py's numbers from arrays that lie there. Imports no solver."""

from __future__ import annotations

import math

from unround.certificate.bound import UNIT_ROUNDOFF, Certificate
from unround.certificate.multipliers import NUMBERS, PLACES, TOUCHING, FitSpace
from unround.gpu.judging import (
    GpuStatements,
    JudgedScores,
    count_places,
    judge_long,
    judge_short,
)
from unround.gpu.launch import GpuArray, for_each, in_strides, to_host, xp
from unround.gpu.metrics import index_groups, paper_means


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
