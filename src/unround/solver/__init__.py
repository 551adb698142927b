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

from unround.arrays import FloatArray, freeze
from unround.problem import Problem
from unround.solver.acceleration import Anderson
from unround.solver.centres import move_centres, scores_only_centres, sweep_singles
from unround.solver.chains import sweep_chains
from unround.solver.layout import lay_out
from unround.solver.posets import sweep_posets
from unround.solver.threads import for_each

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
        self._layout = lay_out(problem)
        self._scores = np.empty(len(problem))  # in sweep order
        self._sums = np.empty((self._layout.blocks, problem.papers))

    def solve(self, lam: float, tolerance: float, start: FloatArray | None = None) -> Solution:
        """Scores within `tolerance` of the optimum, from centres `start` if given."""
        if math.isinf(lam):
            centres, _ = self._sweep(np.zeros(self._problem.papers), 0.0)
            return self._solution(centres, 0.0, 1, Status.SOLVED)
        weight = 1.0 / (1.0 + lam)
        centres = self._first_centres(weight) if start is None else start.astype(np.float64)
        mixer = Anderson(self._problem.papers)
        smallest, since = np.inf, 0
        for sweep in range(1, MOST_SWEEPS + 1):
            means, moved = self._sweep(centres, weight)
            if moved <= tolerance * lam:
                return self._solution(means, moved / lam, sweep, Status.SOLVED)
            smallest, since = (moved, 0) if moved < smallest else (smallest, since + 1)
            if since >= PATIENCE and moved <= 1e-11 * np.abs(means).max():
                return self._solution(means, moved / lam, sweep, Status.PRECISION)
            centres = mixer.propose(centres, means, moved)
        return self._solution(means, moved / lam, MOST_SWEEPS, Status.SWEEP_LIMIT)

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

    def _sweep(self, centres: FloatArray, weight: float) -> tuple[FloatArray, float]:
        """One sweep from these centres: scores are left in place; the new centres, and how far any moved."""
        for_each(lambda block: self._sweep_block(block, centres, weight), self._layout.blocks)
        means = np.empty_like(centres)
        return means, move_centres(self._sums, self._layout.count, centres, means)

    def _sweep_block(self, block: int, centres: FloatArray, weight: float) -> None:
        here, scores, sums = self._layout, self._scores, self._sums[block]
        sums[:] = 0.0
        sweep_chains(
            here.chain_start, here.chain_cuts[block], here.chain_cuts[block + 1], here.longest,
            here.given, here.paper, centres, weight, here.shift, here.lower, here.upper, scores, sums,
        )  # fmt: skip
        if here.above.size:
            sweep_posets(
                here.poset_start, here.poset_cuts[block], here.poset_cuts[block + 1],
                here.pair_start, here.above, here.below, here.gap,
                here.given, here.paper, centres, weight, here.lower, here.upper, scores, sums,
            )  # fmt: skip
        sweep_singles(
            here.single_cuts[block], here.single_cuts[block + 1],
            here.given, here.paper, centres, weight, here.lower, here.upper, scores, sums,
        )  # fmt: skip

    def _solution(self, centres: FloatArray, bound: float, sweeps: int, status: Status) -> Solution:
        scores = np.empty(len(self._problem))
        scores[self._layout.review] = self._scores
        return Solution(scores, centres, bound, sweeps, status)
