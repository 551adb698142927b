"""Quantization validation (Algorithm 2): the λ that best restores scores after rounding them once more."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from unround.arrays import FloatArray, IntArray, freeze
from unround.errors import UsageError
from unround.metrics.kendall import KendallError
from unround.problem.build import build_problem
from unround.progress import StepProgress
from unround.reviews.review_set import ReviewSet, Statements
from unround.scale import MOST_LEVELS, Scale
from unround.selection.grid import count_pairs, solutions
from unround.settings import AUTO, Policy, Settings, checked_lambda
from unround.solver.engine import ON_THIS_MACHINE, Engine

Coarsening = Callable[[FloatArray], FloatArray]
Loss = Callable[[FloatArray, FloatArray], float]


def exponential_grid(count: int, per_factor: int) -> FloatArray:
    """Return λ = exp(i / per_factor) for i < count, to 12 digits.

    The last digit of NumPy's exponential depends on the processor; the grid does not.
    """
    return np.array([float(f"{lam:.12g}") for lam in np.exp(np.arange(count) / per_factor)])


PAPER_GRID = exponential_grid(40, 4)
freeze(PAPER_GRID)

# Fewer reviews than this say nothing about λ: one reviewer's whim would decide.
LEAST_REVIEWS = 20


@dataclass(frozen=True)
class Curve:
    """The validation error of every λ of the grid, in ascending order, and the chosen one."""

    lam: FloatArray
    error: FloatArray
    reason: str = ""  # why the curve decides nothing; empty when it does
    chosen_by: ClassVar[str] = AUTO

    def __post_init__(self) -> None:
        freeze(self.lam, self.error)

    @property
    def decided(self) -> bool:
        """Whether the errors single out one λ."""
        return not self.reason

    @property
    def best(self) -> float:
        """The λ of the smallest error, the smallest such λ; ∞, which moves scores least, if undecided."""
        return float(self.lam[int(np.argmin(self.error))]) if self.decided else math.inf


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
        counted = count_pairs(*engine.counting(problem, measure), falling, bound, ahead=True)
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
    return Curve(lams, errors, undecided_reason(lams, errors, len(reviews), pairs))


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
    if not callable(coarsening):
        raise UsageError(f"coarsening must be a function of the levels' values, not {coarsening!r}")
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


def undecided_reason(lam: FloatArray, error: FloatArray, reviews: int, pairs: float) -> str:
    """Return why these errors, shares of so many pairs, do not single out one λ; "" if they do."""
    if lam.size == 1:
        return ""  # the caller left no choice
    if reviews < LEAST_REVIEWS:
        return f"{reviews} reviews are too few to tell one λ from another"
    if float(np.ptp(error)) * pairs < 1.0:
        return "all λ restore the order of the scores equally well"
    return ""
