"""CVXOPT: `solvers.qp` with sparse matrices and its own choice of how to solve the KKT systems."""

from __future__ import annotations

import numpy as np
from cvxopt import matrix, solvers, spmatrix
from scipy import sparse

from benchmarks.rivals import NotSolvedByRival, Solve
from benchmarks.rivals.matrices import Matrices
from unround.arrays import FloatArray


def ready(matrices: Matrices, tolerance: float) -> Solve:
    bounds = sparse.eye(matrices.linear.size, format="csr")[matrices.bounded]
    rows = _native(sparse.vstack([-matrices.rows, bounds, -bounds]))
    most, least = matrices.most[matrices.bounded], matrices.least[matrices.bounded]
    right = matrix(np.concatenate([-matrices.need, most, -least]))
    quadratic, linear = _native(matrices.quadratic), matrix(matrices.linear)
    options = {
        "show_progress": False,
        "abstol": tolerance,
        "reltol": tolerance,
        "feastol": tolerance,
    }

    def solve() -> FloatArray:
        found = solvers.qp(quadratic, linear, rows, right, options=options)
        if found["status"] != "optimal":
            raise NotSolvedByRival(found["status"])
        return np.asarray(found["x"]).ravel()

    return solve


def _native(given: sparse.spmatrix) -> spmatrix:
    entries = sparse.coo_matrix(given)
    return spmatrix(entries.data, entries.row.tolist(), entries.col.tolist(), entries.shape)
