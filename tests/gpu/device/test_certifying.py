"""The certificate on the GPU says what the CPU's says."""

import math

import numpy as np
import pytest

from tests.gpu.device.conferences import problem
from unround.certificate import certify
from unround.gpu.certificate import GpuStatements, certify_on_gpu
from unround.gpu.launch import xp
from unround.solver.local import Solver

SIZES = {"long": {"papers": 10, "load": 10}}
ROUNDING = 1e-13


def solved(kind, lam):
    program = problem(kind, **SIZES.get(kind, {}))
    return program, Solver(program).solve(lam, 1e-10).scores


def certified_on_gpu(program, lam, scores):
    """Put the reviews of each chain one after the other, as arrays on the GPU are, and certify them."""
    chains, alone = program.chains, program.singles
    (gap,) = np.unique(chains.gap) if chains.gap.size else (0.0,)
    order = np.concatenate([chains.member, alone])
    start = np.concatenate([chains.start, chains.start[-1] + np.arange(1, alone.size + 1)])
    cells = np.stack([program.given, program.lower, program.upper])[:, order]
    stated = GpuStatements(
        start=xp.asarray(start.astype(np.int32)),
        worth=xp.asarray(np.concatenate([chains.height, 0 * alone]).astype(np.uint8)),
        gap=float(gap),
        code=xp.arange(order.size, dtype=xp.int32),
        cells=xp.asarray(cells),
        paper=xp.asarray(program.paper[order].astype(np.int32)),
    )
    return certify_on_gpu(stated, program.papers, lam, xp.asarray(scores[order]))


def agree(program, lam, scores, within=ROUNDING):
    here, there = certify(program, lam, scores), certified_on_gpu(program, lam, scores)
    assert there.max_error == pytest.approx(here.max_error, rel=1e-6, abs=within)
    assert there.max_violation == here.max_violation
    assert there.objective == pytest.approx(here.objective, rel=1e-12)
    return there


@pytest.mark.parametrize("kind", ["total", "ties", "partial", "long", "scores only"])
@pytest.mark.parametrize("lam", [0.5, math.inf])
def test_the_bound_is_that_of_the_cpu(kind, lam):
    program, scores = solved(kind, lam)
    assert agree(program, lam, scores).max_error <= 1e-9


@pytest.mark.parametrize("kind", ["total", "ties", "long"])
def test_wrong_scores_get_the_same_bound(kind):
    program, scores = solved(kind, 3.0)
    wrong = np.clip(scores + np.random.default_rng(2).normal(0, 0.01, scores.size), 0.0, 9.5)
    found = agree(program, 3.0, wrong, within=1e-9)
    assert found.max_error >= np.abs(wrong - scores).max()
    assert found.max_violation > 0.0


def test_what_is_no_number_proves_nothing():
    program, scores = solved("total", 3.0)
    broken = scores.copy()
    broken[5] = np.nan
    assert certified_on_gpu(program, 3.0, broken).max_error == math.inf


def test_the_same_bits_every_time():
    program, scores = solved("ties", 0.5)
    first, second = (certified_on_gpu(program, 0.5, scores) for _ in range(2))
    assert first == second
