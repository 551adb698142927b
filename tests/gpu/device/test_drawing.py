"""Conferences drawn on the GPU follow the model of "auto+", and their errors are counted exactly."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.gpu.device.conferences import scattered
from unround.gpu.conference import GpuModel, draw_on_gpu, fit_on_gpu
from unround.gpu.launch import to_host, xp
from unround.gpu.metrics import KendallByOrder
from unround.metrics.kendall import KendallError
from unround.scale import Scale
from unround.selection.simulation import fit


@pytest.mark.parametrize("clipped", [False, True])
def test_pairs_in_the_wrong_order_are_counted_as_on_the_cpu(clipped):
    random = np.random.default_rng(4)
    truth = random.normal(0, 1, 90)
    if clipped:
        truth = np.clip(truth, -1.0, 1.2)
    estimate = np.round(truth / 400 + random.normal(0, 0.002, 90), 4)
    here, there = KendallError(truth), KendallByOrder(xp.asarray(truth))
    assert there.untied == here.untied
    assert there.count(xp.asarray(estimate)) == here.count(estimate)
    assert here.count(estimate)[1] > 0


def host(conference, scale):
    """What the CPU's fit looks at."""
    level, paper = to_host(conference.level), to_host(conference.paper)
    return SimpleNamespace(
        paper=paper,
        level=level,
        reviewer=np.repeat(np.arange(level.size // 3), 3),
        papers=range(conference.papers),
        given=scale.values[level],
        lower=scale.lower[level],
        upper=scale.upper[level],
        statements=SimpleNamespace(rank=100.0 - to_host(conference.worth)),
    )


def test_the_model_is_that_of_the_cpu():
    conference, scale = scattered(), Scale.integers(1, 3)
    here, there = fit(host(conference, scale)), fit_on_gpu(conference, scale)
    np.testing.assert_allclose(to_host(there.centre), here.centre, atol=1e-12)
    np.testing.assert_allclose(to_host(there.centre_sd), here.centre_sd, atol=1e-12)
    assert there.noise_sd == pytest.approx(here.noise_sd, rel=1e-12)
    assert there.steps == (here.levels_per_cell or 0)


@pytest.mark.parametrize("steps", [0, 2])
def test_scores_and_ranks_follow_from_opinions(steps):
    conference, scale = scattered(), Scale.integers(1, 3)
    model = fit_on_gpu(conference, scale)._replace(steps=steps)
    drawn = draw_on_gpu(conference, model, scale, 5)
    opinion, level, _, worth = (to_host(each) for each in drawn)
    np.testing.assert_array_equal(scale.values[level], scale.nearest(opinion))
    for mine in range(0, opinion.size, 3):
        ranked = np.argsort(worth[mine : mine + 3], kind="stable")
        assert np.all(np.diff(opinion[mine + ranked]) >= 0.0)
        if steps:
            tied = np.unique(opinion[mine : mine + 3]).size
            assert np.unique(worth[mine : mine + 3]).size == tied
    again = draw_on_gpu(conference, model, scale, 5)
    assert to_host(again.opinion).tobytes() == opinion.tobytes()
    other = draw_on_gpu(conference, model, scale, 6)
    assert np.any(to_host(other.opinion) != opinion)


def test_draws_have_the_mean_and_the_spread_of_the_model():
    conference, scale = scattered(), Scale.integers(1, 99)
    papers = conference.papers
    model = GpuModel(xp.full(papers, 50.0), xp.full(papers, 3.0), 4.0, 0)
    drawn = [to_host(draw_on_gpu(conference, model, scale, seed).opinion) for seed in range(60)]
    assert abs(np.mean(drawn) - 50.0) < 0.7
    assert abs(np.std(drawn) - 5.0) < 0.5
