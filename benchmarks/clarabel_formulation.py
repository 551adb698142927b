"""Algorithm 1 as matrices for Clarabel: what a general solver can do with the same program."""

from __future__ import annotations

import clarabel
import numpy as np
from scipy import sparse

from benchmarks.paper_formulation import EPSILON
from benchmarks.paper_validation import Program
from unround.arrays import FloatArray


def solve(program: Program, lam: float) -> FloatArray:
    """Dequantized scores, one a review."""
    constraints, most = _constraints(program)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    solver = clarabel.DefaultSolver(
        sparse.triu(_quadratic(program, lam), format="csc"),
        -2.0 * lam * program.score,
        constraints,
        most,
        [clarabel.NonnegativeConeT(most.size)],
        settings,
    )
    return np.asarray(solver.solve().x)


def _quadratic(program: Program, lam: float) -> sparse.csc_matrix:
    """Twice (1 + λ) I minus the averaging over each paper's reviews."""
    paper = np.unique(program.paper, return_inverse=True)[1]
    reviews = np.arange(paper.size)
    on = sparse.csc_matrix((np.ones(paper.size), (reviews, paper)))
    mean = on @ sparse.diags(1.0 / np.bincount(paper)) @ on.T
    return sparse.csc_matrix(2.0 * ((1.0 + lam) * sparse.eye(paper.size) - mean))


def _constraints(program: Program) -> tuple[sparse.csc_matrix, FloatArray]:
    """A and b of A y ≤ b: comparisons, upper ends, lower ends."""
    pairs, reviews = program.above.size, program.score.size
    row, one = np.arange(pairs), np.ones(pairs)
    order = sparse.csc_matrix((one, (row, program.below)), (pairs, reviews)) - sparse.csc_matrix(
        (one, (row, program.above)), (pairs, reviews)
    )
    identity = sparse.eye(reviews)
    most = np.concatenate([-EPSILON * one, program.score + 0.5, 0.5 - program.score])
    return sparse.csc_matrix(sparse.vstack([order, identity, -identity])), most
