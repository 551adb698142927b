"""The GPU finds the scores of the CPU, the same bits every time."""

import math
from itertools import product

import numpy as np
import pytest

from tests.gpu.device.conferences import KINDS, problem
from unround.certificate import certify
from unround.gpu.projections import LONGEST_OWN
from unround.gpu.solver import GpuSolver
from unround.solver.local import Solver

# Longer than what one thread holds, which is less where a GPU is simulated.
LONG = LONGEST_OWN + 4
SIZES = {"long": {"papers": LONG, "load": LONG}, "same": {"papers": 12}}


@pytest.mark.parametrize(
    ("kind", "lam"),
    [*product(KINDS, [3.0, math.inf]), ("ties", 0.5), ("pairs", 0.5), ("total", 0.05)],
)
def test_scores_are_those_of_the_cpu(kind, lam):
    program = problem(kind, **SIZES.get(kind, {}))
    here, there = Solver(program).solve(lam, 1e-10), GpuSolver(program).solve(lam, 1e-10)
    assert np.abs(here.scores - there.scores).max() <= 1e-9
    assert np.abs(here.centres - there.centres).max() <= 1e-9
    assert certify(program, lam, there.scores).max_error <= 1e-9


def test_every_kind_has_its_shape():
    assert problem("total").chains.start.size > 5
    assert np.any(np.diff(problem("ties").chains.height) == 0)
    assert problem("pairs").posets.start.size > 5
    assert np.diff(problem("long", **SIZES["long"]).chains.start).max() > LONGEST_OWN
    assert not problem("scores only").comparisons.above.size


def test_the_same_bits_every_time():
    first, second = (GpuSolver(problem("ties")).solve(0.5, 1e-10) for _ in range(2))
    assert first.scores.tobytes() == second.scores.tobytes()
    assert first.sweeps == second.sweeps


def test_papers_with_many_reviews():
    program = problem("total", papers=4, reviews=9)
    there = GpuSolver(program).solve(30.0, 1e-10)
    assert program.paper_count.max() == 9
    assert np.abs(Solver(program).solve(30.0, 1e-10).scores - there.scores).max() <= 1e-9
