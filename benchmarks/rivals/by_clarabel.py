"""Clarabel: rows b − Ax in the non-negative cone."""

from __future__ import annotations

import clarabel
import numpy as np
from scipy import sparse

from benchmarks.rivals import NotSolvedByRival, Solve
from benchmarks.rivals.matrices import Matrices
from unround.arrays import FloatArray


def ready(matrices: Matrices, tolerance: float) -> Solve:
    upper = sparse.triu(matrices.quadratic, format="csc")
    bounds = sparse.eye(matrices.linear.size, format="csr")[matrices.bounded]
    rows = sparse.csc_matrix(sparse.vstack([-matrices.rows, bounds, -bounds]))
    right = np.concatenate(
        [-matrices.need, matrices.most[matrices.bounded], -matrices.least[matrices.bounded]]
    )
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance

    def solve() -> FloatArray:
        cones = [clarabel.NonnegativeConeT(right.size)]
        found = clarabel.DefaultSolver(upper, matrices.linear, rows, right, cones, settings).solve()
        if str(found.status) != "Solved":
            raise NotSolvedByRival(str(found.status))
        return np.asarray(found.x)

    return solve
