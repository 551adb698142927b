"""Why each score stands where it does: what consensus, the ranking and the cell did to it.

At the optimum (1+λ)(y − z) = (ȳ − z) + forces of comparisons + force of the cell. The mean ȳ of n
reviews is y/n plus (1 − 1/n) of the others' mean o, so that

    (λ + 1 − 1/n)(y − z) = (1 − 1/n)(o − z) + forces of comparisons + force of the cell:

the way from the given to the new score splits into three parts. A paper's only review feels no
consensus.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.certificate.bound import multipliers
from unround.problem.model import Comparisons, Problem

# Moves below this are rounding: a chair sees four decimals.
LEAST_MOVE = 1e-9


@dataclass(frozen=True)
class Parts:
    """The way from the given to the new score, one entry per review; the three parts add up to it."""

    consensus: FloatArray
    ranking: FloatArray
    cell: FloatArray


@dataclass(frozen=True)
class Bindings:
    """The comparisons that hold two scores apart, and how far each moves the two.

    For papers that a bound holds together, `lifts` and `lowers` are negative.
    """

    better: IntArray  # reviews
    worse: IntArray
    lifts: FloatArray  # how far it moves the better one up
    lowers: FloatArray  # how far it moves the worse one down


def explain(problem: Problem, lam: float, scores: FloatArray) -> tuple[Parts, Bindings]:
    """The parts of every review's move and the comparisons that bind."""
    force = multipliers(problem, lam, scores)
    yields = _move_per_force(problem, lam)
    pairs = problem.comparisons
    lifts, lowers = force.on_pair * yields[pairs.above], force.on_pair * yields[pairs.below]
    ranking = np.zeros(len(problem))
    np.add.at(ranking, pairs.above, lifts)
    np.subtract.at(ranking, pairs.below, lowers)
    cell, moved = force.on_cell * yields, scores - problem.given
    if math.isinf(lam):
        parts = Parts(np.zeros(len(problem)), moved - cell, cell)
    else:
        # What rounding leaves over goes with consensus, or with the ranking where there is none.
        alone = problem.paper_count[problem.paper] == 1
        consensus = np.where(alone, 0.0, moved - ranking - cell)
        parts = Parts(consensus, np.where(alone, moved - cell, ranking), cell)
    return parts, _bindings(pairs, lifts, lowers)


def _bindings(pairs: Comparisons, lifts: FloatArray, lowers: FloatArray) -> Bindings:
    """Pairs with a force on them. A bound on "about the same" pulls the better one down."""
    binds = np.flatnonzero(np.maximum(lifts, lowers) > LEAST_MOVE)
    above, below, up, down = pairs.above[binds], pairs.below[binds], lifts[binds], lowers[binds]
    together = pairs.gap[binds] < 0.0
    return Bindings(
        better=np.where(together, below, above),
        worse=np.where(together, above, below),
        lifts=np.where(together, -down, up),
        lowers=np.where(together, -up, down),
    )


def _move_per_force(problem: Problem, lam: float) -> FloatArray:
    """How far a unit force moves each score, the others held."""
    if math.isinf(lam):
        return np.ones(len(problem))
    yields: FloatArray = 1.0 / (lam + 1.0 - 1.0 / problem.paper_count[problem.paper])
    return yields
