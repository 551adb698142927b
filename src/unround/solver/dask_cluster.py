"""The same sweeps with shards of reviewers on a Dask cluster.

Shards are a problem cut into smaller ones that share papers but no comparison. A sweep of the whole problem
is a sweep of every shard, with the sums of each paper added up. How a problem is cut follows from the problem
alone: the same bits on any number of workers.

Shards stay on their workers for as many λ as are solved. A sweep sends the centres out, maps over
the shards, and brings the sums of their papers back, to be added in a fixed order. A task's answer
follows from its arguments alone: what a dead worker held is sent again, and its part of the sweep
is done anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

import numpy as np
from distributed import Client, Future

from unround.arrays import FloatArray, IntArray
from unround.errors import ClusterLost
from unround.problem.model import Part, Problem, part_of
from unround.solver.dask_client import (
    GONE,
    PATIENCE_SECONDS,
    UNTOUCHED,
    gathered,
    is_there,
    lost_scheduler,
)
from unround.solver.kernels.centres import move_centres
from unround.solver.local import Solver, start_centres
from unround.solver.loop import Solution, iterate

# Sweeping a shard of so many reviews takes much longer than the request for it.
REVIEWS_A_SHARD = 200_000
# Small problems are cut too, so that several workers share them.
LEAST_SHARDS = 4
# How often lost shards are sent again before the cluster is given up.
MOST_REPAIRS = 10
# Centres up to this many bytes travel with each task; larger ones are sent to every worker once.
SMALL_BYTES = 200_000


@dataclass
class Shard:
    """Some components of a problem, with their papers numbered anew."""

    problem: Problem
    paper: IntArray  # each paper's number in the whole problem
    # After a loss, a sweep is requested again while the first request may still run in another thread.
    _one_at_a_time: Lock = field(default_factory=Lock, repr=False, compare=False)

    @cached_property
    def solver(self) -> Solver:
        """The shard made ready for sweeps, once, on its worker."""
        return Solver(self.problem)

    def sums(self, centres: FloatArray, weight: float) -> FloatArray:
        """Sweep from the centres of the whole problem; return the sum of scores, one per paper here."""
        with self._one_at_a_time:
            sums: FloatArray = self.solver.block_sums(centres[self.paper], weight).sum(axis=0)
            return sums

    def scores(self, centres: FloatArray, weight: float) -> FloatArray:
        """Sweep from these centres; return the scores, one per review here."""
        with self._one_at_a_time:
            self.solver.block_sums(centres[self.paper], weight)
            return self.solver.scores()

    def __reduce__(self) -> tuple[type[Shard], tuple[Problem, IntArray]]:
        return Shard, (self.problem, self.paper)


Work = Callable[[Shard, FloatArray, float], FloatArray]


class Cuts:
    """Where a problem is cut."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        wanted = max(LEAST_SHARDS, -(-len(problem) // REVIEWS_A_SHARD))
        self.count = min(wanted, max(1, len(problem)))
        self._singles = problem.singles

    def part(self, number: int) -> Part:
        """Return the part of the problem that one shard holds."""
        chains, posets = self._problem.chains, self._problem.posets
        return part_of(
            self._problem,
            self._span(chains.start.size - 1, number),
            self._span(posets.start.size - 1, number),
            self._singles[self._span(self._singles.size, number)],
        )

    def _span(self, things: int, number: int) -> IntArray:
        return np.arange(things * number // self.count, things * (number + 1) // self.count)


class ClusterSolver:
    """A problem whose shards lie on the workers of a cluster."""

    def __init__(self, problem: Problem, client: Client) -> None:
        self._problem, self._client = problem, client
        self._cuts = Cuts(problem)
        self._count = problem.paper_count.astype(np.float64)
        self._shards: dict[int, Future[Shard]] = {}
        self._parts: dict[int, tuple[IntArray, IntArray]] = {}  # reviews and papers of each shard
        self._last = np.zeros(problem.papers), 0.0  # centres and weight

    def solve(self, lam: float, tolerance: float, start: FloatArray | None = None) -> Solution:
        """Return scores within `tolerance` of the optimum, starting from centres `start` if given."""
        return iterate(self, lam, tolerance, start)

    def first_centres(self, weight: float) -> FloatArray:
        """Return where to start when nothing better is known."""
        return start_centres(self._problem, weight)

    def sweep(self, centres: FloatArray, weight: float) -> tuple[FloatArray, float]:
        """Sweep from these centres; return the new ones, and how far any moved."""
        self._last = centres, weight
        total = np.zeros((1, centres.size))
        for number, sums in enumerate(self._mapped(Shard.sums)):
            total[0, self._parts[number][1]] += sums
        means = np.empty_like(centres)
        return means, move_centres(total, self._count, centres, means)

    def scores(self) -> FloatArray:
        """Return the scores of the last sweep, one per review."""
        placed = np.empty(len(self._problem))
        for number, scores in enumerate(self._mapped(Shard.scores)):
            placed[self._parts[number][0]] = scores
        return placed

    def _mapped(self, work: Work) -> list[FloatArray]:
        """Return the work on every shard, done where the shard is; after a loss, shards are sent again."""
        error: BaseException | None = None
        for repairs in range(MOST_REPAIRS):
            try:
                return gathered(self._client, self._tasks(work))
            except GONE as loss:
                error = loss
            if not is_there(self._client):
                raise lost_scheduler(self._client) from error
            # Dask may not know at once which shards are lost: from the second loss on, all are sent again.
            self._forget(every=repairs > 0)
        raise ClusterLost(
            f"workers were lost {MOST_REPAIRS} times in one sweep ({error}), as happens when "
            f"their memory is too small; {UNTOUCHED}"
        ) from error

    def _tasks(self, work: Work) -> list[Future[FloatArray]]:
        shards, (centres, weight) = self._in_place(), self._last
        if centres.nbytes > SMALL_BYTES:
            centres = self._client.scatter(centres, broadcast=True, hash=False)
        return self._client.map(work, shards, centres=centres, weight=weight, pure=False)

    def _forget(self, *, every: bool) -> None:
        kept = {} if every else self._shards
        self._shards = {n: shard for n, shard in kept.items() if shard.status == "finished"}

    def _in_place(self) -> list[Future[Shard]]:
        """Return every shard on its worker; those that are on none are sent, to each worker in turn."""
        missing = [number for number in range(self._cuts.count) if number not in self._shards]
        if missing:
            workers = self._workers()
            for number in missing:
                self._shards[number] = self._sent(number, workers[number % len(workers)])
        return [self._shards[number] for number in range(self._cuts.count)]

    def _workers(self) -> list[str]:
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE_SECONDS)
        except TimeoutError:
            raise ClusterLost(f"the Dask cluster has no workers left; {UNTOUCHED}") from None
        return sorted(self._client.nthreads())

    def _sent(self, number: int, worker: str) -> Future[Shard]:
        part = self._cuts.part(number)
        self._parts[number] = part.review, part.paper
        shard = Shard(part.problem, part.paper)
        try:
            sent: Future[Shard] = self._client.scatter(shard, workers=[worker], hash=False)
            return sent
        except KeyError as unknown:  # it left a moment ago
            raise TimeoutError(f"the worker {worker} is gone") from unknown
