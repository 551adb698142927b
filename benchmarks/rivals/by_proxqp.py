"""ProxQP's sparse solver; it knows no bounds, so that they are rows."""

from __future__ import annotations

import numpy as np
from proxsuite import proxqp

from benchmarks.rivals import NotSolvedByRival, Solve
from benchmarks.rivals.matrices import Matrices
from unround.arrays import FloatArray


def ready(matrices: Matrices, tolerance: float) -> Solve:
    rows, least, most = matrices.all_rows()
    # Rows without an upper end: a number that its scaling can still multiply.
    most = np.minimum(most, 1e20)

    def solve() -> FloatArray:
        solver = proxqp.sparse.QP(matrices.linear.size, 0, least.size)
        solver.settings.eps_abs, solver.settings.eps_rel = tolerance, 0.0
        solver.settings.max_iter = 10_000
        solver.init(matrices.quadratic, matrices.linear, None, None, rows, least, most)
        solver.solve()
        if solver.results.info.status != proxqp.PROXQP_SOLVED:
            raise NotSolvedByRival(str(solver.results.info.status))
        return np.array(solver.results.x)

    return solve
