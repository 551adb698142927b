"""Seconds of one sweep, and of plain copies of the bytes that it touches, on so many threads.

Centres differ between sweeps as they do between λ, so that no sweep finds its work already done.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

import unround
from benchmarks.harness.machine import use_every_core
from benchmarks.harness.timing import best_of
from unround.arrays import FloatArray
from unround.problem.model import Problem
from unround.solver.local import Layout, Solver, lay_out

WEIGHT = 0.5


def main(folder: Path, threads: int, repeats: int) -> None:
    if threads > 1:
        use_every_core()
    reviews = pl.read_ipc(folder / "reviews.arrow")
    rankings = pl.read_ipc(folder / "rankings.arrow")
    problem = unround.dequantize(reviews, rankings, lam=1.0).internals.problem
    size = swept_bytes(problem, lay_out(problem))
    with ThreadPoolExecutor(threads) as pool:
        found = {
            "bytes": size,
            "sweep": _sweep(problem, repeats),
            "moving": _copy(size // 2, threads, pool, repeats),
            "copying": _copy(size, threads, pool, repeats),
        }
    print(json.dumps(found))


def swept_bytes(problem: Problem, layout: Layout) -> int:
    """Every array that a sweep reads or writes, counted once."""
    cuts = (layout.chain_cuts, layout.poset_cuts, layout.single_cuts)
    swept = (layout.count, *layout.reviews, *layout.chains, *layout.posets, *cuts)
    arrays = sum(array.nbytes for array in swept)
    scores = 8 * len(problem)
    centres_and_means, sums = 2 * 8 * problem.papers, layout.blocks * 8 * problem.papers
    return int(arrays + scores + centres_and_means + sums)


def _sweep(problem: Problem, repeats: int) -> float:
    solver = Solver(problem)
    first = solver.first_centres(WEIGHT)
    noise = np.random.default_rng(0).normal(0.0, 0.3, (2, first.size))
    starts = [first + noise[0], first + noise[1]]

    def sweep() -> None:
        starts.reverse()
        solver.sweep(starts[0], WEIGHT)

    sweep()
    return best_of(4 * repeats, sweep).seconds


def _copy(size: int, threads: int, pool: ThreadPoolExecutor, repeats: int) -> float:
    source, target = np.ones(size // 8), np.zeros(size // 8)
    cuts = np.linspace(0, source.size, threads + 1).astype(int)
    parts = [(target[a:b], source[a:b]) for a, b in pairwise(cuts)]
    work: Callable[[], object] = (
        (lambda: np.copyto(*parts[0]))
        if threads == 1
        else (lambda: list(pool.map(_copy_part, parts)))
    )
    work()
    return best_of(4 * repeats, work).seconds


def _copy_part(part: tuple[FloatArray, FloatArray]) -> None:
    np.copyto(*part)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
