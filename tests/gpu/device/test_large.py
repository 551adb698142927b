"""A million random reviews of every kind of order, scale and policy, against the CPU. On a real GPU only."""

import numpy as np
import pytest
from benchmarks.gpu.kinds import KINDS, problems

from unround.certificate import certify
from unround.gpu.solver import GpuSolver
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
