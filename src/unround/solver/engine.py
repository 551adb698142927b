"""Engines: where sweeps run, on this machine or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.problem.model import Problem

if TYPE_CHECKING:
    from unround.solver.loop import Solution


LOCAL, DASK = "local", "dask"
ENGINES = (LOCAL, DASK)
Item = TypeVar("Item")
Answer = TypeVar("Answer")
INSTALL = "install what a cluster needs with: pip install 'unround[cluster]'"


class Solving(Protocol):
    """A problem made ready for sweeps."""

    def solve(self, lam: float, tolerance: float, start: FloatArray | None = None) -> Solution:
        """Scores within `tolerance` of the optimum, from centres `start` if given."""


class Engine(Protocol):
    """Whoever can make problems ready for sweeps, and do many small things of one kind."""

    def solver(self, problem: Problem) -> Solving:
        """The problem made ready."""

    def each(self, work: Callable[[Item], Answer], items: Iterable[Item]) -> Iterable[Answer]:
        """The work on every item, by itself and whole; answers in the order of the items."""


class OnThisMachine:
    """The engine "local"."""

    def solver(self, problem: Problem) -> Solving:
        """The problem made ready."""
        from unround.solver.local import Solver

        return Solver(problem)

    def each(self, work: Callable[[Item], Answer], items: Iterable[Item]) -> Iterable[Answer]:
        """One after the other."""
        return map(work, items)


ON_THIS_MACHINE = OnThisMachine()


@contextmanager
def opened(name: str = LOCAL, scheduler: object = None) -> Iterator[Engine]:
    """The engine of a name, connected for as long as the block lasts."""
    check_engine(name, scheduler)
    if name == LOCAL:
        yield ON_THIS_MACHINE
        return
    with connected(scheduler) as client:
        from unround.solver.dask.cluster import OnCluster

        yield OnCluster(client)


def check_engine(engine: object, scheduler: object) -> None:
    """Refuse an unknown engine, and a scheduler that is missing or not called for."""
    if engine not in ENGINES:
        allowed = ", ".join(repr(name) for name in ENGINES)
        raise UsageError(f"engine must be one of {allowed}, not {engine!r}")
    if engine == LOCAL and scheduler is not None:
        raise UsageError("a scheduler is of use to the engine 'dask' only: name that engine too")
    if engine == DASK and scheduler is None:
        raise UsageError(
            "the engine 'dask' needs a scheduler: the address of a running Dask scheduler, such as "
            "tcp://host:8786"
        )


@contextmanager
def connected(scheduler: object) -> Iterator[Any]:
    """A Dask client of a scheduler by its address; a client of the caller's stays theirs."""
    try:
        from unround.solver.dask import client as dask_client
    except ImportError as problem:
        if (problem.name or "").partition(".")[0] not in ("dask", "distributed"):
            raise
        raise UsageError(f"Dask distributed is not installed; {INSTALL}") from problem
    with dask_client.client_of(scheduler) as client:
        yield client


def everywhere(client: Any) -> Any:
    """A function of (work, items) that has the work done by the client's workers; None without."""
    if client is None:
        return None
    from unround.solver.dask.client import on_workers

    return partial(on_workers, client)
