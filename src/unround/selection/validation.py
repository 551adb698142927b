"""Quantization validation (Algorithm 2): the λ that best restores scores after rounding them once more."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.errors import UsageError
from unround.metrics import KendallError
from unround.problem.build import build_problem
from unround.progress import StepProgress
from unround.reviews.review_set import ReviewSet, Statements
from unround.scale import MOST_LEVELS, Scale
from unround.selection.curve import PAPER_GRID, Curve, why_undecided
from unround.settings import Policy, Settings, checked_lambda
from unround.solver.engine import ON_THIS_MACHINE, Engine, solutions

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
    problem, falling = build_problem(coarse, settings)[0], lams[::-1]
    bound = tolerance * coarse.scale.spacing
    along: Iterable[float]
    if loss is None:
        measure = KendallError(reviews.given)
        counted = engine.pairs_along(problem, measure, falling, bound, ahead=True)
        along, pairs = (measure.published_share(*each) for each in counted), float(measure.untied)
    else:
        solved = solutions(engine.solver(problem), falling, bound, ahead=True)
        along, pairs = (
            (_checked_loss(loss, reviews.given, each.scores) for each in solved),
            math.inf,
        )
    errors = np.empty(lams.size)
    for done, error in enumerate(along, start=1):
        errors[lams.size - done] = error
        if progress is not None:
            progress(done, int(lams.size))
    return Curve(lams, errors, why_undecided(lams, errors, len(reviews), pairs))


def coarsen_reviews(reviews: ReviewSet, coarsening: Coarsening | None = None) -> ReviewSet:
    """Round the scores once more, and take the order of the finer scores as the ranking."""
    scale, level = coarse_scale(reviews.scale, coarsening)
    statements = Statements.ranks_only(-reviews.level.astype(np.float64))
    return replace(reviews, level=level[reviews.level], scale=scale, statements=statements)


def coarse_scale(scale: Scale, coarsening: Coarsening | None) -> tuple[Scale, IntArray]:
    """Return the coarser scale, and for each level of the finer one its level there."""
    values = _coarse_values(scale, coarsening)
    if np.all(values == np.rint(values)) and np.ptp(values) < MOST_LEVELS:
        coarse = Scale.integers(int(values.min()), int(values.max()))
    else:
        coarse = Scale(np.unique(values).tolist())
    return coarse, np.searchsorted(coarse.values, values).astype(np.int64)


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
