"""Algorithm 1 as the paper writes and solves it: CVXPY, CVXOPT, one constraint after the other.

The objective is two sums of squares of whole vectors, the quickest of the ways to write it.
"""

from __future__ import annotations

import cvxpy as cp
import numpy as np

from benchmarks.cases.paper_validation import Program
from unround.arrays import FloatArray

EPSILON = 0.05
FEASIBILITY = 1e-6


def solve(program: Program, lam: float) -> FloatArray:
    """Dequantized scores, one a review."""
    scores = cp.Variable(program.score.size)
    disagreement = cp.sum_squares(_distance_from_mean(program) @ scores)
    change = cp.sum_squares(scores - program.score)
    problem = cp.Problem(cp.Minimize(disagreement + lam * change), _constraints(scores, program))
    problem.solve(solver=cp.CVXOPT, feastol=FEASIBILITY)
    if scores.value is None:
        raise RuntimeError(f"CVXOPT found no solution at λ = {lam}: {problem.status}")
    return np.asarray(scores.value, dtype=np.float64)


def _distance_from_mean(program: Program) -> FloatArray:
    """The matrix that takes scores to their distances from the mean score of their paper."""
    together = (program.paper[:, None] == program.paper[None, :]).astype(np.float64)
    return np.eye(program.paper.size) - together / together.sum(axis=1, keepdims=True)


def _constraints(scores: cp.Variable, program: Program) -> list[cp.Constraint]:
    ordered = [
        scores[above] >= scores[below] + EPSILON
        for above, below in zip(program.above.tolist(), program.below.tolist(), strict=True)
    ]
    at_least = [scores[i] >= score - 0.5 for i, score in enumerate(program.score.tolist())]
    at_most = [scores[i] <= score + 0.5 for i, score in enumerate(program.score.tolist())]
    return ordered + at_least + at_most
