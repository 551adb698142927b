"""Engines by name, as objects, and from other packages."""

from __future__ import annotations

import sys

import pytest

import unround
from unround import Dask, UsageError
from unround.solver.engine import ON_THIS_MACHINE, find_engine, open_engine

# A package of somebody else's: two modules' worth of code, and what an installer writes beside it.
ABACUS = """
from unround.solver.engine import ON_THIS_MACHINE, Engine

solved = []

class Abacus(Engine):
    def solver(self, problem):
        solved.append(len(problem))
        return ON_THIS_MACHINE.solver(problem)
"""
ENTRY_POINTS = "[unround.engines]\nabacus = unround_abacus:Abacus\n"
METADATA = "Metadata-Version: 2.1\nName: unround-abacus\nVersion: 1.0\n"


@pytest.fixture
def abacus(tmp_path, monkeypatch):
    """Install a made-up package that adds the engine "abacus"; return its folder."""
    (tmp_path / "unround_abacus.py").write_text(ABACUS)
    info = tmp_path / "unround_abacus-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA)
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("unround_abacus", None)


def test_an_engine_of_another_package_is_found_by_its_name_and_solves(abacus):
    import unround_abacus

    drawn = unround.simulate.thurstone(papers=40, seed=1)
    here = unround.dequantize(drawn.reviews, drawn.rankings)
    there = unround.dequantize(drawn.reviews, drawn.rankings, engine="abacus")
    assert there.scores.equals(here.scores)
    assert unround_abacus.solved == [len(drawn.reviews)], (
        "small conferences are drawn and solved here"
    )
    by_object = unround.dequantize(drawn.reviews, lam=2.0, engine=unround_abacus.Abacus())
    assert by_object.lam == 2.0
    assert len(unround_abacus.solved) == 2


def test_the_command_line_has_it_too(abacus, call):
    drawn = unround.simulate.thurstone(papers=12, seed=1)
    drawn.reviews.write_csv(abacus / "reviews.csv")
    words = ("run", abacus / "reviews.csv", "--lam", 2, "-o", abacus / "out", "--engine", "abacus")
    ended = call(*words)
    assert ended.exit_code == 0, ended.output
    assert sys.modules["unround_abacus"].solved
    ended = call(*words, "--scheduler", "tcp://127.0.0.1:1", "--force")
    assert ended.exit_code == 2
    assert "a scheduler is used by the engine 'dask' only" in ended.output


@pytest.mark.parametrize("engine", ["spark", None, 3, ["local"]])
def test_engines_that_cannot_be_are_refused(engine):
    words = "engine must be one of 'dask', 'gpu', 'local', or an engine object, not "
    with pytest.raises(UsageError, match=words):
        find_engine(engine)


def test_engines_are_names_or_objects():
    assert find_engine("local") is ON_THIS_MACHINE
    assert find_engine("dask") == Dask()
    engine = Dask("tcp://127.0.0.1:8786")
    assert find_engine(engine) is engine
    with open_engine() as opened:
        assert opened is ON_THIS_MACHINE


def test_without_dask_the_error_says_how_to_install_it(monkeypatch):
    import unround.solver

    monkeypatch.delattr(unround.solver, "dask_client", raising=False)
    monkeypatch.delitem(sys.modules, "unround.solver.dask_client", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(UsageError, match=r"not installed; .*pip install 'unround\[cluster\]'"),
        open_engine(Dask("tcp://127.0.0.1:8786")),
    ):
        pass


def test_a_solver_of_this_machine_is_the_one_of_results():
    drawn = unround.simulate.thurstone(papers=8, seed=1)
    inside = unround.dequantize(drawn.reviews, drawn.rankings, lam=2.0).internals
    solution = ON_THIS_MACHINE.solver(inside.problem).solve(2.0, 1e-9)
    assert solution.scores.tolist() == inside.values.tolist()
