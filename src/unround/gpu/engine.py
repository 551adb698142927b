"""The engine "gpu"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.gpu.kendall import KendallByLevels
from unround.gpu.launch import memory_free, xp
from unround.gpu.posets import bytes_of_posets
from unround.gpu.solver import GpuSolver
from unround.metrics import KendallError
from unround.problem.model import Problem
from unround.solver.engine import Engine, Pairs, count_pairs

GIGABYTE = 1e9
# Codes, papers, places, scores; what sorting the places and counting the errors take for a while.
BYTES_PER_REVIEW = 48
# Centres, means, the last sweeps of the acceleration, and the index.
BYTES_PER_PAPER = 200


class GpuEngine(Engine):
    """Solves run on this machine's NVIDIA GPU."""

    on_gpu = True

    def solver(self, problem: Problem) -> GpuSolver:
        """Return a solver of the problem. Raise UsageError if the GPU's memory is too small."""
        check_memory(wanted_bytes(problem), memory_free())
        return GpuSolver(problem)

    def pairs_along(
        self,
        problem: Problem,
        measure: KendallError,
        lams: FloatArray,
        tolerance: float,
        *,
        ahead: bool,
    ) -> Iterable[Pairs]:
        """Count the pairs that the solution for each descending λ gets wrong, on the GPU if they fit."""
        solver = self.solver(problem)
        kendall = KendallByLevels(measure, xp.asarray(measure.codes[solver.review]))
        extent = float(problem.upper.max() - problem.lower.min()) if len(problem) else 0.0
        if not kendall.fits(extent):
            return count_pairs(solver, measure, lams, tolerance, ahead=ahead)
        # Centres and scores never leave the GPU.
        there: tuple[Any, Any] = (solver.sweeps, kendall)
        return count_pairs(*there, lams, tolerance, ahead=ahead)


def wanted_bytes(problem: Problem) -> float:
    """Return about how much memory a problem takes on the GPU."""
    own = BYTES_PER_REVIEW * len(problem) + BYTES_PER_PAPER * problem.papers
    return float(own + bytes_of_posets(problem))


def check_memory(wanted: float, free: float) -> None:
    """Refuse a problem that does not fit."""
    if wanted > free:
        raise UsageError(
            f"the GPU has {free / GIGABYTE:.1f} GB of memory free and this problem wants "
            f"{wanted / GIGABYTE:.1f} GB: free some, take a larger GPU, or leave the engine out"
        )
