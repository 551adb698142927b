"""Problem + λ + scores -> how far any score can be from the optimum. Imports no solver.

Let T(y) project z + (ȳ − z)/(1+λ) onto the constraints. T shrinks the largest distance between
two sets of scores by 1/(1+λ), and the optimum is its fixed point, so

    max |y − y*|  ≤  (1 + 1/λ) · max |y − T(y)|.

T(y) itself is never computed. With multipliers μ ≥ 0 of constraints that y touches, and
ρ = (1+λ)(y − z) − (ȳ − z) − Aᵀμ, the scores y are the exact projection of a point that is ρ/(1+λ)
away from T's, onto constraints that are moved by at most the slack s of those with μ > 0 and by the
violations. A projection onto comparisons and cells moves by no more than its target does, and by no
more than 2k times what its constraints do (k reviews in the component). Ends of cells that were opened
may be off by some η (below), and a projection moves by no more than the ends of its cells. Hence

    max |y − y*|  ≤  max over components of  ( (1+λ) · (2k·s + η) + max|ρ| ) / λ.

What rounding can add to the computed terms is added to the bound.

The bound η on opened cells: the least openings are the distances s of scores y from their cells, where
y minimises Σ s² over the orders. Take any y and any multipliers μ ≥ 0 of the comparisons, and let
ρ = s − Aᵀμ. Then y is exactly optimal for a problem in which

* the cells of reviews that lie outside theirs are shifted by ρ,
* reviews inside their cells are pulled by ρ, and
* comparisons with μ > 0, and violated ones, are moved by their slack.

Shifting cells by at most c moves no s by more than 2c, pulls move it by no more than their sum, and
moved comparisons by no more than twice the sum of their moves. The three add up to a bound on s, and with
the difference between s and the openings to a bound on those.

Every step is proven in docs/mathematics.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.certificate.multipliers import (
    TOUCHING,
    ActiveConstraints,
    Multipliers,
    Papers,
    component_multipliers,
    largest_number,
    lowest_scores,
    multipliers,
    slacks,
)
from unround.problem.model import Comparisons, Problem

UNIT_ROUNDOFF = float(np.finfo(np.float64).eps) / 2.0
# Slack up to which comparisons count as touched by the scores that opened cells rest on, in units of the
# largest number in play.
TOUCHING_OPENED = 1e-12


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


def certify(
    problem: Problem,
    lam: float,
    scores: FloatArray,
    *,
    wanted: float = 0.0,
    sweeps: int = 0,
    papers: Papers | None = None,
) -> Certificate:
    """Return the sharpest bound found; the search ends as soon as it is below `wanted`.

    papers  of the whole conference, where the problem is a part of it
    """
    papers = papers or Papers.of(problem, scores)
    best, openings = math.inf, opening_errors(problem)
    for touching in TOUCHING:
        best = min(best, error_bound(problem, lam, scores, touching, openings, papers))
        if best <= wanted:
            break
    violation = largest_violation(problem, scores)
    return Certificate(best, violation, objective(problem, lam, scores, papers), sweeps)


def objective(problem: Problem, lam: float, scores: FloatArray, papers: Papers) -> float:
    """Return Σ (y − ȳ)² + λ Σ (y − z)², each sum rounded once; for λ = ∞ the second sum alone."""
    from_given = math.fsum((scores - problem.given) ** 2)
    if math.isinf(lam):
        return from_given
    return math.fsum((scores - papers.mean[problem.paper]) ** 2) + lam * from_given


def largest_violation(problem: Problem, scores: FloatArray) -> float:
    """Return how far any cell or comparison is broken, 0 when none is."""
    outside = np.maximum(problem.lower - scores, scores - problem.upper)
    return float(
        max(0.0, outside.max(initial=0.0), -slacks(problem.comparisons, scores).min(initial=0.0))
    )


def error_bound(
    problem: Problem,
    lam: float,
    scores: FloatArray,
    touching: float,
    openings: FloatArray,
    papers: Papers,
) -> float:
    """Return the bound of the module's head, with constraints touched within `touching`.

    `openings` holds the error of opened cells, one per component.
    """
    if not len(problem):
        return 0.0
    force = multipliers(problem, lam, scores, touching, papers)
    weight = 1.0 if math.isinf(lam) else 1.0 + lam
    moved = _moved_constraints(problem, scores, force, openings, papers.largest)
    off = np.abs(force.residual) + _rounding(problem, lam, scores, force, papers) + weight * moved
    return float(off.max()) if math.isinf(lam) else float(off.max() / lam)


def rounding_bound(problem: Problem, lam: float) -> float:
    """Return the bound of scores that are exactly right: rounding allows none that is tighter."""
    if not len(problem) or math.isinf(lam):
        return 0.0
    largest = largest_number(problem, problem.given)
    starts = (problem.chains.start, problem.posets.start)
    longest = max(float(np.diff(start).max(initial=0)) for start in starts)
    constraints = (1.0 + lam) * 2.0 * longest * 2.0 * UNIT_ROUNDOFF * largest
    pull = UNIT_ROUNDOFF * (float(problem.paper_count.max()) + 4.0) * largest
    return (pull + constraints) / lam


def _moved_constraints(
    problem: Problem,
    scores: FloatArray,
    force: Multipliers,
    openings: FloatArray,
    largest: float,
) -> FloatArray:
    """Return how far the constraints of the review's component, moved to be met exactly, move its score.

    That is 2k times the furthest that any of them moves, and the error of opened cells.
    """
    pairs = problem.comparisons
    unsure = 2.0 * UNIT_ROUNDOFF * largest
    off_cell = np.where(force.on_cell > 0.0, np.abs(scores - problem.lower), 0.0)
    off_cell = np.where(force.on_cell < 0.0, np.abs(problem.upper - scores), off_cell)
    off_cell = np.maximum(off_cell, np.maximum(problem.lower - scores, scores - problem.upper))
    slack = slacks(problem.comparisons, scores)
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


def _rounding(
    problem: Problem, lam: float, scores: FloatArray, force: Multipliers, papers: Papers
) -> FloatArray:
    """Return what rounding may have added to each residual: the share of every operation, summed."""
    reviews = papers.reviews[problem.paper]
    pull = 0.0 if math.isinf(lam) else (reviews + 4.0) * papers.largest
    stay = (1.0 if math.isinf(lam) else lam) * np.abs(scores - problem.given)
    pairs = problem.comparisons
    forces, degree = np.abs(force.on_cell), np.ones(len(problem))
    for side in (pairs.above, pairs.below):
        np.add.at(forces, side, force.on_pair)
        np.add.at(degree, side, 1.0)
    return UNIT_ROUNDOFF * (pull + 4.0 * stay + (degree + 2.0) * forces)


def opening_errors(problem: Problem) -> FloatArray:
    """Return for each component how far any end of a cell can be from where the least openings put it."""
    pairs = problem.comparisons
    components = pairs.start.size - 1
    if not problem.openings.review.size:
        return np.zeros(components)
    opened = np.zeros(len(problem), dtype=np.bool_)
    opened[problem.openings.review] = True
    owner = np.repeat(np.arange(components), np.diff(pairs.start))
    concerned = np.zeros(components, dtype=np.bool_)
    concerned[owner[opened[pairs.member]]] = True
    errors = np.zeros(components)
    errors[concerned] = _bounds(problem, _some(pairs, concerned))
    return errors


def _bounds(problem: Problem, pairs: Comparisons) -> FloatArray:
    """Return the bound for each of these components."""
    closed_lower, closed_upper = problem.lower.copy(), problem.upper.copy()
    before = problem.openings
    closed_lower[before.review], closed_upper[before.review] = before.lower, before.upper
    scores = lowest_scores(problem.lower, pairs)
    outside = scores - np.clip(scores, closed_lower, closed_upper)
    slack = slacks(pairs, scores)
    largest = float(
        max(np.abs(scores).max(), np.abs(closed_lower).max(), np.abs(closed_upper).max())
    )
    nowhere = np.zeros(len(problem), dtype=np.bool_)
    force, on_cell = np.zeros(slack.size), np.zeros(len(problem))
    active = ActiveConstraints(slack <= TOUCHING_OPENED * largest, nowhere, nowhere)
    component_multipliers(outside, pairs, active, force, on_cell)
    unsure = 2.0 * UNIT_ROUNDOFF * largest
    residual = _residuals(outside, pairs, force)
    # A review with a residual beyond its distance counts as inside its cell.
    pulled = residual + unsure >= np.abs(outside)
    moves = np.where((force > 0.0) | (slack < unsure), np.abs(slack) + unsure, 0.0)
    ends = np.maximum(
        np.abs(problem.upper - closed_upper - np.maximum(outside, 0.0)),
        np.abs(closed_lower - problem.lower - np.maximum(-outside, 0.0)),
    )
    shift = _most(pairs, np.where(pulled, 0.0, residual))
    pull = np.add.reduceat(np.where(pulled, residual, 0.0)[pairs.member], pairs.start[:-1])
    moved = np.add.reduceat(np.append(moves, 0.0), pairs.pair_start[:-1])
    return np.asarray(2.0 * shift + pull + 2.0 * moved + _most(pairs, ends) + 4.0 * unsure)


def _residuals(outside: FloatArray, pairs: Comparisons, force: FloatArray) -> FloatArray:
    """Return the size of each review's residual, with what rounding may have done to it."""
    rest, forces, degree = outside.copy(), np.abs(outside), np.zeros(outside.size)
    for side, sign in ((pairs.above, -1.0), (pairs.below, 1.0)):
        np.add.at(rest, side, sign * force)
        np.add.at(forces, side, force)
        np.add.at(degree, side, (force > 0.0).astype(np.float64))
    # Two forces within a factor of two of each other are subtracted without rounding (Sterbenz).
    exact = (outside == 0.0) & (degree <= 2.0) & (np.abs(rest) <= forces / 4.0)
    return np.abs(rest) + np.where(exact, 0.0, UNIT_ROUNDOFF * (degree + 2.0) * forces)


def _most(pairs: Comparisons, values: FloatArray) -> FloatArray:
    """Return the largest value in each component, of one per review."""
    return np.maximum.reduceat(values[pairs.member], pairs.start[:-1])


def _some(pairs: Comparisons, chosen: BoolArray) -> Comparisons:
    """Return some of the components."""
    inside = np.repeat(chosen, np.diff(pairs.start))
    paired = np.repeat(chosen, np.diff(pairs.pair_start))
    return Comparisons(
        _starts(np.diff(pairs.start)[chosen]),
        pairs.member[inside],
        _starts(np.diff(pairs.pair_start)[chosen]),
        pairs.above[paired],
        pairs.below[paired],
        pairs.gap[paired],
    )


def _starts(sizes: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(sizes)])
