"""Quantization validation (Algorithm 2): the λ that best restores scores after rounding them once more."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.metrics import KendallError
from unround.problem.build import build_problem
from unround.progress import StepProgress
from unround.reviews.review_set import ReviewSet, Statements
from unround.scale import MOST_LEVELS, Scale
from unround.selection.curve import PAPER_GRID, Curve, why_undecided
from unround.settings import Policy, Settings, checked_lambda
from unround.solver.engine import ON_THIS_MACHINE, Engine

Coarsening = Callable[[FloatArray], FloatArray]
Loss = Callable[[FloatArray, FloatArray], float]


def validate(
    reviews: ReviewSet,
    *,
    epsilon: float,
    grid: Sequence[float] | FloatArray | None = None,
    coarsening: Coarsening | None = None,
    loss: Loss | None = None,
    tolerance: float = 1e-9,
    progress: StepProgress | None = None,
    engine: Engine = ON_THIS_MACHINE,
) -> Curve:
    """Compute the whole curve, from the largest λ down so that each solution starts the next.

    The default loss is the Kendall-tau error in the paper's program's own arithmetic, so that its
    choices are repeated to the last bit. With loss=metrics.kendall_error equal errors are equal
    numbers, and the smallest λ wins among them without exception.
    """
    lams = _checked_grid(PAPER_GRID if grid is None else grid)
    settings = Settings(epsilon=epsilon, conflicts=Policy.SCORES)
    coarse = coarsen_reviews(reviews, coarsening)
    solver = engine.solver(build_problem(coarse, settings)[0])
    bound = tolerance * coarse.scale.spacing
    measure = KendallError(reviews.given) if loss is None else None
    errors, walked = np.empty(lams.size), list[tuple[float, FloatArray]]()
    for done, place in enumerate(range(lams.size - 1, -1, -1), start=1):
        weight = 1.0 / (1.0 + float(lams[place]))
        solution = solver.solve(float(lams[place]), bound, _extrapolated(walked, weight))
        walked = [*walked[-1:], (weight, solution.centres)]
        errors[place] = (
            measure.published(solution.scores)
            if measure is not None
            else _checked_loss(loss, reviews.given, solution.scores)  # type: ignore[arg-type]
        )
        if progress is not None:
            progress(done, int(lams.size))
    pairs = math.inf if measure is None else float(measure.untied)
    return Curve(lams, errors, why_undecided(lams, errors, len(reviews), pairs))


def _extrapolated(walked: list[tuple[float, FloatArray]], weight: float) -> FloatArray | None:
    """Extrapolate the centres of the last two λ, linearly in 1/(1+λ)."""
    if not walked:
        return None
    last, centres = walked[-1]
    if len(walked) == 1 or walked[0][0] == last:
        return centres
    before, earlier = walked[0]
    return centres + (centres - earlier) * ((weight - last) / (last - before))


def coarsen_reviews(reviews: ReviewSet, coarsening: Coarsening | None = None) -> ReviewSet:
    """Round the scores once more, and take the order of the finer scores as the ranking."""
    coarse = _coarse_values(reviews.scale, coarsening)
    if np.all(coarse == np.rint(coarse)) and np.ptp(coarse) < MOST_LEVELS:
        scale = Scale.integers(int(coarse.min()), int(coarse.max()))
    else:
        scale = Scale(np.unique(coarse).tolist())
    level = np.searchsorted(scale.values, coarse)[reviews.level].astype(np.int64)
    statements = Statements.ranks_only(-reviews.level.astype(np.float64))
    return replace(reviews, level=level, scale=scale, statements=statements)


def _coarse_values(scale: Scale, coarsening: Coarsening | None) -> FloatArray:
    if coarsening is None:
        return scale.coarse_values()
    coarse = np.asarray(coarsening(scale.values.copy()), dtype=np.float64)
    if coarse.shape != scale.values.shape or not np.all(np.isfinite(coarse)):
        raise UsageError("coarsening must return one finite number for each level of the scale")
    if np.any(np.diff(coarse) < 0.0):
        raise UsageError("coarsening must not reverse the order of levels")
    return coarse


def _checked_grid(grid: Sequence[float] | FloatArray) -> FloatArray:
    try:
        lams = np.array([checked_lambda(lam) for lam in grid], dtype=np.float64)
    except (TypeError, UsageError):
        raise UsageError(f"grid must be a list of numbers above 0, not {grid!r}") from None
    if not lams.size:
        raise UsageError("grid must hold at least one value of λ")
    return np.unique(lams)


def _checked_loss(loss: Loss, truth: FloatArray, estimate: FloatArray) -> float:
    if not callable(loss):
        raise UsageError(f"loss must be a function of (scores, restored scores), not {loss!r}")
    value = loss(truth, estimate)
    if not isinstance(value, int | float | np.number) or np.isnan(value):
        raise UsageError(f"loss must return a number, not {value!r}")
    return float(value)
