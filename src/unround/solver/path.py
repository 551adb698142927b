"""Solutions along a grid of λ, from the largest down, so that each solution starts the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from unround.arrays import FloatArray
from unround.metrics import KendallError

if TYPE_CHECKING:
    from unround.solver.engine import Solving
    from unround.solver.loop import Solution

Pairs = tuple[int, int]  # that an estimate reverses, and that it ties though the truth does not


def solutions(
    solver: Solving, lams: FloatArray, tolerance: float, *, ahead: bool
) -> Iterator[Solution]:
    """Solve for descending λ; each starts from the last centres, or ahead of the last two."""
    walked: list[tuple[float, FloatArray]] = []
    for lam in lams.tolist():
        weight = 1.0 / (1.0 + lam)
        solution = solver.solve(lam, tolerance, _start(walked, weight))
        walked = (
            [*walked[-1:], (weight, solution.centres)] if ahead else [(weight, solution.centres)]
        )
        yield solution


def count_pairs(
    solver: Solving, measure: KendallError, lams: FloatArray, tolerance: float, *, ahead: bool
) -> Iterator[Pairs]:
    """Count the pairs that each solution gets wrong."""
    for solution in solutions(solver, lams, tolerance, ahead=ahead):
        yield measure.count(solution.scores)


def steps_ahead(last: float, before: float, weight: float) -> float:
    """Return how many steps from `before` to `last` lie between `last` and a new 1/(1+λ)."""
    return 0.0 if last == before else (weight - last) / (last - before)


def _start(walked: list[tuple[float, FloatArray]], weight: float) -> FloatArray | None:
    """Extrapolate the centres of the last two λ, linearly in 1/(1+λ)."""
    if not walked:
        return None
    last, centres = walked[-1]
    if len(walked) == 1 or walked[0][0] == last:
        return centres
    before, earlier = walked[0]
    return centres + (centres - earlier) * steps_ahead(last, before, weight)
