"""R-hat and effective draws on series whose answer is known."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unround
from unround.lab.catalogue.conferences import unruly
from unround.lab.trials.case import Case, by_paper
from unround.uncertainty import sampling
from unround.uncertainty.sampling import effective_draws, split_rhat

CHAINS, DRAWS, SERIES = 4, 2_000, 50


def autoregressive(correlation):
    random = np.random.default_rng(3)
    draws = np.empty((CHAINS, DRAWS, SERIES))
    draws[:, 0] = random.standard_normal((CHAINS, SERIES))
    fresh = np.sqrt(1.0 - correlation**2)
    for k in range(1, DRAWS):
        step = random.standard_normal((CHAINS, SERIES))
        draws[:, k] = correlation * draws[:, k - 1] + fresh * step
    return draws


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_effective_draws_of_a_known_correlation(correlation):
    expected = CHAINS * DRAWS * (1.0 - correlation) / (1.0 + correlation)
    assert np.mean(effective_draws(autoregressive(correlation))) == pytest.approx(expected, rel=0.1)


def test_chains_that_agree_and_chains_that_do_not():
    draws = autoregressive(0.3)
    assert split_rhat(draws).max() < 1.01
    draws[0] += 1.0
    assert split_rhat(draws).min() > 1.05


def test_a_chain_that_drifts_is_seen():
    draws = autoregressive(0.0) + np.linspace(0.0, 2.0, DRAWS)[:, None]
    assert split_rhat(draws).min() > 1.05


def test_a_quantity_that_never_moves_is_at_one():
    still = np.ones((CHAINS, DRAWS, 1))
    assert split_rhat(still)[0] == 1.0


@pytest.mark.parametrize("seed", range(4))
def test_panels_of_three_reviewers_mix(seed):
    """A level common to all reviewers is moved to the papers in one step: chains do not creep along it."""
    random = np.random.default_rng(seed)
    reviewer, paper = (each.ravel() for each in np.meshgrid(range(3), range(8), indexing="ij"))
    opinion = random.uniform(2, 8, 8)[paper] + random.normal(0.0, 0.7, 3)[reviewer]
    score = np.rint(opinion + random.normal(0.0, 0.5, paper.size)).astype(int).clip(0, 10)
    table = pl.DataFrame({"reviewer": reviewer, "paper": paper, "score": score})
    found = unround.posterior(table, scale="0..10")
    assert found.diagnostics.rhat < 1.02
    assert found.diagnostics.sweeps < 10_000


def test_random_reviewers_are_found_and_do_not_count():
    """A fifth of the reviewers score anything: the posterior says who, and orders the papers without them."""
    case = Case(unruly(0, careless=0.2), conflicts="scores")
    found = case.posterior
    guessed = found.reviewers.sort("reviewer")["random"].to_numpy() > 0.5
    spread = np.abs(case.truth - case.quality[case.conference.reviews["paper"].to_numpy()])
    reviewer = case.conference.reviews["reviewer"].to_numpy()
    furthest = np.array([spread[reviewer == each].max() for each in range(guessed.size)])
    assert np.array_equal(guessed, furthest > 2.5)  # five times the noise
    assert found.diagnostics.random == pytest.approx(guessed.mean(), abs=0.02)
    papers = found.papers.sort("paper")["mean"].to_numpy()
    means = by_paper(case.conference, case.given)
    error = unround.metrics.kendall_error
    assert error(case.quality, papers) < 0.5 * error(case.quality, means)


def test_nobody_is_random_in_a_sound_conference():
    conference = unround.simulate.thurstone(seed=0)
    found = unround.posterior(conference.reviews, conference.rankings)
    assert found.reviewers["random"].max() < 0.1


@pytest.mark.parametrize(("seed", "papers", "camps"), [(19, 12, (7, 5)), (7, 12, (10, 10))])
def test_camps_that_contradict_each_other_are_refused(seed, papers, camps, monkeypatch):
    """The second camp reads 10 - q where the first reads q: chains that believe one of them stay there.

    Chains that all begin with nobody random agree on a noise that explains both camps.
    """
    monkeypatch.setattr(sampling, "MOST_EVERY", 4)
    luck = np.random.default_rng(seed)
    quality = luck.normal(5, 2, papers).clip(0, 10)
    rows = []
    for reviewer in range(sum(camps)):
        read = quality if reviewer < camps[0] else 10 - quality
        given = np.clip(np.rint(read + 0.4 * luck.normal(size=papers)), 0, 10).astype(int)
        rows += [(reviewer, paper, score) for paper, score in enumerate(given.tolist())]
    reviews = pl.DataFrame(rows, ["reviewer", "paper", "score"], orient="row")
    with pytest.raises(unround.NotMixed) as refused:
        unround.posterior(reviews, scale=range(11))
    assert refused.value.diagnostics.rhat > 2
