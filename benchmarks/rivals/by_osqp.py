"""OSQP with polishing: first-order steps to a tolerance, then the active constraints solved for."""

from __future__ import annotations

import numpy as np
import osqp
from scipy import sparse

from benchmarks.rivals import NotSolvedByRival, Solve
from benchmarks.rivals.matrices import Matrices
from unround.arrays import FloatArray

MOST_STEPS = 1_000_000


def ready(matrices: Matrices, tolerance: float) -> Solve:
    upper = sparse.triu(matrices.quadratic, format="csc")
    rows, least, most = matrices.all_rows()

    def solve() -> FloatArray:
        solver = osqp.OSQP()
        solver.setup(
            upper, matrices.linear, rows, least, most, verbose=False, eps_abs=tolerance,
            eps_rel=tolerance, max_iter=MOST_STEPS, polishing=True,
        )  # fmt: skip
        found = solver.solve(raise_error=False)
        if found.info.status != "solved":
            raise NotSolvedByRival(found.info.status)
        return np.asarray(found.x)

    return solve
