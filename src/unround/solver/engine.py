"""Engines: where solves run. Every engine is an entry point of the group `unround.engines`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.problem.model import Problem

if TYPE_CHECKING:
    from unround.metrics.kendall import KendallError
    from unround.solver.loop import Solution

GROUP = "unround.engines"
LOCAL = "local"


class ProblemSolver(Protocol):
    """A solver of one problem, for as many λ as are wanted."""

    def solve(self, lam: float, tolerance: float, start: FloatArray | None = None) -> Solution:
        """Return scores within `tolerance` of the optimum, starting from centres `start` if given."""


class Engine(ABC):
    """Where solves run."""

    @contextmanager
    def connected(self) -> Iterator[Engine]:
        """Yield this engine ready to solve. Raise UsageError if it cannot work here."""
        yield self

    @abstractmethod
    def solver(self, problem: Problem) -> ProblemSolver:
        """Return a solver of the problem."""

    def counting(
        self, problem: Problem, measure: KendallError
    ) -> tuple[ProblemSolver, KendallError]:
        """Return a solver whose solutions the returned measure can read, wherever its arrays lie."""
        return self.solver(problem), measure


class Local(Engine):
    """The engine "local": solves run in this process."""

    def solver(self, problem: Problem) -> ProblemSolver:
        """Return a solver of the problem."""
        from unround.solver.local import Solver

        return Solver(problem)


ON_THIS_MACHINE = Local()


def find_engine(engine: str | Engine) -> Engine:
    """Return an engine as it is, or the one that an installed package registers under the name."""
    if isinstance(engine, Engine):
        return engine
    if engine == LOCAL:  # nearly always: there is no need to look at every installed package
        return ON_THIS_MACHINE
    found = entry_points(group=GROUP)
    if not isinstance(engine, str) or engine not in found.names:
        allowed = ", ".join(repr(name) for name in sorted(found.names))
        raise UsageError(f"engine must be one of {allowed}, or an engine object, not {engine!r}")
    made: Engine = found[engine].load()()
    return made


def open_engine(engine: str | Engine = LOCAL) -> AbstractContextManager[Engine]:
    """Return a context with the engine ready to solve; a cluster stays connected as long as it lasts."""
    return find_engine(engine).connected()
