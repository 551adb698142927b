"""Engines by name, and solves along a grid of λ."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

import unround
from unround import UsageError
from unround.metrics.kendall import KendallError
from unround.solver.engine import (
    ON_THIS_MACHINE,
    check_engine,
    connect,
    count_pairs,
    everywhere,
    open_engine,
    solutions,
)

ADDRESS = "tcp://127.0.0.1:8786"


@pytest.mark.parametrize(
    ("engine", "scheduler", "words"),
    [
        ("spark", None, "engine must be one of 'local', 'dask', 'gpu', not 'spark'"),
        ("local", ADDRESS, "a scheduler is used by the engine 'dask' only"),
        ("gpu", ADDRESS, "a scheduler is used by the engine 'dask' only"),
        ("dask", None, "the engine 'dask' needs a scheduler"),
    ],
)
def test_engines_that_cannot_be_are_refused(engine, scheduler, words):
    with pytest.raises(UsageError, match=words), open_engine(engine, scheduler):
        pass


@pytest.mark.parametrize(
    ("engine", "scheduler"), [("local", None), ("gpu", None), ("dask", ADDRESS)]
)
def test_engines_that_can_be_are_not(engine, scheduler):
    check_engine(engine, scheduler)


def test_without_a_name_solves_run_here():
    with open_engine() as engine:
        assert engine is ON_THIS_MACHINE
        assert list(engine.each(str, [2, 1])) == ["2", "1"]
    assert everywhere(None) is None


def test_without_dask_the_error_says_how_to_install_it(monkeypatch):
    import unround.solver

    monkeypatch.delattr(unround.solver, "dask_client", raising=False)
    monkeypatch.delitem(sys.modules, "unround.solver.dask_client", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(UsageError, match=r"not installed; .*pip install 'unround\[cluster\]'"),
        connect(ADDRESS),
    ):
        pass


class Recording:
    """A solver whose centres at λ are 1/(1+λ) and its square, and which keeps where it starts."""

    def __init__(self):
        self.starts = []

    def solve(self, lam, tolerance, start=None):
        self.starts.append(None if start is None else start.tolist())
        weight = 1.0 / (1.0 + lam)
        scores = np.array([lam, 0.0, 1.0])
        return SimpleNamespace(centres=np.array([weight, weight**2]), scores=scores)


LAMS = np.array([7.0, 3.0, 1.0, 1.0, 1 / 3])  # 1/(1+λ): 1/8, 1/4, 1/2 twice, 3/4


@pytest.mark.parametrize(
    ("ahead", "starts"),
    [
        (False, [None, [1 / 8, 1 / 64], [1 / 4, 1 / 16], *[[1 / 2, 1 / 4]] * 2]),
        # Linear in 1/(1+λ): right for the first centre, short of the second by its bend.
        (True, [None, [1 / 8, 1 / 64], [1 / 2, 5 / 32], *[[1 / 2, 1 / 4]] * 2]),
    ],
    ids=["from the last", "ahead of the last two"],
)
def test_each_lambda_starts_from_what_was_found_before(ahead, starts):
    solver = Recording()
    found = list(solutions(solver, LAMS, 1e-9, ahead=ahead))
    assert [solution.scores[0] for solution in found] == LAMS.tolist()
    assert solver.starts == starts


def test_pairs_are_counted_for_every_lambda():
    measure = KendallError(np.array([0.0, 1.0, 2.0]))
    counts = list(count_pairs(Recording(), measure, np.array([7.0, 0.5]), 1e-9, ahead=False))
    assert counts == [measure.count(np.array([lam, 0.0, 1.0])) for lam in (7.0, 0.5)]
    assert counts[0] != counts[1]


def test_a_solver_of_this_machine_is_the_one_of_results():
    drawn = unround.simulate.thurstone(papers=8, seed=1)
    inside = unround.dequantize(drawn.reviews, drawn.rankings, lam=2.0).internals
    solution = ON_THIS_MACHINE.solver(inside.problem).solve(2.0, 1e-9)
    assert solution.scores.tolist() == inside.values.tolist()
