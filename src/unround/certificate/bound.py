"""Problem + λ + scores -> how far any score can be from the optimum. Imports no solver.

Let T(y) project z + (ȳ − z)/(1+λ) onto the constraints. T shrinks the largest distance between
two sets of scores by 1/(1+λ), and the optimum is its fixed point, so

    max |y − y*|  ≤  (1 + 1/λ) · max |y − T(y)|.

T(y) itself is never computed. With multipliers μ ≥ 0 of constraints that y touches, and
ρ = (1+λ)(y − z) − (ȳ − z) − Aᵀμ, the scores y are the exact projection of a point that is ρ/(1+λ)
away from T's, onto constraints that are moved by at most the slack s of those with μ > 0 and by the
violations. A projection onto comparisons and cells moves by no more than its target does, and by no
more than 2k times what its constraints do (k reviews in the component). Ends of cells that were opened
may be off by some η (openings.py), and a projection moves by no more than the ends of its cells. Hence

    max |y − y*|  ≤  max over components of  ( (1+λ) · (2k·s + η) + max|ρ| ) / λ.

Every step is proven in docs/mathematics.md. What rounding can add to the computed terms is added to
the bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unround.arrays import BoolArray, FloatArray
from unround.certificate.multipliers import Touched, component_multipliers
from unround.certificate.openings import opening_errors
from unround.problem.model import Problem

UNIT_ROUNDOFF = float(np.finfo(np.float64).eps) / 2.0
# Slack up to which a constraint counts as touched, in units of the largest number in play. Any
# choice gives a valid bound: the sharpest suits exact scores, the others those of looser solvers.
TOUCHING = (1e-14, 1e-11, 1e-8, 1e-6)


@dataclass(frozen=True)
class Certificate:
    """What is proven about the scores of a run.

    Attributes
    ----------
    max_error : float
        No score is further than this from the optimum.
    max_violation : float
        No constraint is broken by more.
    objective : float
        The value that was minimised; for λ = ∞ that of its second term alone.
    sweeps : int
        How many sweeps the solver took.

    Examples
    --------
    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({"reviewer": [1, 2], "paper": [7, 7], "score": [3, 5]})
    >>> certificate = unround.dequantize(reviews, lam=1.0).certificate
    >>> certificate.max_error < 1e-9, certificate.max_violation, round(certificate.objective, 6)
    (True, 0.0, 1.0)
    """

    max_error: float
    max_violation: float
    objective: float
    sweeps: int = 0


@dataclass(frozen=True)
class Multipliers:
    """Forces that hold the scores in place, in units of the gradient's half."""

    on_pair: FloatArray  # one per comparison, ≥ 0: apart, upper one up and lower one down
    on_cell: FloatArray  # one per review: > 0 held up by the cell's lower end, < 0 held down
    residual: FloatArray  # what no constraint explains


def certify(
    problem: Problem, lam: float, scores: FloatArray, *, wanted: float = 0.0, sweeps: int = 0
) -> Certificate:
    """The sharpest bound found; the search ends as soon as it is below `wanted`."""
    best, openings = math.inf, opening_errors(problem)
    for touching in TOUCHING:
        best = min(best, error_bound(problem, lam, scores, touching, openings))
        if best <= wanted:
            break
    return Certificate(
        best, largest_violation(problem, scores), objective(problem, lam, scores), sweeps
    )


def objective(problem: Problem, lam: float, scores: FloatArray) -> float:
    """Σ (y − ȳ)² + λ Σ (y − z)², summed without rounding; the second sum alone for λ = ∞."""
    from_given = math.fsum((scores - problem.given) ** 2)
    if math.isinf(lam):
        return from_given
    return math.fsum((scores - _means(problem, scores)[problem.paper]) ** 2) + lam * from_given


def largest_violation(problem: Problem, scores: FloatArray) -> float:
    """How far any cell or comparison is broken, 0 when none is."""
    outside = np.maximum(problem.lower - scores, scores - problem.upper)
    return float(max(0.0, outside.max(initial=0.0), -_slack(problem, scores).min(initial=0.0)))


def multipliers(
    problem: Problem, lam: float, scores: FloatArray, touching: float = TOUCHING[0]
) -> Multipliers:
    """The forces that best explain the scores, on constraints touched within `touching`."""
    reach = touching * _largest_number(problem, scores)
    pairs = problem.comparisons
    on_pair, on_cell = np.zeros(pairs.above.size), np.zeros(len(problem))
    gradient = _half_gradient(problem, lam, scores)
    at_lower = scores - problem.lower <= reach
    at_upper = (problem.upper - scores <= reach) & ~(at_lower & (gradient > 0.0))
    at_lower &= ~at_upper
    touched = Touched(_slack(problem, scores) <= reach, at_lower, at_upper)
    component_multipliers(gradient, pairs, touched, on_pair, on_cell)
    single = ~_in_component(problem)
    on_cell[single & at_lower] = np.maximum(gradient[single & at_lower], 0.0)
    on_cell[single & at_upper] = np.minimum(gradient[single & at_upper], 0.0)
    explained = on_cell.copy()
    np.add.at(explained, pairs.above, on_pair)
    np.subtract.at(explained, pairs.below, on_pair)
    return Multipliers(on_pair, on_cell, gradient - explained)


