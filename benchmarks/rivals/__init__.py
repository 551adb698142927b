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
    imports: tuple[str, ...]
    module: str
    function: str
    tolerances: tuple[float, ...]

    @property
    def installed(self) -> bool:
        """Whether all that it imports is there."""
        return all(find_spec(name) is not None for name in self.imports)

    def ready(self, matrices: Matrices, tolerance: float) -> Solve:
        """A function that solves from scratch; the solver is imported here and not before."""
        module = import_module(f"benchmarks.rivals.{self.module}")
        prepare: Callable[[Matrices, float], Solve] = getattr(module, self.function)
        return prepare(matrices, tolerance)


# Interior points end where the gap is small; the scores are right to about its square root.
TIGHT = (1e-14, 1e-12, 1e-15)

# Polishing finds the answer for the constraints that bind, often from a loose tolerance.
RIVALS = (
    Rival("Clarabel", "interior point", ("clarabel",), "by_clarabel", "ready", TIGHT),
    Rival("CVXOPT", "interior point", ("cvxopt",), "by_cvxopt", "ready", TIGHT),
    Rival("PIQP", "proximal interior point", ("piqp",), "by_piqp", "ready", TIGHT),
    Rival(
        "HiGHS HiPO", "interior point", ("highspy", "highspy_extras"), "by_highs",
        "interior_point", (1e-12,),
    ),
    Rival("HiGHS", "active set", ("highspy",), "by_highs", "active_set", (1e-10,)),
    Rival(
        "ProxQP", "augmented Lagrangian", ("proxsuite",), "by_proxqp", "ready",
        (1e-9, 1e-8, 1e-12),
    ),
    Rival(
        "OSQP", "splitting, then polishing", ("osqp",), "by_osqp", "ready", (1e-8, 1e-6, 1e-4)
    ),
)  # fmt: skip


def rival_named(name: str) -> Rival:
    """The one of that name."""
    return next(rival for rival in RIVALS if rival.name == name)
