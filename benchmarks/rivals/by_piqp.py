"""PIQP's sparse solver."""

from __future__ import annotations

import numpy as np
import piqp

from benchmarks.rivals import NotSolvedByRival, Solve
from benchmarks.rivals.matrices import Matrices
from unround.arrays import FloatArray


def ready(matrices: Matrices, tolerance: float) -> Solve:
    none = np.full(matrices.need.size, np.inf)

    def solve() -> FloatArray:
        solver = piqp.SparseSolver()
        solver.settings.eps_abs = solver.settings.eps_rel = tolerance
        solver.settings.eps_duality_gap_abs = solver.settings.eps_duality_gap_rel = tolerance
        solver.settings.max_iter = 1_000
        solver.setup(
            matrices.quadratic, matrices.linear, None, None, matrices.rows, matrices.need, none,
            matrices.least, matrices.most,
        )  # fmt: skip
        status = solver.solve()
        if status != piqp.PIQP_SOLVED:
            raise NotSolvedByRival(str(status))
        return np.array(solver.result.x)

    return solve
