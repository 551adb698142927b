"""A million random reviews of every kind of order, scale and policy, against the CPU. On a real GPU only."""

import numpy as np
import polars as pl
import pytest
from benchmarks.gpu.data import draw
from benchmarks.gpu.kinds import KINDS, problems

import unround
from unround.certificate import certify
from unround.gpu.dequantize import dequantize_on_gpu, simulate_on_gpu
from unround.gpu.launch import to_host
from unround.gpu.solver import GpuSolver
from unround.scale import Scale
from unround.selection.simulation import simulated
from unround.settings import EPSILON, Settings
from unround.solver.local import Solver

REVIEWS = 1_000_000
LAMS = (0.1, 5.0, 100.0)


@pytest.fixture(scope="module")
def drawn():
    found = dict(problems(REVIEWS))
    assert set(found) == set(KINDS)
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_million_reviews_have_the_scores_of_the_cpu(drawn, kind):
    problem = drawn[kind]
    assert len(problem) >= 0.95 * REVIEWS
    solver = GpuSolver(problem)
    for lam in LAMS:
        here, there = Solver(problem).solve(lam, 2e-10), solver.solve(lam, 2e-10)
        assert np.abs(here.scores - there.scores).max() <= 1e-9
        again = GpuSolver(problem).solve(lam, 2e-10)
        assert again.scores.tobytes() == there.scores.tobytes()
    assert certify(problem, lam, there.scores).max_error <= 1e-9


def test_auto_plus_draws_on_the_gpu_what_the_cpu_draws_in_distribution():
    """Other random numbers, the same model: the errors of both curves differ by chance alone."""
    conference = draw(400_000)
    scale, grid = Scale.integers(0, 10), np.array([1.0, 5.0, 20.0, 80.0, 400.0])
    curves = [simulate_on_gpu(conference, scale, EPSILON, grid, seed=k).error for k in range(4)]
    start, paper, level, worth = (to_host(each) for each in conference[:4])
    rows = pl.DataFrame(
        {
            "reviewer": np.repeat(np.arange(start.size - 1), np.diff(start)),
            "paper": paper,
            "score": level.astype(np.int64),
            "rank": 10 - worth.astype(np.int64),
        }
    )
    known = unround.dequantize(
        rows.drop("rank"), rows.drop("score"), lam=5.0, scale=scale, tolerance=1e-3
    ).internals.reviews
    here = simulated(known, Settings(epsilon=EPSILON), grid=grid).error
    chance = np.std(curves, axis=0, ddof=1)
    assert np.abs(np.mean(curves, axis=0) - here).max() <= 6.0 * chance.max()
    assert chance.max() <= 0.02 * here.min()
    assert dequantize_on_gpu(conference, scale, lam="auto+", grid=grid).lam == grid[here.argmin()]
