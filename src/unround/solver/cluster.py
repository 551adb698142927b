"""The same sweeps with shards of reviewers on a Dask cluster.

Shards stay on their workers. A sweep sends the centres out, maps over the shards, and brings one
vector of paper sums back. Tasks keep no state: what a dead worker held is sent again, and its part
of the sweep is done anew.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable
from typing import Any

import numpy as np
from distributed import Client, Future, wait
from distributed.client import FutureCancelledError, FuturesCancelledError
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker

from unround.arrays import FloatArray
from unround.errors import UnroundError
from unround.problem import Problem
from unround.solver.centres import move_centres
from unround.solver.layout import Layout, cut_out, lay_out
from unround.solver.loop import Solution, iterate
from unround.solver.sweeping import start_centres, sweep_block

SHARDS_PER_WORKER = 2
# How often a lost shard is sent again before the cluster is given up.
MOST_REPAIRS = 20
# Seconds to wait for a scheduler or a worker that does not answer.
PATIENCE = 30.0
LOST_WORK = (KilledWorker, FutureCancelledError, FuturesCancelledError, CancelledError, KeyError)
LOST_SCHEDULER = (CommClosedError, TimeoutError, OSError)


class ClusterLost(UnroundError):
    """The Dask cluster is gone. Nothing was written."""


def connect(scheduler: str | Client) -> Client:
    """A client of a running scheduler."""
    if isinstance(scheduler, Client):
        return scheduler
    try:
        return Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except LOST_SCHEDULER as problem:
        raise ClusterLost(f"no Dask scheduler answers at {scheduler}: {problem}") from problem


class ClusterSolver:
    """A problem whose shards lie on the workers of a cluster."""

    def __init__(self, problem: Problem, client: Client) -> None:
        self._problem, self._client = problem, client
        shards = SHARDS_PER_WORKER * max(1, len(client.scheduler_info()["workers"]))
        self._layout = lay_out(problem, min(shards, max(1, len(problem))))
        self._shards: list[Future[Any]] = []
        self._last: tuple[FloatArray, float] = (np.zeros(problem.papers), 0.0)

    def solve(self, lam: float, tolerance: float, start: FloatArray | None = None) -> Solution:
        """Scores within `tolerance` of the optimum, from centres `start` if given."""
        return iterate(self, lam, tolerance, start)

    def first_centres(self, weight: float) -> FloatArray:
        """Where to start when nothing better is known."""
        return start_centres(self._problem, weight)

    def sweep(self, centres: FloatArray, weight: float) -> tuple[FloatArray, float]:
        """One sweep from these centres: the new ones, and how far any moved."""
        self._last = (centres, weight)
        parts = self._repaired(
            lambda shards: [self._client.submit(_added, self._map(_sums, shards), pure=False)]
        )
        means = np.empty_like(centres)
        return means, move_centres(parts[0][None, :], self._layout.count, centres, means)

    def scores(self) -> FloatArray:
        """The scores of the last sweep, one a review."""
        parts = self._repaired(lambda shards: self._map(_scores, shards))
        placed = np.empty(len(self._problem))
        for review, scores in parts:
            placed[review] = scores
        return placed

    def _map(self, work: Callable[..., Any], shards: list[Future[Any]]) -> list[Future[Any]]:
        centres, weight = self._last
        sent = self._client.scatter(centres, broadcast=True, hash=False)
        return [self._client.submit(work, shard, sent, weight, pure=False) for shard in shards]

    def _repaired(self, plan: Callable[[list[Future[Any]]], list[Future[Any]]]) -> list[Any]:
        """The results of a plan over the shards; lost shards are sent again and the plan repeated."""
        for _ in range(MOST_REPAIRS):
            try:
                if not self._shards:
                    self._client.wait_for_workers(1, timeout=PATIENCE)
                    self._shards = [
                        self._client.scatter(cut_out(self._layout, block), hash=False)
                        for block in range(self._layout.blocks)
                    ]
                return self._gathered(plan(self._shards))
            except LOST_WORK:
                self._shards = []
            except LOST_SCHEDULER as problem:
                raise ClusterLost(
                    f"the Dask cluster stopped answering ({problem}); nothing was written"
                ) from problem
        raise ClusterLost(
            f"workers were lost {MOST_REPAIRS} times in one sweep; nothing was written"
        )

    def _gathered(self, futures: list[Future[Any]]) -> list[Any]:
        """Results, with a look now and then whether the scheduler is still there."""
        while True:
            try:
                wait(futures, timeout=5.0)
                break
            except TimeoutError:
                if self._client.status != "running":
                    raise
        found: list[Any] = self._client.gather(futures)
        return found


def _sums(shard: Layout, centres: FloatArray, weight: float) -> FloatArray:
    sums = np.zeros(centres.size)
    sweep_block(shard, 0, centres, weight, np.empty(shard.given.size), sums)
    return sums


def _scores(shard: Layout, centres: FloatArray, weight: float) -> tuple[Any, FloatArray]:
    scores = np.empty(shard.given.size)
    sweep_block(shard, 0, centres, weight, scores, np.zeros(centres.size))
    return shard.review, scores


def _added(parts: list[FloatArray]) -> FloatArray:
    """The sums of all shards, added in their order."""
    total = np.zeros_like(parts[0])
    for part in parts:
        total += part
    return total
