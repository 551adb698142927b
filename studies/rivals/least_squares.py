"""Least-squares calibration with monotone reviewers (LSC-mono; Tan, Wu, Bei and Xu 2021).

Papers' qualities x, and errors e of single reviews, with the least sum of e² such that every reviewer's
x + e rises with their scores, by a tenth of the difference at least. For given x the errors are a projection
per reviewer, so that x alone is searched.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression, minimize

from unround.arrays import FloatArray
from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate

from .evidence import Evidence, judging_papers

SHARE = 0.1  # of a difference of scores that opinions must differ by


@method("least-squares", "Least-squares calibration")
def _least_squares(case: Case) -> Estimate:
    return judging_papers(case, least_squares_calibration)


def least_squares_calibration(evidence: Evidence) -> FloatArray:
    """Return the qualities x ≥ 0, searched from the mean scores."""
    start = evidence.means(evidence.given)
    found = minimize(
        cost,
        start - start.min(),
        args=(evidence,),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, None)] * start.size,
        options={"maxiter": 2000, "ftol": 1e-12, "gtol": 1e-8},
    )
    qualities: FloatArray = found.x
    return qualities


def cost(x: FloatArray, evidence: Evidence) -> tuple[float, FloatArray]:
    """Return the least sum of squared errors for qualities x, and its gradient."""
    error = np.empty(evidence.given.size)
    for chain in evidence.by_reviewer:
        gap = SHARE * evidence.given[chain]
        wanted = x[evidence.paper[chain]]
        error[chain] = isotonic_regression(wanted - gap).x + gap - wanted
    gradient = np.bincount(evidence.paper, -2.0 * error, evidence.papers).astype(np.float64)
    return float(error @ error), gradient
