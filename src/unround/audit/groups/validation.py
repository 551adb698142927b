"""Quantization validation by group: scores rounded once more, restored at the run's λ, measured in groups.

All reviews are restored together, as in a run; only the pairs that count are those of a group.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.metrics.kendall import KendallError
from unround.problem.build import build_problem
from unround.reviews.review_set import ReviewSet
from unround.selection.validation import coarsen_reviews
from unround.settings import Policy, Settings
from unround.solver.local import Solver

SEED = 20_240_611
INTERVAL = 0.95
MOST, LEAST = 1_000, 200
# About this many reviews are drawn in all: large conferences need fewer draws for one precision.
REVIEWS_TO_DRAW = 20_000_000
TOLERANCE_SPACINGS = 1e-6  # of every restored score, in smallest level spacings


@dataclass(frozen=True)
class RestoredScores:
    """Scores as they were given, rounded once more, and restored from that."""

    truth: FloatArray
    coarse: FloatArray
    scores: FloatArray


def restore(reviews: ReviewSet, settings: Settings, lam: float) -> RestoredScores:
    """Round all scores once more, and restore them at the run's λ."""
    coarse = coarsen_reviews(reviews)
    problem = build_problem(coarse, Settings(epsilon=settings.epsilon, conflicts=Policy.SCORES))[0]
    solution = Solver(problem).solve(lam, TOLERANCE_SPACINGS * coarse.scale.spacing)
    return RestoredScores(reviews.given, coarse.given, solution.scores)


@dataclass(frozen=True)
class GroupError:
    """The validation error of one group; None where all its scores are tied."""

    error: float | None
    low: float | None  # 95% interval, over draws of units
    high: float | None
    coarse: float | None  # of the rounded scores as they are


NOT_MEASURED = GroupError(None, None, None, None)


def group_error(
    restored: RestoredScores, rows: IntArray, member: IntArray, random: np.random.Generator
) -> GroupError:
    """Measure one group, given by the rows of its reviews and the unit of each."""
    truth = restored.truth[rows]
    measure = KendallError(truth)
    if measure.untied == 0:
        return NOT_MEASURED
    scores = restored.scores[rows]
    drawn = _drawn_errors(truth, member, scores, random)
    low, high = np.quantile(drawn, [(1.0 - INTERVAL) / 2.0, (1.0 + INTERVAL) / 2.0])
    coarse = measure(restored.coarse[rows])
    return GroupError(measure(scores), float(low), float(high), coarse)


def _drawn_errors(
    truth: FloatArray, member: IntArray, scores: FloatArray, random: np.random.Generator
) -> FloatArray:
    """Return the error on units drawn with replacement, once per draw."""
    _, unit = np.unique(member, return_inverse=True)
    units, count = int(unit.max()) + 1, int(np.clip(REVIEWS_TO_DRAW // truth.size, LEAST, MOST))
    found = np.empty(count)
    for draw in range(count):
        times = np.bincount(random.integers(0, units, units), minlength=units)
        rows = np.repeat(np.arange(truth.size), times[unit])
        found[draw] = KendallError(truth[rows])(scores[rows])
    return found
