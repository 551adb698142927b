"""Conference on the GPU -> scores on the GPU. Only counts and curves leave it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unround.arrays import FloatArray
from unround.certificate import Certificate
from unround.errors import UsageError
from unround.gpu.certificate import certify_in_pieces
from unround.gpu.conference import GpuConference, arrange
from unround.gpu.launch import GpuArray, xp
from unround.gpu.metrics import KendallByLevels, level_counts
from unround.gpu.solver import GpuSweeps
from unround.metrics.kendall import KendallError
from unround.scale import Scale
from unround.selection.grid import count_pairs
from unround.selection.validation import PAPER_GRID, Curve, coarse_scale, undecided_reason
from unround.settings import AUTO, AUTO_PLUS, EPSILON, LambdaChoice
from unround.wording import option


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
    check_choice(lam)
    curve = validate_on_gpu(conference, scale, epsilon, tolerance, grid) if lam == AUTO else None
    strength = float(lam) if curve is None else curve.best
    layout, member = arrange(conference, conference.worth, conference.level, scale, epsilon)
    # Half of the tolerance leaves the certificate room for rounding.
    bound = tolerance * scale.spacing
    solved = GpuSweeps(layout).solve(strength, bound / 2.0)
    scores = xp.empty(conference.paper.size)
    scores[member] = solved.scores
    certificate = None
    if certified:
        certificate = certify_in_pieces(
            conference, scale, epsilon, strength, scores, wanted=bound, sweeps=solved.sweeps
        )
    return GpuScores(
        scores, solved.centres, strength, solved.bound, certificate, solved.sweeps, curve
    )


def check_choice(lam: float | LambdaChoice) -> None:
    """Refuse λ by simulation: conferences are not drawn on the GPU."""
    if lam == AUTO_PLUS:
        raise UsageError(
            f"λ is not chosen by simulation here: give {option('lam', AUTO)}, and it is chosen by "
            "validation"
        )


def validate_on_gpu(
    conference: GpuConference, scale: Scale, epsilon: float, tolerance: float, grid: FloatArray
) -> Curve:
    """Round the scores once more and see which λ restores their order best."""
    coarse, level = coarse_scale(scale, None)
    code = xp.asarray(level.astype(np.uint8))[conference.level]
    layout, member = arrange(conference, conference.level, code, coarse, epsilon)
    measure = KendallError.of_levels(level_counts(conference.level, scale.values.size))
    kendall = KendallByLevels(measure, conference.level[member])
    on_gpu: tuple[Any, Any] = (GpuSweeps(layout), kendall)
    pairs = count_pairs(*on_gpu, grid[::-1], tolerance * coarse.spacing, ahead=True)
    errors = np.array([measure.published_share(*each) for each in pairs])[::-1]
    reviews = int(conference.paper.size)
    return Curve(
        grid.copy(), errors, undecided_reason(grid, errors, reviews, float(measure.untied))
    )
