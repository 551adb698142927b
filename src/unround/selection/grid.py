"""Solve one problem for every λ of a grid, from the largest down."""

from __future__ import annotations

from collections.abc import Iterator

from unround.arrays import FloatArray
from unround.metrics.kendall import KendallError, PairCounts
from unround.solver.engine import ProblemSolver
from unround.solver.loop import Solution


def solutions(
    solver: ProblemSolver, lams: FloatArray, tolerance: float, *, ahead: bool
) -> Iterator[Solution]:
    """Solve for descending λ, each from the last centres or, with `ahead`, extrapolated from the last two."""
    walked: list[tuple[float, FloatArray]] = []
    for lam in lams.tolist():
        weight = 1.0 / (1.0 + lam)
        solution = solver.solve(lam, tolerance, _start(walked, weight))
        walked = (
            [*walked[-1:], (weight, solution.centres)] if ahead else [(weight, solution.centres)]
        )
        yield solution


def count_pairs(
    solver: ProblemSolver, measure: KendallError, lams: FloatArray, tolerance: float, *, ahead: bool
) -> Iterator[PairCounts]:
    """Yield how many pairs each of these solutions gets wrong."""
    for solution in solutions(solver, lams, tolerance, ahead=ahead):
        yield measure.count(solution.scores)


def _start(walked: list[tuple[float, FloatArray]], weight: float) -> FloatArray | None:
    """Extrapolate the centres of the last two λ, linearly in 1/(1+λ); with one, return its centres."""
    if not walked:
        return None
    last, centres = walked[-1]
    if len(walked) == 1 or walked[0][0] == last:
        return centres
    before, earlier = walked[0]
    steps = (weight - last) / (last - before)
    return centres + (centres - earlier) * steps
