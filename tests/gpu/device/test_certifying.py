"""The certificate of a conference in pieces is that of the whole."""

import math

import numpy as np
import pytest

from tests.gpu.device.conferences import scattered
from unround.certificate import certify
from unround.gpu import certificate
from unround.gpu.certificate import certify_in_pieces
from unround.gpu.launch import to_host, xp
from unround.problem.model import Chains, Posets, Problem
from unround.scale import Scale
from unround.solver.local import Solver

SCALE, EPSILON = Scale.integers(1, 3), 0.05


@pytest.fixture
def whole(monkeypatch):
    """The same reviews as one problem on the host; pieces hold two reviewers, the last one fewer."""
    monkeypatch.setattr(certificate, "PIECE_REVIEWS", 7)
    start, paper, level, worth = (to_host(column) for column in scattered()[:4])
    owner = np.repeat(np.arange(start.size - 1), np.diff(start))
    member = np.lexsort((worth, owner))
    height = np.tile(np.arange(3), start.size - 1).astype(np.int32)  # rankings are strict
    gap = np.full(start.size - 1, EPSILON)
    return Problem(
        given=SCALE.values[level],
        lower=SCALE.lower[level],
        upper=SCALE.upper[level],
        paper=paper.astype(np.int64),
        papers=8,
        chains=Chains(start.astype(np.int64), member, height, gap),
        posets=Posets.none(),
    )


def certified(lam, scores):
    return certify_in_pieces(scattered(), SCALE, EPSILON, lam, xp.asarray(scores), wanted=1e-9)


@pytest.mark.parametrize("lam", [0.5, 3.0, math.inf])
@pytest.mark.parametrize("off", [0.0, 0.01], ids=["solved", "wrong"])
def test_pieces_prove_what_the_whole_proves(whole, lam, off):
    scores = Solver(whole).solve(lam, 1e-10).scores
    given = scores + np.random.default_rng(2).normal(0, off, scores.size)
    here, there = certify(whole, lam, given, wanted=1e-9), certified(lam, given)
    assert np.abs(given - scores).max() <= there.max_error <= here.max_error * (1 + 1e-6)
    assert there.max_violation == here.max_violation
    assert there.objective == pytest.approx(here.objective, rel=1e-12)
    assert certified(lam, given) == there
    if not off:
        assert there.max_error <= 1e-9


@pytest.mark.filterwarnings("ignore:invalid value")
def test_what_is_no_number_proves_nothing(whole):
    broken = Solver(whole).solve(3.0, 1e-10).scores.copy()
    broken[5] = np.nan
    assert certified(3.0, broken).max_error == math.inf
