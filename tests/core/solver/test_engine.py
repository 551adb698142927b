"""Engines by name."""

import sys

import pytest

import unround
from unround import UsageError
from unround.solver.engine import (
    ON_THIS_MACHINE,
    check_engine,
    connect,
    everywhere,
    open_engine,
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


def test_a_solver_of_this_machine_is_the_one_of_results():
    drawn = unround.simulate.thurstone(papers=8, seed=1)
    inside = unround.dequantize(drawn.reviews, drawn.rankings, lam=2.0).internals
    solution = ON_THIS_MACHINE.solver(inside.problem).solve(2.0, 1e-9)
    assert solution.scores.tolist() == inside.values.tolist()
