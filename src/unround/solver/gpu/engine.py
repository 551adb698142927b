"""The engine "gpu"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from unround.arrays import FloatArray
from unround.card.launch import cuda, memory_free
from unround.errors import UsageError
from unround.metrics import KendallError
from unround.problem.model import Problem
from unround.solver.engine import INSTALL_GPU
from unround.solver.gpu.counting import CardKendall, extent_of
from unround.solver.gpu.inversions import CardInversions
from unround.solver.gpu.posets import bytes_of_posets
from unround.solver.gpu.solver import CardSolver, CardSweeps
from unround.solver.path import Pairs, count_pairs, steps_ahead

Item = TypeVar("Item")
Output = TypeVar("Output")
GIGABYTE = 1e9
# Codes, papers, places, scores; what counting the errors and the first centres take for a while.
BYTES_PER_REVIEW = 40
# Centres, means, the last sweeps of the acceleration, and the index.
BYTES_PER_PAPER = 200


class OnCard:
    """Solves run on this machine's NVIDIA GPU."""

    on_card = True

    def __init__(self) -> None:
        if not cuda.is_available():
            raise UsageError(
                "the engine 'gpu' finds no NVIDIA GPU with a driver that works: leave the engine out to "
                f"compute on this machine's processor; {INSTALL_GPU}"
            )

    def solver(self, problem: Problem) -> CardSolver:
        """Return a solver of the problem. Raise UsageError if the card's memory is too small."""
        check_memory(wanted_bytes(problem), memory_free())
        return CardSolver(problem)

    def each(self, work: Callable[[Item], Output], items: Iterable[Item]) -> Iterable[Output]:
        """Apply the function to one item after the other."""
        return map(work, items)

    def pairs_along(
        self,
        problem: Problem,
        measure: KendallError,
        lams: FloatArray,
        tolerance: float,
        *,
        ahead: bool,
    ) -> Iterator[Pairs]:
        """Count the pairs that the solution for each descending λ gets wrong, on the card."""
        solver = self.solver(problem)
        kendall = CardKendall(measure, cuda.to_device(measure.codes[solver.review]))
        if not kendall.fits(extent_of(solver.sweeps.layout.reviews.cells)):
            return count_pairs(solver, measure, lams, tolerance, ahead=ahead)
        return pairs_on_card(solver.sweeps, kendall, lams, tolerance, ahead=ahead)


def pairs_on_card(
    sweeps: CardSweeps,
    kendall: CardKendall | CardInversions,
    lams: FloatArray,
    tolerance: float,
    *,
    ahead: bool,
) -> Iterator[Pairs]:
    """Count along descending λ; centres and scores never leave the card."""
    walked: list[tuple[float, Any]] = []
    for lam in lams.tolist():
        weight = 1.0 / (1.0 + lam)
        start = walked[-1][1] if walked else None
        if ahead and len(walked) == 2:
            (before, earlier), (last, centres) = walked
            start = sweeps.vectors.beyond(centres, earlier, steps_ahead(last, before, weight))
        ended = sweeps.converge(lam, tolerance, start)
        walked = [*walked[-1:], (weight, ended.centres)]
        yield kendall.count(sweeps.scores())


def wanted_bytes(problem: Problem) -> float:
    """Return about how much memory a problem takes on the card."""
    own = BYTES_PER_REVIEW * len(problem) + BYTES_PER_PAPER * problem.papers
    return float(own + bytes_of_posets(problem))


def check_memory(wanted: float, free: float) -> None:
    """Refuse a problem that does not fit."""
    if wanted > free:
        raise UsageError(
            f"the GPU has {free / GIGABYTE:.1f} GB of memory free and this problem wants "
            f"{wanted / GIGABYTE:.1f} GB: free some, take a larger GPU, or leave the engine out"
        )
