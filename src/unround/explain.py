"""Why each score stands where it does: what consensus, the ranking and the cell did to it.

At the optimum (1+λ)(y − z) = (ȳ − z) + forces of comparisons + force of the cell, so that the way
from the given to the new score splits into three parts, each over 1+λ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.certificate import multipliers
from unround.problem import Problem

# Forces below this are rounding: they move no score by anything that a chair could see.
LEAST_PULL = 1e-9


@dataclass(frozen=True)
class Parts:
    """The way from the given to the new score, one entry a review; the three parts add up to it."""

    consensus: FloatArray
    ranking: FloatArray
    cell: FloatArray


@dataclass(frozen=True)
class Bindings:
    """The comparisons that hold two scores apart, strongest force first within a reviewer."""

    better: IntArray  # reviews
    worse: IntArray
    pull: FloatArray  # how far it moves each of the two, in units of the score


def explain(problem: Problem, lam: float, scores: FloatArray) -> tuple[Parts, Bindings]:
    """The parts of every review's move and the comparisons that bind."""
    force = multipliers(problem, lam, scores)
    weight = 1.0 if math.isinf(lam) else 1.0 / (1.0 + lam)
    moved = scores - problem.given
    pairs = problem.comparisons
    cell = force.on_cell * weight
    ordered = np.zeros(len(problem))
    np.add.at(ordered, pairs.above, force.on_pair * weight)
    np.subtract.at(ordered, pairs.below, force.on_pair * weight)
    ranking = np.where(np.abs(ordered) > LEAST_PULL, ordered, 0.0)
    consensus = np.zeros(len(problem)) if math.isinf(lam) else moved - ranking - cell
    if math.isinf(lam):
        ranking = moved - cell
    binding = np.flatnonzero(force.on_pair * weight > LEAST_PULL)
    return (
        Parts(consensus, ranking, cell),
        Bindings(pairs.above[binding], pairs.below[binding], force.on_pair[binding] * weight),
    )
