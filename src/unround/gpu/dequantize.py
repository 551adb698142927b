"""The two ways to solve on a GPU: the engine "gpu", and from arrays on the GPU to scores on the GPU.

On the second way nothing but counts and curves leaves the GPU.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from unround.arrays import FloatArray
from unround.certificate import Certificate
from unround.errors import UsageError
from unround.gpu.certificate import certify_on_gpu
from unround.gpu.conference import (
    ConferenceLayout,
    GpuConference,
    arrange,
    order_by_paper,
)
from unround.gpu.judging import GpuStatements
from unround.gpu.launch import GpuArray, memory_free, xp
from unround.gpu.metrics import KendallByLevels, level_counts
from unround.gpu.projections import bytes_of_posets
from unround.gpu.solver import GpuSolver, GpuSweeps
from unround.metrics.kendall import KendallError, PairCounts
from unround.problem.model import Problem
from unround.scale import Scale
from unround.selection.validation import PAPER_GRID, Curve, coarse_scale, undecided_reason
from unround.settings import AUTO, AUTO_PLUS, EPSILON, LambdaChoice
from unround.solver.engine import Engine, count_pairs
from unround.wording import option

GIGABYTE = 1e9
# Codes, papers, places, scores; what sorting the places and counting the errors take for a while.
BYTES_PER_REVIEW = 48
# Centres, means, the last sweeps of the acceleration, and the index.
BYTES_PER_PAPER = 200


class GpuEngine(Engine):
    """Solves run on this machine's NVIDIA GPU."""

    def solver(self, problem: Problem) -> GpuSolver:
        """Return a solver of the problem. Raise UsageError if the GPU's memory is too small."""
        check_memory(wanted_bytes(problem), memory_free())
        return GpuSolver(problem)

    def pairs_along(
        self,
        problem: Problem,
        measure: KendallError,
        lams: FloatArray,
        tolerance: float,
        *,
        ahead: bool,
    ) -> Iterable[PairCounts]:
        """Count the pairs that the solution for each descending λ gets wrong, on the GPU if they fit."""
        solver = self.solver(problem)
        kendall = KendallByLevels(measure, xp.asarray(measure.codes[solver.review]))
        extent = float(problem.upper.max() - problem.lower.min()) if len(problem) else 0.0
        if not kendall.fits(extent):
            return count_pairs(solver, measure, lams, tolerance, ahead=ahead)
        # Centres and scores never leave the GPU.
        there: tuple[Any, Any] = (solver.sweeps, kendall)
        return count_pairs(*there, lams, tolerance, ahead=ahead)


def wanted_bytes(problem: Problem) -> float:
    """Return about how much memory a problem takes on the GPU."""
    own = BYTES_PER_REVIEW * len(problem) + BYTES_PER_PAPER * problem.papers
    return float(own + bytes_of_posets(problem))


def check_memory(wanted: float, free: float) -> None:
    """Refuse a problem that does not fit."""
    if wanted > free:
        raise UsageError(
            f"the GPU has {free / GIGABYTE:.1f} GB of memory free and this problem wants "
            f"{wanted / GIGABYTE:.1f} GB: free some, take a larger GPU, or leave the engine out"
        )


@dataclass(frozen=True)
class GpuScores:
    """Scores on the GPU, one per review of the conference, and what is known about them."""

    scores: GpuArray
    centres: GpuArray  # one per paper: the mean of its scores
    lam: float
    bound: float  # no score is further from the optimum, but for rounding
    certificate: Certificate | None  # what is proven with rounding allowed for, unless left out
    sweeps: int
    curve: Curve | None


def dequantize_on_gpu(
    conference: GpuConference,
    scale: Scale,
    *,
    lam: float | LambdaChoice = AUTO,
    epsilon: float = EPSILON,
    tolerance: float = 1e-9,
    grid: FloatArray = PAPER_GRID,
    certified: bool = True,
) -> GpuScores:
    """Choose λ by validation unless it is given, solve, and certify the scores.

    The certificate judges the conference as it came in; it may not prove the tolerance, and says so.
    """
    if lam == AUTO_PLUS:
        raise UsageError(
            f"λ is not chosen by simulation here: leave out {option('lam', AUTO_PLUS)}, and it is "
            "chosen by validation"
        )
    ordered, row = order_by_paper(conference)
    curve = validate_on_gpu(ordered, scale, epsilon, tolerance, grid) if lam == AUTO else None
    strength = float(lam) if curve is None else curve.best
    arranged = lay_out(ordered, ordered.worth, ordered.level, scale, epsilon)
    # Half of the tolerance leaves the certificate room for rounding.
    bound = tolerance * scale.spacing
    solved = GpuSweeps(arranged.layout).solve(strength, bound / 2.0)
    scores = xp.empty(conference.paper.size)
    scores[row[arranged.member]] = solved.scores
    certificate = None
    if certified:
        certificate = certify_on_gpu(
            statements(conference, scale, epsilon), conference.papers, strength, scores,
            wanted=bound, sweeps=solved.sweeps,
        )  # fmt: skip
    return GpuScores(
        scores, solved.centres, strength, solved.bound, certificate, solved.sweeps, curve
    )


def statements(conference: GpuConference, scale: Scale, epsilon: float) -> GpuStatements:
    """Return what the certificate judges scores by."""
    return GpuStatements(
        start=conference.start,
        worth=conference.worth,
        gap=epsilon * scale.spacing,
        code=conference.level,
        cells=xp.asarray(np.stack([scale.values, scale.lower, scale.upper])),
        paper=conference.paper,
    )


def validate_on_gpu(
    conference: GpuConference, scale: Scale, epsilon: float, tolerance: float, grid: FloatArray
) -> Curve:
    """Round the scores once more and see which λ restores their order best."""
    coarse, level = coarse_scale(scale, None)
    code = xp.asarray(level.astype(np.uint8))[conference.level]
    arranged = lay_out(conference, conference.level, code, coarse, epsilon)
    measure = KendallError.of_levels(level_counts(conference.level, scale.values.size))
    kendall = KendallByLevels(measure, conference.level[arranged.member])
    there: tuple[Any, Any] = (GpuSweeps(arranged.layout), kendall)
    pairs = count_pairs(*there, grid[::-1], tolerance * coarse.spacing, ahead=True)
    errors = np.array([measure.published_share(*each) for each in pairs])[::-1]
    reviews = int(conference.paper.size)
    return Curve(
        grid.copy(), errors, undecided_reason(grid, errors, reviews, float(measure.untied))
    )


def lay_out(
    conference: GpuConference, worth: GpuArray, code: GpuArray, scale: Scale, epsilon: float
) -> ConferenceLayout:
    """Lay out the reviews in the order of `worth`, with the cells of a scale."""
    cells = np.stack([scale.values, scale.lower, scale.upper])
    return arrange(conference, worth, code, cells, epsilon * scale.spacing)
