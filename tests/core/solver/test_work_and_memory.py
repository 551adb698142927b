"""Work and memory as counts: what must not grow, whatever else the machine is doing."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
import polars as pl
import pytest

import unround
from unround.arrays import coded, stable_order
from unround.metrics import kendall as counting
from unround.metrics.kendall import KendallError
from unround.preparation import prepare
from unround.problem.model import Problem
from unround.reviews.tables import Tables
from unround.settings import Settings
from unround.simulate import Conference
from unround.solver import loop
from unround.solver.local import Solver

SETTINGS = Settings()
WEIGHT = 0.05


@cache
def conference(papers: int) -> Conference:
    return unround.simulate.thurstone(papers, papers_per_reviewer=[4, 5], seed=7)


def ranked(papers: int) -> Problem:
    drawn = conference(papers)
    return prepare(Tables(drawn.reviews, drawn.rankings), SETTINGS).problem


def compared(papers: int) -> Problem:
    """Reviewers of four papers state three pairs, an order that is no chain."""
    drawn = conference(papers)
    by_rank = pl.col("paper").sort_by("rank")
    pairs = (
        drawn.rankings.filter(pl.len().over("reviewer") == 4)
        .group_by("reviewer", maintain_order=True)
        .agg(better=by_rank.gather([0, 1, 1]), worse=by_rank.gather([2, 2, 3]))
        .explode("better", "worse")
    )
    return prepare(Tables(drawn.reviews, pairs), SETTINGS).problem


@contextmanager
def counted_sweeps(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The sweeps of every solve in the block."""
    sweeps: list[int] = []
    solve = loop.iterate

    def counting_solve(*arguments: object) -> loop.Solution:
        solution = solve(*arguments)  # type: ignore[arg-type]
        sweeps.append(solution.sweeps)
        return solution

    with monkeypatch.context() as patched:
        patched.setattr("unround.solver.local.iterate", counting_solve)
        yield sweeps


@pytest.mark.slow
@pytest.mark.parametrize("papers", [60, 19_000])
def test_a_small_lambda_takes_at_most_500_sweeps(papers: int):
    drawn = conference(papers)
    certificate = unround.dequantize(drawn.reviews, drawn.rankings, lam=0.001).certificate
    assert certificate.max_error <= 1e-9
    assert certificate.sweeps <= 500


def test_the_whole_grid_takes_few_sweeps(monkeypatch: pytest.MonkeyPatch):
    with counted_sweeps(monkeypatch) as sweeps:
        unround.select_lambda(conference(320).reviews)
    assert len(sweeps) == 40
    assert sum(sweeps) <= 5 * 40


@pytest.mark.parametrize("lam", [0.1, 1.0, 10.0, 1000.0])
def test_sweeps_do_not_grow_with_the_conference(lam: float):
    few, many = (Solver(ranked(papers)).solve(lam, 1e-9).sweeps for papers in (500, 25_000))
    assert many <= 1.5 * few + 3


@pytest.mark.parametrize("kind", [ranked, compared])
def test_a_sweep_makes_no_arrays(kind: Callable[[int], Problem]):
    solver = Solver(kind(2_000))
    centres = solver.first_centres(WEIGHT)
    solver.sweep(centres, WEIGHT)
    tracemalloc.start()
    try:
        solver.sweep(centres, WEIGHT)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < centres.nbytes / 2  # the smallest array there could be is one of the papers


def peak_per_review(lam: float | str, papers: int) -> float:
    drawn = conference(papers)
    tracemalloc.start()
    try:
        unround.dequantize(drawn.reviews, drawn.rankings, lam=lam)
        return tracemalloc.get_traced_memory()[1] / drawn.reviews.height
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.parametrize(("lam", "most"), [(25.0, 270.0), ("auto", 360.0)])
def test_memory_a_review(lam: float | str, most: float):
    """Beside the caller's tables; ten million reviews at this rate fit into 4 GB with them."""
    peak_per_review(lam, 60)  # what is loaded once is not counted
    assert peak_per_review(lam, 25_000) <= most


def test_large_validations_never_sort(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise AssertionError("sorted where counting would do")

    monkeypatch.setattr(counting, "count_by_sorting", refuse)
    unround.select_lambda(conference(25_000).reviews, grid=[10.0])


@pytest.mark.parametrize("levels", [2, 5, 11])
def test_counting_and_sorting_agree(levels: int, monkeypatch: pytest.MonkeyPatch):
    random = np.random.default_rng(levels)
    truth = random.integers(0, levels, 3_000).astype(np.float64)
    estimates = [truth + random.normal(0.0, spread, truth.size) for spread in (0.1, 1.0)]
    estimates += [np.rint(estimate) for estimate in estimates]
    found = []
    for room in (0, 10**9):
        monkeypatch.setattr("unround.metrics.kendall.HISTOGRAM_PER_REVIEW", room)
        error = KendallError(truth)
        found.append([error(estimate) for estimate in estimates])
    assert found[0] == found[1]


@pytest.mark.parametrize("size", [5, 5_000])
def test_an_estimate_that_is_no_number_is_refused(size: int):
    error = KendallError(np.arange(float(size)) % 3)
    with pytest.raises(unround.UsageError, match="estimate must be finite numbers"):
        error(np.where(np.arange(size) == 2, np.nan, 1.0))


@pytest.mark.parametrize("size", [10, 150_000])
@pytest.mark.parametrize("below", [3, 70_000, 2**33])
def test_stable_order_is_that_of_numpy(size: int, below: int):
    keys = np.random.default_rng(size).integers(0, below, size)
    assert np.array_equal(stable_order(keys), np.argsort(keys, kind="stable"))


@pytest.mark.parametrize(
    "values",
    [
        np.array([-100, 100, 100], dtype=np.int8),
        np.array([2**64 - 1, 0, 5], dtype=np.uint64),
        np.array([2**63 - 1, 2**63 - 2]),
        np.array([-(2**63), -(2**63) + 1]),
        np.array([3.0, -2.0, 3.0]),
        np.array([0.5, 0.25, 0.5]),
        np.array([np.inf, 1.0, -np.inf]),
        np.array([-0.0, 0.0, 1.0]),
        np.array([], dtype=np.float64),
        np.array([10**6, 0]),
    ],
    ids=str,
)
def test_codes_are_those_of_sorting(values: np.ndarray):
    found, codes = coded(values)
    distinct, inverse = np.unique(values, return_inverse=True)
    assert found.dtype == values.dtype
    assert found.tolist() == distinct.tolist()
    assert codes.tolist() == inverse.tolist()
