"""The engine "local": sweeps on this machine, large problems in several threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from unround.arrays import FloatArray
from unround.problem.model import Problem
from unround.solver.kernels.arguments import Sweep
from unround.solver.kernels.centres import move_centres
from unround.solver.layout import lay_out, start_centres, sweep_block
from unround.solver.loop import Solution, iterate


class Solver:
    """A problem made ready for sweeps on this machine, for any number of λ."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.layout = lay_out(problem)
        self.swept = np.empty(len(problem))  # the scores of the last sweep, in sweep order
        self._sums = np.empty((self.layout.blocks, problem.papers))
        self._means = np.empty(problem.papers)

    def solve(self, lam: float, tolerance: float, start: FloatArray | None = None) -> Solution:
        """Return scores within `tolerance` of the optimum, starting from centres `start` if given."""
        return iterate(self, lam, tolerance, start)

    def first_centres(self, weight: float) -> FloatArray:
        """Return where to start when nothing better is known."""
        return start_centres(self._problem, weight)

    def sweep(self, centres: FloatArray, weight: float) -> tuple[FloatArray, float]:
        """Sweep from these centres; return the new ones, good until the next sweep, and how far any moved."""
        sums = self.block_sums(centres, weight)
        return self._means, move_centres(sums, self.layout.count, centres, self._means)

    def block_sums(self, centres: FloatArray, weight: float) -> FloatArray:
        """Sweep from these centres; return for every block the sum of scores, one per paper."""

        def work(block: int) -> None:
            self._sums[block] = 0.0
            sweep_block(self.layout, block, Sweep(centres, weight, self.swept, self._sums[block]))

        for_each(work, self.layout.blocks)
        return self._sums

    def scores(self) -> FloatArray:
        """Return the scores of the last sweep, one per review."""
        placed = np.empty(len(self._problem))
        placed[self.layout.review] = self.swept
        return placed


def for_each(work: Callable[[int], None], blocks: int) -> None:
    """Do every block, in threads if there are several. Which thread does which does not affect the result."""
    if blocks == 1 or _threads() == 1:
        for block in range(blocks):
            work(block)
    else:
        list(_pool().map(work, range(blocks)))


@cache
def _threads() -> int:
    """Return UNROUND_THREADS, or the number of processors that this process may use."""
    chosen = os.environ.get("UNROUND_THREADS", "")
    if chosen.isdigit() and int(chosen) > 0:
        return int(chosen)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_threads(), thread_name_prefix="unround")


if hasattr(os, "register_at_fork"):
    # A forked process has none of its parent's threads: it makes a pool of its own.
    os.register_at_fork(after_in_child=_pool.cache_clear)
