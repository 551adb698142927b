"""The certificate on the GPU says what the CPU's says."""

import math

import numpy as np
import pytest

import unround
from tests.gpu.device.conferences import problem, tables
from unround.certificate import certify
from unround.gpu.certificate import certify_problem_on_gpu, fits_on_gpu
from unround.solver.local import Solver

SIZES = {"long": {"papers": 10, "load": 10}}
ROUNDING = 1e-13


def solved(kind, lam):
    program = problem(kind, **SIZES.get(kind, {}))
    return program, Solver(program).solve(lam, 1e-10).scores


def agree(program, lam, scores, within=ROUNDING):
    here, there = certify(program, lam, scores), certify_problem_on_gpu(program, lam, scores)
    assert there.max_error == pytest.approx(here.max_error, rel=1e-6, abs=within)
    assert there.max_violation == here.max_violation
    assert there.objective == pytest.approx(here.objective, rel=1e-12)
    return there


@pytest.mark.parametrize("kind", ["total", "ties", "partial", "long", "scores only"])
@pytest.mark.parametrize("lam", [0.5, math.inf])
def test_the_bound_is_that_of_the_cpu(kind, lam):
    program, scores = solved(kind, lam)
    assert fits_on_gpu(program)
    assert agree(program, lam, scores).max_error <= 1e-9


@pytest.mark.parametrize("kind", ["total", "ties", "long"])
def test_wrong_scores_are_told_by_the_same_bound(kind):
    program, scores = solved(kind, 3.0)
    wrong = np.clip(scores + np.random.default_rng(2).normal(0, 0.01, scores.size), 0.0, 9.5)
    told = agree(program, 3.0, wrong, within=1e-9)
    assert told.max_error >= np.abs(wrong - scores).max()
    assert told.max_violation > 0.0


def test_longer_components_are_judged_too():
    program, scores = solved("long", 3.0)
    assert np.diff(program.chains.start).max() > 8
    last = program.chains.member[np.diff(program.chains.start).argmax()]
    moved = scores.copy()
    moved[last] += 0.1
    assert certify_problem_on_gpu(program, 3.0, moved).max_error >= 0.1


def test_what_is_no_number_proves_nothing():
    program, scores = solved("total", 3.0)
    broken = scores.copy()
    broken[5] = np.nan
    assert certify_problem_on_gpu(program, 3.0, broken).max_error == math.inf


def test_the_same_bits_every_time():
    program, scores = solved("ties", 0.5)
    first, second = (certify_problem_on_gpu(program, 0.5, scores) for _ in range(2))
    assert first == second


def test_posets_and_opened_cells_are_for_the_cpu():
    assert not fits_on_gpu(problem("pairs"))


def test_large_problems_are_certified_on_the_gpu(monkeypatch):
    monkeypatch.setattr("unround.gpu.certificate.LEAST_REVIEWS", 10)
    reviews, ranks, _ = tables("scores only")
    with monkeypatch.context() as without:
        without.setattr("unround.gpu.certificate.certify", None)
        there = unround.dequantize(reviews, ranks, lam=3.0, engine="gpu")
    here = unround.dequantize(reviews, ranks, lam=3.0)
    assert there.certificate.max_error == pytest.approx(here.certificate.max_error, abs=1e-9)
