"""Engines: where solves run, on this machine, on its GPU or on a Dask cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.problem.model import Problem

if TYPE_CHECKING:
    from unround.metrics.kendall import KendallError
    from unround.solver.loop import Solution


LOCAL: Literal["local"] = "local"
DASK: Literal["dask"] = "dask"
GPU: Literal["gpu"] = "gpu"
ENGINES = (LOCAL, DASK, GPU)
Item = TypeVar("Item")
Output = TypeVar("Output")
INSTALL = "install what a cluster needs with: pip install 'unround[cluster]'"


class ProblemSolver(Protocol):
    """A solver of one problem, for as many λ as are wanted."""

    def solve(self, lam: float, tolerance: float, start: FloatArray | None = None) -> Solution:
        """Return scores within `tolerance` of the optimum, starting from centres `start` if given."""


class Engine(ABC):
    """Where solves run: creates solvers and maps a function over items."""

    @abstractmethod
    def solver(self, problem: Problem) -> ProblemSolver:
        """Return a solver of the problem."""

    def each(self, work: Callable[[Item], Output], items: Iterable[Item]) -> Iterable[Output]:
        """Apply the function to every item; outputs come in the order of the items."""
        return map(work, items)

    def counting(
        self, problem: Problem, measure: KendallError
    ) -> tuple[ProblemSolver, KendallError]:
        """Return a solver of the problem and the measure of its solutions."""
        return self.solver(problem), measure


class OnThisMachine(Engine):
    """The engine "local": solves run in this process."""

    def solver(self, problem: Problem) -> ProblemSolver:
        """Return a solver of the problem."""
        from unround.solver.local import Solver

        return Solver(problem)


ON_THIS_MACHINE = OnThisMachine()


@contextmanager
def open_engine(name: str = LOCAL, scheduler: object = None) -> Iterator[Engine]:
    """Yield the engine of a name; a cluster stays connected for as long as the block lasts."""
    check_engine(name, scheduler)
    if name == LOCAL:
        yield ON_THIS_MACHINE
        return
    if name == GPU:
        # The room of GPUs lies above this one: it is called by its name.
        yield import_module("unround.gpu").open_gpu()
        return
    with connect(scheduler) as client:
        from unround.solver.dask_cluster import OnCluster

        yield OnCluster(client)


def check_engine(engine: object, scheduler: object) -> None:
    """Refuse an unknown engine, and a scheduler that is missing or not called for."""
    if engine not in ENGINES:
        allowed = ", ".join(repr(name) for name in ENGINES)
        raise UsageError(f"engine must be one of {allowed}, not {engine!r}")
    if engine != DASK and scheduler is not None:
        raise UsageError("a scheduler is used by the engine 'dask' only: choose that engine too")
    if engine == DASK and scheduler is None:
        raise UsageError(
            "the engine 'dask' needs a scheduler: the address of a running Dask scheduler, such as "
            "tcp://host:8786"
        )


@contextmanager
def connect(scheduler: object) -> Iterator[Any]:
    """Yield a Dask client: one connected to an address, or the caller's own, which stays open."""
    try:
        from unround.solver import dask_client as dask_client
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("dask", "distributed"):
            raise
        raise UsageError(f"Dask distributed is not installed; {INSTALL}") from error
    with dask_client.client_of(scheduler) as client:
        yield client


def everywhere(client: Any) -> Any:
    """Return a function of (work, items) that maps the work on the client's workers; None without one."""
    if client is None:
        return None
    from unround.solver.dask_client import on_workers

    return partial(on_workers, client)
