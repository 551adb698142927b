"""The engine "dask". Nothing of Dask is loaded before it is used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unround.errors import UsageError
from unround.problem.model import Problem
from unround.solver.engine import Engine, ProblemSolver

if TYPE_CHECKING:
    from distributed import Client

INSTALL = "install what a cluster needs with: pip install 'unround[cluster]'"


@dataclass(frozen=True)
class Dask(Engine):
    """The engine "dask": solves run on the workers of a Dask cluster, shard by shard.

    Parameters
    ----------
    scheduler : str or distributed.Client, optional
        The address of a running scheduler, or your own client, which stays open. None: the client
        or the scheduler that Dask itself uses by default.

    Examples
    --------
    >>> import unround
    >>> unround.Dask("tcp://scheduler:8786")
    Dask(scheduler='tcp://scheduler:8786')
    """

    scheduler: str | Client | None = None

    @contextmanager
    def connected(self) -> Iterator[Dask]:
        """Yield the engine with a client of the cluster, whose workers are ready."""
        try:
            from unround.solver.dask_client import client_of
        except ImportError as error:
            if (error.name or "").partition(".")[0] not in ("dask", "distributed"):
                raise
            raise UsageError(f"Dask distributed is not installed; {INSTALL}") from error
        with client_of(self.scheduler) as client:
            yield Dask(client)

    def solver(self, problem: Problem) -> ProblemSolver:
        """Return a solver that cuts the problem into shards; the engine must be connected."""
        from unround.solver.dask_cluster import ClusterSolver

        client: Any = self.scheduler
        return ClusterSolver(problem, client)

    def __reduce__(self) -> tuple[type[Dask], tuple[str | None]]:
        if self.scheduler is None or isinstance(self.scheduler, str):
            return Dask, (self.scheduler,)
        from unround.solver.dask_client import address_of

        return Dask, (address_of(self.scheduler),)
