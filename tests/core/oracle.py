"""The program of problem.py once more, as a sparse QP for Clarabel. Shares no code with the solver.

Variables are the moves d = y − z. With L = I − (averaging over papers) and everything over 1+λ:

    minimise  dᵀ (L + λI) d + 2 zᵀL d     subject to  A (z + d) ≥ b

The rows of A are the comparisons, then the cells' lower ends, then their upper ends.
"""

import math
from dataclasses import dataclass

import clarabel
import numpy as np
from scipy import sparse

TOLERANCE = 1e-12
SOLVED = ("Solved", "AlmostSolved")


@dataclass(frozen=True)
class Answer:
    scores: np.ndarray
    duals: np.ndarray  # ≥ 0, one a row of `constraints`, in units of the objective
    status: str

    @property
    def usable(self):
        return self.status in SOLVED


def constraints(problem):
    """A and b of A y ≥ b."""
    pairs, reviews = problem.comparisons, len(problem)
    number = np.arange(pairs.above.size)
    ones = np.ones(number.size)
    shape = (number.size, reviews)
    above = sparse.csc_matrix((ones, (number, pairs.above)), shape=shape)
    below = sparse.csc_matrix((ones, (number, pairs.below)), shape=shape)
    unit = sparse.identity(reviews, format="csc")
    rows = sparse.vstack([above - below, unit, -unit], format="csc")
    return rows, np.concatenate([pairs.gap, problem.lower, -problem.upper])


def violations(problem, scores):
    """How far each row of `constraints` is broken, 0 where it holds."""
    rows, least = constraints(problem)
    return np.maximum(least - rows @ scores, 0.0)


def spread_matrix(problem):
    """L: what is left of scores after each paper's mean is taken off."""
    reviews = len(problem)
    member = sparse.csc_matrix(
        (np.ones(reviews), (problem.paper, np.arange(reviews))), shape=(problem.papers, reviews)
    )
    size = np.maximum(np.bincount(problem.paper, minlength=problem.papers), 1)
    return sparse.identity(reviews) - member.T @ sparse.diags(1.0 / size) @ member


def hessian(problem, lam):
    """Half the objective's second derivative: L + λI, and I alone for λ = ∞."""
    unit = sparse.identity(len(problem), format="csc")
    return unit if math.isinf(lam) else sparse.csc_matrix(spread_matrix(problem) + lam * unit)


def gradient(problem, lam, scores):
    """The objective's gradient."""
    stay = 2.0 * (scores - problem.given)
    if math.isinf(lam):
        return stay
    return 2.0 * (spread_matrix(problem) @ scores) + lam * stay


def objective(problem, lam, scores):
    """The objective, by papers and reviews in plain loops."""
    stay = sum((y - z) ** 2 for y, z in zip(scores, problem.given, strict=True))
    if math.isinf(lam):
        return stay
    spread = 0.0
    for paper in range(problem.papers):
        own = scores[problem.paper == paper]
        spread += sum((y - own.mean()) ** 2 for y in own)
    return spread + lam * stay


def solve(problem, lam, tolerance=TOLERANCE):
    """Clarabel's answer."""
    weight = 1.0 if math.isinf(lam) else 1.0 + lam
    slope = gradient(problem, lam, problem.given) / weight
    rows, least = constraints(problem)
    found = minimum(
        2.0 * hessian(problem, lam) / weight, slope, rows, least - rows @ problem.given, tolerance
    )
    duals = np.maximum(np.array(found.z), 0.0) * weight
    return Answer(problem.given + np.array(found.x), duals, str(found.status))


def minimum(curvature, slope, rows, least, tolerance):
    """Clarabel's x with the smallest ½ xᵀPx + qᵀx for which Ax ≥ b."""
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    settings.max_iter = 500
    cones = [clarabel.NonnegativeConeT(least.size)]
    upper = sparse.triu(curvature, format="csc")
    return clarabel.DefaultSolver(upper, slope, -rows, -least, cones, settings).solve()
