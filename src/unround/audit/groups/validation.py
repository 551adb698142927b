"""Quantization validation by group: scores rounded once more, restored at every λ, measured inside groups.

All reviews are restored together, as in a run; only the pairs that count are those of a group.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from unround.arrays import FloatArray, IntArray
from unround.audit.groups.membership import Membership
from unround.metrics.kendall import KendallError
from unround.problem.build import build_problem
from unround.progress import StepProgress
from unround.reviews.review_set import ReviewSet
from unround.selection.grid import solutions
from unround.selection.validation import LEAST_REVIEWS, PAPER_GRID, coarsen_reviews
from unround.settings import Policy, Settings
from unround.solver.local import Solver

SEED = 20_240_611
LEVEL = 0.95
MOST, LEAST = 1_000, 200
# About this many reviews are drawn in all: large conferences need fewer draws for one precision.
REVIEWS_TO_DRAW = 20_000_000
TOLERANCE = 1e-6  # in units of the smallest spacing


@dataclass(frozen=True)
class RestoredScores:
    """Scores that were rounded once more and restored, at the run's λ and at every λ of the grid."""

    truth: FloatArray
    coarse: FloatArray
    lams: FloatArray  # descending, as in `scores`
    scores: FloatArray  # one row per λ
    at: int  # the row of the run's λ

    @property
    def at_run(self) -> FloatArray:
        """The scores that the run's λ restores."""
        row: FloatArray = self.scores[self.at]
        return row


def restore(
    reviews: ReviewSet, settings: Settings, lam: float, progress: StepProgress
) -> RestoredScores:
    """Round all scores once more and restore them at every λ of the paper's grid, and at the run's."""
    coarse = coarsen_reviews(reviews)
    problem = build_problem(coarse, Settings(epsilon=settings.epsilon, conflicts=Policy.SCORES))[0]
    lams = np.unique(np.append(PAPER_GRID, lam))[::-1].copy()
    bound = TOLERANCE * coarse.scale.spacing
    found = np.empty((lams.size, len(reviews)))
    for row, solution in enumerate(solutions(Solver(problem), lams, bound, ahead=True)):
        found[row] = solution.scores
        progress(row + 1, lams.size)
    at = int(np.flatnonzero(lams == lam)[0])
    return RestoredScores(reviews.given, coarse.given, lams, found, at)


@dataclass(frozen=True)
class GroupError:
    """The validation error of one group; None where all its scores are tied."""

    error: float | None  # at the run's λ
    low: float | None  # 95% interval, over draws of units
    high: float | None
    coarse: float | None  # of the rounded scores as they are
    lam: float | None  # with the smallest error in this group
    gain: float | None  # by how much another half's λ lowers the error of a half, in percent
    supported: bool  # whether the gain is significant, corrected for the number of groups


NOT_MEASURED = GroupError(None, None, None, None, None, None, False)


def group_error(
    restored: RestoredScores,
    rows: IntArray,
    member: IntArray,
    groups: int,
    random: np.random.Generator,
) -> GroupError:
    """Measure one group, given by the rows of its reviews and the unit of each."""
    truth = restored.truth[rows]
    measure = KendallError(truth)
    if measure.untied == 0:
        return NOT_MEASURED
    scores = restored.scores[:, rows]
    error = measure(scores[restored.at])
    curve = np.array([measure(each) for each in scores])
    drawn = _drawn_errors(truth, member, scores[[restored.at]], random)[:, 0]
    low, high = np.quantile(drawn, [(1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0])
    gain, supported = _own_lambda(restored, scores, truth, member, groups, random)
    return GroupError(
        error=error,
        low=float(low),
        high=float(high),
        coarse=measure(restored.coarse[rows]),
        lam=float(restored.lams[_best(curve)]),
        gain=gain,
        supported=supported,
    )


def _best(curve: FloatArray) -> int:
    """Return the row of the smallest error; the smallest λ among equals, as in a run."""
    return curve.size - 1 - int(np.argmin(curve[::-1]))


def _drawn_errors(
    truth: FloatArray, member: IntArray, estimates: FloatArray, random: np.random.Generator
) -> FloatArray:
    """Return the error of each estimate on units drawn with replacement, one row per draw."""
    _, unit = np.unique(member, return_inverse=True)
    units, count = int(unit.max()) + 1, int(np.clip(REVIEWS_TO_DRAW // truth.size, LEAST, MOST))
    found = np.empty((count, len(estimates)))
    for draw in range(count):
        times = np.bincount(random.integers(0, units, units), minlength=units)
        rows = np.repeat(np.arange(truth.size), times[unit])
        measure = KendallError(truth[rows])
        found[draw] = [measure(estimate[rows]) for estimate in estimates]
    return found


def _own_lambda(
    restored: RestoredScores,
    scores: FloatArray,
    truth: FloatArray,
    member: IntArray,
    groups: int,
    random: np.random.Generator,
) -> tuple[float | None, bool]:
    """Return by how much a λ chosen for the group would lower its error, and whether that is significant.

    The units of the group are split into two halves. Each half takes the λ that is best on the other
    one, so that a λ never meets the reviews it was chosen from. The gain is significant if it is
    above zero by as many of its standard errors (over draws of units) as a one-sided normal test at 5%
    demands, divided by the number of groups.
    """
    units = np.unique(member)
    first = np.isin(member, random.permutation(units)[: units.size // 2])
    halves = (np.flatnonzero(first), np.flatnonzero(~first))
    if min(half.size for half in halves) < LEAST_REVIEWS:
        return None, False
    total, variance, base = 0.0, 0.0, 0.0
    for here, there in (halves, halves[::-1]):
        other, measure = KendallError(truth[there]), KendallError(truth[here])
        own = _best(np.array([other(each) for each in scores[:, there]]))
        both = scores[[restored.at, own]][:, here]
        errors = [measure(each) for each in both]
        drawn = _drawn_errors(truth[here], member[here], both, random)
        total, base = total + errors[0] - errors[1], base + errors[0]
        variance += float(np.var(drawn[:, 0] - drawn[:, 1], ddof=1))
    if base == 0.0 or variance == 0.0:
        return 0.0, False
    supported = total / math.sqrt(variance) > float(ndtri(1.0 - (1.0 - LEVEL) / groups))
    return 100.0 * total / base, supported


def sampled_units(groups: Membership, sample: int | None) -> IntArray:
    """Return the reviews to measure: all, or those of units drawn at random, at most `sample` reviews."""
    if sample is None or sample >= groups.member.size:
        return np.arange(groups.member.size)
    size = np.bincount(groups.member)
    order = np.random.default_rng(SEED).permutation(size.size)
    chosen = np.zeros(size.size, dtype=np.bool_)
    chosen[order[np.cumsum(size[order]) <= sample]] = True
    return np.flatnonzero(chosen[groups.member])
