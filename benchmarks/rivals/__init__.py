"""General solvers, each called directly in its own interface: what they do with the same program.

A rival is a module with `ready(matrices, tolerance)`. It turns the matrices into what the solver
takes and returns a function that sets the solver up, solves, and returns x. That function is what
is timed; it raises `NotSolvedByRival` when the solver itself does not say that it is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from benchmarks.rivals.matrices import Matrices
from unround.arrays import FloatArray

Solve = Callable[[], FloatArray]


class NotSolvedByRival(Exception):
    """What the solver said instead of "solved"."""


@dataclass(frozen=True)
class Rival:
    """A solver, and the tolerances to try: the tightest is where it still says "solved"."""

    name: str
    kind: str
    imports: str
    module: str
    tolerances: tuple[float, ...]

    @property
    def installed(self) -> bool:
        """Whether what it imports is there."""
        return find_spec(self.imports) is not None

    def ready(self, matrices: Matrices, tolerance: float) -> Solve:
        """A function that solves from scratch; the solver is imported here and not before."""
        module = import_module(f"benchmarks.rivals.{self.module}")
        prepare: Callable[[Matrices, float], Solve] = module.ready
        return prepare(matrices, tolerance)


# Interior points end where the gap is small, and the scores are right to about its square root. Polishing
# finds the answer for the constraints that bind, often from a loose tolerance.
RIVALS = (
    Rival("Clarabel", "interior point", "clarabel", "by_clarabel", (1e-14, 1e-12, 1e-15)),
    Rival("OSQP", "splitting, then polishing", "osqp", "by_osqp", (1e-8, 1e-6, 1e-4)),
)


def rival_named(name: str) -> Rival:
    """The one of that name."""
    return next(rival for rival in RIVALS if rival.name == name)
