"""HiGHS: its model of rows, bounds and Hessian, for both of its algorithms.

The interior point (HiPO) needs the package highspy-extras.
"""

from __future__ import annotations

import highspy
import numpy as np
from scipy import sparse

from benchmarks.rivals import NotSolvedByRival, Solve
from benchmarks.rivals.matrices import Matrices
from unround.arrays import FloatArray

LEAST_TOLERANCE = 1e-10  # HiGHS allows no tighter KKT tolerance


def active_set(matrices: Matrices, tolerance: float) -> Solve:
    """No regularisation: the program is strictly convex, and it would move the answer by 1e-7."""
    return _ready(
        matrices,
        {
            "solver": "qpasm",
            "kkt_tolerance": tolerance,
            "qp_regularization_value": 0.0,
            "qp_nullspace_limit": 2**31 - 1,
        },
    )


def interior_point(matrices: Matrices, tolerance: float) -> Solve:
    return _ready(
        matrices,
        {
            "solver": "hipo",
            "kkt_tolerance": max(tolerance, LEAST_TOLERANCE),
            "ipm_optimality_tolerance": tolerance,
        },
    )


def _ready(matrices: Matrices, options: dict[str, object]) -> Solve:
    program, hessian = _program(matrices), _hessian(matrices)

    def solve() -> FloatArray:
        highs = highspy.Highs()
        highs.silent()
        for name, value in {**options, "parallel": "off", "threads": 1}.items():
            if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
                raise NotSolvedByRival(f"option {name} = {value} refused")
        highs.passModel(program)
        highs.passHessian(hessian)
        highs.run()
        status = highs.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise NotSolvedByRival(highs.modelStatusToString(status))
        return np.array(highs.getSolution().col_value)

    return solve


def _program(matrices: Matrices) -> highspy.HighsLp:
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = matrices.linear.size, matrices.need.size
    program.col_cost_ = matrices.linear
    program.col_lower_, program.col_upper_ = matrices.least, matrices.most
    program.row_lower_ = matrices.need
    program.row_upper_ = np.full(matrices.need.size, np.inf)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = matrices.rows.indptr
    program.a_matrix_.index_ = matrices.rows.indices
    program.a_matrix_.value_ = matrices.rows.data
    return program


def _hessian(matrices: Matrices) -> highspy.HighsHessian:
    lower = sparse.tril(matrices.quadratic, format="csc")
    hessian = highspy.HighsHessian()
    hessian.dim_ = matrices.linear.size
    hessian.format_ = highspy.HessianFormat.kTriangular
    hessian.start_, hessian.index_, hessian.value_ = lower.indptr, lower.indices, lower.data
    return hessian
