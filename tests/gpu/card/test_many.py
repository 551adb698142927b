"""Many solves in one launch find what solves one by one find."""

import math

import numpy as np
import pytest

import unround
from tests.gpu.card.conferences import problem, tables
from unround.selection.simulation import simulated
from unround.solver.engine import ON_THIS_MACHINE
from unround.solver.gpu.engine import OnCard
from unround.solver.gpu.many import Solves, solve_each
from unround.solver.gpu.parts import fits, lay_out_parts
from unround.solver.local import Solver
from unround.uncertainty.resampling import resample

SMALL = {"papers": 8, "load": 4}


def test_parts_of_every_kind_and_their_own_lambdas():
    kinds = ("total", "ties", "partial", "scores only")
    programs = [problem(kind, **SMALL) for kind in kinds]
    lams = np.array([3.0, 0.5, math.inf, 30.0])
    done = list(solve_each(lay_out_parts(programs), Solves(np.arange(4), lams), 1e-10, scores=True))
    for program, lam, there in zip(programs, lams.tolist(), done, strict=True):
        here = Solver(program).solve(lam, 1e-10)
        assert there.scores is not None
        assert there.bound <= 1e-10
        assert np.abs(here.scores - there.scores).max() <= 1e-9
        assert np.abs(here.centres - there.means).max() <= 1e-9


def test_reviewers_count_as_often_as_they_are_drawn():
    program = problem("ties", **SMALL)
    owner = np.sort(np.arange(len(program)) // 4)
    drawn = np.array([[0, 0, 0, 2, 2, 3, 3, 5], [1, 1, 1, 1, 1, 1, 1, 1]])
    times = np.stack([np.bincount(row, minlength=8) for row in drawn])
    solves = Solves(np.zeros(2, dtype=np.int64), np.full(2, 5.0), times)
    done = solve_each(lay_out_parts([program], [owner]), solves, 1e-10)
    for row, there in zip(drawn, done, strict=True):
        sample = resample(program, owner, row)
        here = Solver(sample.problem).solve(5.0, 1e-10)
        assert np.abs(there.means[sample.paper] - here.centres).max() <= 1e-9
        left_out = np.setdiff1d(np.arange(program.papers), sample.paper)
        assert np.isnan(there.means[left_out]).all()
    assert left_out.size > 0


@pytest.mark.parametrize("kind", ["total", "pairs"])
def test_drawn_conferences_choose_as_on_the_cpu(kind):
    reviews, ranks, _ = tables(kind, **SMALL)
    result = unround.dequantize(reviews, ranks, lam=8.0, conflicts="scores", allow_loss=True)
    known, grid = result.internals.reviews, np.array([2.0, 30.0])
    here, there = (
        simulated(known, result.settings, draws=2, grid=grid, engine=engine)
        for engine in (ON_THIS_MACHINE, OnCard())
    )
    assert there.error.tolist() == here.error.tolist()


def test_pairs_and_long_lists_are_solved_one_by_one():
    assert fits(problem("total", **SMALL))
    assert not fits(problem("pairs", **SMALL))


@pytest.mark.parametrize("kind", ["total", "pairs"])
def test_stability_is_that_of_the_cpu(kind):
    reviews, ranks, _ = tables(kind, **SMALL)
    result = unround.dequantize(reviews, ranks, lam=8.0, conflicts="scores", allow_loss=True)
    here = unround.stability(result, draws=3)
    there = unround.stability(result, draws=3, engine="gpu")
    assert there.share_of_pairs == pytest.approx(here.share_of_pairs, abs=1e-3)
    for column in ("low", "high"):
        apart = (here.papers[column] - there.papers[column]).abs().max()
        assert apart is None or apart <= 1e-4
