"""Conferences drawn on the card follow the model of "auto+", and their errors are counted exactly."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.gpu.card.test_locality import scattered
from unround.card.draws import normal, philox
from unround.card.launch import cuda, for_each
from unround.metrics import KendallError
from unround.scale import Scale
from unround.selection.opinions_on_card import draw_on_card, fit_on_card
from unround.selection.simulation import fit
from unround.solver.gpu.inversions import CardInversions


@cuda.jit
def _philox(counters, found):
    k = cuda.grid(1)
    if k < found.shape[0]:
        found[k, 0], found[k, 1] = philox(counters[k, 0], counters[k, 1], counters[k, 2])


@cuda.jit
def _normals(found):
    k = cuda.grid(1)
    if k < found.size:
        found[k] = normal(k, 3, 7)


def test_random_numbers_are_those_of_philox():
    counters = [[0, 0, 0], [0xFFFFFFFF] * 3, [0x243F6A88, 0x85A308D3, 0x13198A2E]]
    found = cuda.to_device(np.zeros((3, 2), dtype=np.int64))
    for_each(_philox, 3, cuda.to_device(np.array(counters, dtype=np.int64)), found)
    assert found.copy_to_host().tolist() == [
        [0xFF1DAE59, 0x6CD10DF2],
        [0x2C3F628B, 0xAB4FD7AD],
        [0xDD7CE038, 0xF62A4C12],
    ]


def test_normal_numbers_are_normal():
    found = cuda.to_device(np.zeros(1500))
    for_each(_normals, 1500, found)
    drawn = np.sort(found.copy_to_host())
    assert abs(drawn.mean()) < 0.1
    assert abs(drawn.std() - 1.0) < 0.08
    assert np.abs(drawn[[34, 238, 750, 1262]] - [-2.0, -1.0, 0.0, 1.0]).max() < 0.2


@pytest.mark.parametrize("clipped", [False, True])
def test_pairs_in_the_wrong_order_are_counted_as_on_the_cpu(clipped):
    random = np.random.default_rng(4)
    truth = random.normal(0, 1, 90)
    if clipped:
        truth = np.clip(truth, -1.0, 1.2)
    estimate = np.round(truth / 400 + random.normal(0, 0.002, 90), 4)
    here, there = KendallError(truth), CardInversions(cuda.to_device(truth))
    assert there.untied == here.untied
    assert there.count(cuda.to_device(estimate)) == here.count(estimate)
    assert here.count(estimate)[1] > 0


def host(conference, scale):
    """What the CPU's fit looks at."""
    level, paper = conference.level.copy_to_host(), conference.paper.copy_to_host()
    return SimpleNamespace(
        paper=paper,
        level=level,
        reviewer=np.repeat(np.arange(level.size // 3), 3),
        papers=range(conference.papers),
        given=scale.values[level],
        lower=scale.lower[level],
        upper=scale.upper[level],
        statements=SimpleNamespace(rank=100.0 - conference.worth.copy_to_host()),
    )


def test_the_model_is_that_of_the_cpu():
    conference, scale = scattered(), Scale.integers(1, 3)
    here, there = fit(host(conference, scale)), fit_on_card(conference, scale)
    np.testing.assert_allclose(there.centre.copy_to_host(), here.centre, atol=1e-12)
    np.testing.assert_allclose(there.centre_sd.copy_to_host(), here.centre_sd, atol=1e-12)
    assert there.noise_sd == pytest.approx(here.noise_sd, rel=1e-12)
    assert there.steps == (here.levels_per_cell or 0)


@pytest.mark.parametrize("steps", [0, 2])
def test_scores_and_ranks_follow_from_opinions(steps):
    conference, scale = scattered(), Scale.integers(1, 3)
    model = fit_on_card(conference, scale)._replace(steps=steps)
    drawn = draw_on_card(conference, model, scale, 5)
    opinion, level, _, worth = (each.copy_to_host() for each in drawn)
    np.testing.assert_array_equal(scale.values[level], scale.nearest(opinion))
    for mine in range(0, opinion.size, 3):
        ranked = np.argsort(worth[mine : mine + 3], kind="stable")
        assert np.all(np.diff(opinion[mine + ranked]) >= 0.0)
        if steps:
            tied = np.unique(opinion[mine : mine + 3]).size
            assert np.unique(worth[mine : mine + 3]).size == tied
    again = draw_on_card(conference, model, scale, 5)
    assert again.opinion.copy_to_host().tobytes() == opinion.tobytes()
    other = draw_on_card(conference, model, scale, 6)
    assert np.any(other.opinion.copy_to_host() != opinion)
