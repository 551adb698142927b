"""Problem -> how far the openings of its cells can be from the least ones. Imports no solver.

The least openings are the distances s of scores y from their cells, where y minimises Σ s² over the
orders. Take any y and any multipliers μ ≥ 0 of the comparisons, and let ρ = s − Aᵀμ. Then y is exactly
optimal for a problem in which

* the cells of reviews that lie outside theirs are shifted by ρ,
* reviews inside their cells are pulled by ρ, and
* comparisons with μ > 0, and broken ones, are moved by their slack.

Shifting cells by at most c moves no s by more than 2c, pulls move it by no more than their sum, and
moved comparisons by no more than twice the sum of their moves (docs/mathematics.md). So the three add
up to a bound on s, and with the difference between s and the openings to a bound on those.
"""

from __future__ import annotations

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.certificate.multipliers import Touched, component_multipliers, lowest_scores
from unround.problem.model import Comparisons, Problem

UNIT_ROUNDOFF = float(np.finfo(np.float64).eps) / 2.0
# Slack up to which a comparison may hold two scores apart, in units of the largest number in play.
TOUCHING = 1e-12


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
    slack = scores[pairs.above] - scores[pairs.below] - pairs.gap
    largest = float(
        max(np.abs(scores).max(), np.abs(closed_lower).max(), np.abs(closed_upper).max())
    )
    nowhere = np.zeros(len(problem), dtype=np.bool_)
    force, on_cell = np.zeros(slack.size), np.zeros(len(problem))
    touched = Touched(slack <= TOUCHING * largest, nowhere, nowhere)
    component_multipliers(outside, pairs, touched, force, on_cell)
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