def error_bound(
    problem: Problem, lam: float, scores: FloatArray, touching: float, openings: FloatArray
) -> float:
    """Return the bound of the module's head, with constraints touched within `touching`.

    `openings` holds the error of opened cells, one per component.
    """
    if not len(problem):
        return 0.0
    force = multipliers(problem, lam, scores, touching)
    weight = 1.0 if math.isinf(lam) else 1.0 + lam
    moved = _moved_constraints(problem, scores, force, openings)
    off = np.abs(force.residual) + _rounding(problem, lam, scores, force) + weight * moved
    return float(off.max()) if math.isinf(lam) else float(off.max() / lam)


def rounding_bound(problem: Problem, lam: float) -> float:
    """Return the bound of scores that are exactly right: rounding allows none that is tighter."""
    if not len(problem) or math.isinf(lam):
        return 0.0
    largest = _largest_number(problem, problem.given)
    starts = (problem.chains.start, problem.posets.start)
    longest = max(float(np.diff(start).max(initial=0)) for start in starts)
    constraints = (1.0 + lam) * 2.0 * longest * 2.0 * UNIT_ROUNDOFF * largest
    pull = UNIT_ROUNDOFF * (float(problem.paper_count.max()) + 4.0) * largest
    return (pull + constraints) / lam


def _moved_constraints(
    problem: Problem, scores: FloatArray, force: Multipliers, openings: FloatArray
) -> FloatArray:
    """Return how far the constraints of the review's component, moved to be met exactly, move its score.

    That is 2k times the furthest that any of them moves, and the error of opened cells.
    """
    pairs = problem.comparisons
    unsure = 2.0 * UNIT_ROUNDOFF * _largest_number(problem, scores)
    off_cell = np.where(force.on_cell > 0.0, np.abs(scores - problem.lower), 0.0)
    off_cell = np.where(force.on_cell < 0.0, np.abs(problem.upper - scores), off_cell)
    off_cell = np.maximum(off_cell, np.maximum(problem.lower - scores, scores - problem.upper))
    slack = _slack(problem, scores)
    off_pair = np.where(force.on_pair > 0.0, np.abs(slack), np.maximum(-slack, 0.0))
    sizes = np.diff(pairs.start)
    owner = np.repeat(np.arange(sizes.size), sizes)
    pair_owner = np.repeat(np.arange(sizes.size), np.diff(pairs.pair_start))
    furthest = np.zeros(sizes.size)
    np.maximum.at(furthest, owner, off_cell[pairs.member])
    np.maximum.at(furthest, pair_owner, np.where(off_pair > 0.0, off_pair, 0.0) + unsure)
    moved: FloatArray = 2.0 * off_cell
    moved[pairs.member] = (2.0 * sizes * furthest + openings)[owner]
    return moved


def _half_gradient(problem: Problem, lam: float, scores: FloatArray) -> FloatArray:
    """Half the objective's gradient, (y − ȳ) + λ (y − z); y − z for λ = ∞."""
    if math.isinf(lam):
        return scores - problem.given
    return (scores - _means(problem, scores)[problem.paper]) + lam * (scores - problem.given)


def _rounding(problem: Problem, lam: float, scores: FloatArray, force: Multipliers) -> FloatArray:
    """What rounding may have done to the residual: every operation's share, summed."""
    reviews = problem.paper_count[problem.paper]
    pull = 0.0 if math.isinf(lam) else (reviews + 4.0) * _largest_number(problem, scores)
    stay = (1.0 if math.isinf(lam) else lam) * np.abs(scores - problem.given)
    pairs = problem.comparisons
    forces, degree = np.abs(force.on_cell), np.ones(len(problem))
    for side in (pairs.above, pairs.below):
        np.add.at(forces, side, force.on_pair)
        np.add.at(degree, side, 1.0)
    return UNIT_ROUNDOFF * (pull + 4.0 * stay + (degree + 2.0) * forces)


def _means(problem: Problem, scores: FloatArray) -> FloatArray:
    count = problem.paper_count
    sums = np.bincount(problem.paper, weights=scores, minlength=problem.papers)
    return np.divide(sums, count, out=np.zeros(problem.papers), where=count > 0)


def _slack(problem: Problem, scores: FloatArray) -> FloatArray:
    pairs = problem.comparisons
    return scores[pairs.above] - scores[pairs.below] - pairs.gap


def _in_component(problem: Problem) -> BoolArray:
    inside = np.zeros(len(problem), dtype=np.bool_)
    inside[problem.comparisons.member] = True
    return inside


def _largest_number(problem: Problem, scores: FloatArray) -> float:
    return float(
        max(
            np.abs(scores).max(initial=0.0),
            np.abs(problem.upper).max(initial=0.0),
            np.abs(problem.lower).max(initial=0.0),
        )
    )
