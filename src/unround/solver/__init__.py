"""Problem + λ -> scores, by sweeps that stop on a proven bound.

A sweep pulls every score towards its paper's centre, projects each component onto its
constraints, and moves the centres to the means. It shrinks the largest distance between any two
sets of centres by 1/(1+λ) (docs/mathematics.md), so that a sweep that moves no centre by more
than d proves its scores right to d/λ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from unround.arrays import FloatArray, IntArray, freeze
from unround.problem import Problem
from unround.solver.acceleration import Anderson
from unround.solver.centres import paper_means, pull_towards_centres, scores_only_centres
from unround.solver.chains import project_chains, tighten_chains
from unround.solver.posets import project_posets

MOST_SWEEPS = 50_000
# Sweeps without progress after which rounding, not distance, is all that is left to see.
PATIENCE = 25


class Status(StrEnum):
    """How a solve ended. The value is the sentence for the user."""

    SOLVED = "Solved to the requested bound."
    PRECISION = "Rounding allows no tighter bound than the one stated."
    SWEEP_LIMIT = "Sweep limit reached; the stated bound holds."


@dataclass(frozen=True)
class Solution:
    """Scores, one a review, and the bound that the sweeps prove for them."""

    scores: FloatArray
    centres: FloatArray
    bound: float
    sweeps: int
    status: Status

    def __post_init__(self) -> None:
        freeze(self.scores, self.centres)


class Solver:
    """A problem made ready for sweeps; solve it for as many λ as you like."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        chains, posets = problem.chains, problem.posets
        self._shift: FloatArray = chains.height.astype(np.float64) * np.repeat(
            chains.gap, np.diff(chains.start)
        )
        self._lower = problem.lower[chains.member]
        self._upper = problem.upper[chains.member]
        tighten_chains(chains.start, chains.height, self._shift, self._lower, self._upper)
        self._above = _place_in_component(
            posets.start, posets.member, posets.pair_start, posets.above
        )
        self._below = _place_in_component(
            posets.start, posets.member, posets.pair_start, posets.below
        )
        self._target = np.empty(len(problem))

    def solve(self, lam: float, tolerance: float, start: FloatArray | None = None) -> Solution:
        """Scores within `tolerance` of the optimum, from centres `start` if given."""
        if math.isinf(lam):
            scores, centres, _ = self._sweep(np.zeros(self._problem.papers), 0.0)
            return Solution(scores, centres, 0.0, 1, Status.SOLVED)
        weight = 1.0 / (1.0 + lam)
        centres = self._first_centres(weight) if start is None else start.astype(np.float64)
        mixer = Anderson(self._problem.papers)
        smallest, since = np.inf, 0
        for sweep in range(1, MOST_SWEEPS + 1):
            scores, means, moved = self._sweep(centres, weight)
            if moved <= tolerance * lam:
                return Solution(scores, means, moved / lam, sweep, Status.SOLVED)
            smallest, since = (moved, 0) if moved < smallest else (smallest, since + 1)
            if since >= PATIENCE and moved <= 1e-11 * np.abs(means).max():
                return Solution(scores, means, moved / lam, sweep, Status.PRECISION)
            centres = mixer.propose(centres, means, moved)
        return Solution(scores, means, moved / lam, MOST_SWEEPS, Status.SWEEP_LIMIT)

    def _first_centres(self, weight: float) -> FloatArray:
        """The exact centres if nothing were ranked: right at once for papers that no order touches."""
        problem = self._problem
        return scores_only_centres(
            problem.given,
            weight,
            problem.lower,
            problem.upper,
            problem.paper_start,
            problem.by_paper,
        )

    def _sweep(self, centres: FloatArray, weight: float) -> tuple[FloatArray, FloatArray, float]:
        """Scores for these centres, the scores' means, and how far any centre moved."""
        problem, chains, posets = self._problem, self._problem.chains, self._problem.posets
        scores, means = np.empty(len(problem)), np.empty(problem.papers)
        pull_towards_centres(
            problem.given,
            problem.paper,
            centres,
            weight,
            problem.lower,
            problem.upper,
            self._target,
            scores,
        )
        project_chains(
            self._target,
            chains.start,
            chains.member,
            chains.height,
            self._shift,
            self._lower,
            self._upper,
            scores,
        )
        if posets.member.size:
            project_posets(
                self._target, posets.start, posets.member, posets.pair_start, self._above, self._below,
                posets.gap, problem.lower, problem.upper, scores,
            )  # fmt: skip
        moved = paper_means(scores, problem.paper_start, problem.by_paper, centres, means)
        return scores, means, moved


def _place_in_component(
    start: IntArray, member: IntArray, pair_start: IntArray, reviews: IntArray
) -> IntArray:
    """Reviews of pairs, counted from the start of their component."""
    component = np.repeat(np.arange(start.size - 1), np.diff(pair_start))
    stride = int(member.max(initial=0)) + 1
    owner = np.repeat(np.arange(start.size - 1), np.diff(start))
    place = np.searchsorted(owner * stride + member, component * stride + reviews)
    return (place - start[:-1][component]).astype(np.int64)
