"""Problem + λ -> sparse matrices, in the two ways that can suit a general solver.

    minimise  ½ x'Px + q'x   subject to   Ax ≥ need,  least ≤ x ≤ most

Both keep only comparisons of neighbouring levels, and of those only the ones that the cells do not
imply already. "eliminated": x is the scores, and P couples all reviews of a paper. "variables": the
papers' means come after the scores in x, and P couples a score with its mean alone. The objective
is divided by 1 + λ, so that a tolerance means the same for every λ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from unround.arrays import FloatArray
from unround.problem.model import Problem


@dataclass(frozen=True)
class Matrices:
    """One convex quadratic program; the first `reviews` entries of x are the scores."""

    reviews: int
    quadratic: sparse.csc_matrix  # P, both triangles
    linear: FloatArray
    rows: sparse.csc_matrix
    need: FloatArray
    least: FloatArray  # −∞ where nothing bounds
    most: FloatArray

    @property
    def bounded(self) -> slice:
        """The entries of x that have bounds."""
        return slice(0, self.reviews)

    def all_rows(self) -> tuple[sparse.csc_matrix, FloatArray, FloatArray]:
        """Comparisons, then bounds, as rows: for solvers that know no bounds."""
        bounds = sparse.eye(self.linear.size, format="csr")[self.bounded]
        above = np.full(self.need.size, np.inf)
        return (
            sparse.csc_matrix(sparse.vstack([self.rows, bounds])),
            np.concatenate([self.need, self.least[self.bounded]]),
            np.concatenate([above, self.most[self.bounded]]),
        )


def means_eliminated(problem: Problem, lam: float) -> Matrices:
    """x = scores: P = 2 (I − averaging over each paper / (1+λ))."""
    reviews = len(problem)
    on = _on_papers(problem)
    averaging = on @ sparse.diags(1.0 / problem.paper_count) @ on.T
    weight = 1.0 / (1.0 + lam)
    quadratic = 2.0 * (sparse.eye(reviews) - weight * averaging)
    return _with_constraints(problem, quadratic, -2.0 * lam * weight * problem.given)


def means_as_variables(problem: Problem, lam: float) -> Matrices:
    """x = scores and means: (y − m)² and λ (y − z)², summed; the best m is the mean."""
    weight = 1.0 / (1.0 + lam)
    on, count = _on_papers(problem), sparse.diags(weight * problem.paper_count)
    own = sparse.eye(len(problem))
    quadratic = 2.0 * sparse.bmat([[own, -weight * on], [-weight * on.T, count]])
    linear = np.concatenate([-2.0 * lam * weight * problem.given, np.zeros(problem.papers)])
    return _with_constraints(problem, quadratic, linear)


FORMULATIONS: dict[str, Callable[[Problem, float], Matrices]] = {
    "eliminated": means_eliminated,
    "variables": means_as_variables,
}


def _on_papers(problem: Problem) -> sparse.csc_matrix:
    reviews = np.arange(len(problem))
    return sparse.csc_matrix((np.ones(reviews.size), (reviews, problem.paper)))


def _with_constraints(problem: Problem, quadratic: sparse.spmatrix, linear: FloatArray) -> Matrices:
    pairs = problem.comparisons
    open_ = problem.lower[pairs.above] < problem.upper[pairs.below] + pairs.gap
    above, below, need = pairs.above[open_], pairs.below[open_], pairs.gap[open_]
    row, one = np.arange(need.size), np.ones(need.size)
    entries = (np.concatenate([one, -one]), (np.tile(row, 2), np.concatenate([above, below])))
    free = np.full(linear.size - len(problem), np.inf)
    return Matrices(
        reviews=len(problem),
        quadratic=_sorted(quadratic),
        linear=linear,
        rows=_sorted(sparse.csc_matrix(entries, (need.size, linear.size))),
        need=need,
        least=np.concatenate([problem.lower, -free]),
        most=np.concatenate([problem.upper, free]),
    )


def _sorted(matrix: sparse.spmatrix) -> sparse.csc_matrix:
    columns = sparse.csc_matrix(matrix)
    columns.sort_indices()
    return columns
