"""Variances moderated over papers, and the intervals of papers' means that they give."""

from __future__ import annotations

import numpy as np
import pytest

import unround
from unround.lab.catalogue.conferences import unruly
from unround.uncertainty.stability import moderated


def drawn(truth, freedom, seed=1):
    return truth * np.random.default_rng(seed).chisquare(freedom, truth.size) / freedom


def test_equal_variances_are_pooled():
    found = moderated(drawn(np.full(20_000, 0.7), 3), np.full(20_000, 3.0))
    assert found.variance == pytest.approx(np.full(20_000, 0.7), rel=0.06)
    assert found.freedom.min() > 40


def test_variances_that_differ_keep_part_of_their_own():
    truth = np.random.default_rng(0).gamma(2.0, 0.5, 20_000)
    own = drawn(truth, 6)
    found = moderated(own, np.full(truth.size, 6.0))
    error = [float(np.mean((guess - truth) ** 2)) for guess in (own, own.mean(), found.variance)]
    assert error[2] < 0.8 * min(error[:2])
    assert np.all(found.freedom > 6.0)


def test_an_entry_without_a_variance_of_its_own_gets_the_centre():
    found = moderated(np.array([0.5, 99.0, 1.5]), np.array([3.0, 0.0, 3.0]))
    assert found.variance.tolist() == [1.0, 1.0, 1.0]


def test_nothing_is_said_where_no_paper_has_two_reviews():
    assert np.isnan(moderated(np.array([1.0, 2.0]), np.zeros(2)).variance).all()


def test_no_variance_at_all_is_no_variance():
    assert moderated(np.zeros(3), np.full(3, 2.0)).variance.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.slow
@pytest.mark.parametrize("offset", [0.0, 0.7])
def test_nine_in_ten_intervals_of_papers_hold(offset):
    sample = unruly(3, papers=400, noise=0.6, offset=offset)
    given = sample.conference
    result = unround.dequantize(given.reviews, given.rankings, scale=given.scale)
    papers = unround.stability(result, draws=100).papers.sort("paper")
    low, high = (papers[name].to_numpy() for name in ("low", "high"))
    assert 0.86 < np.mean((low <= sample.quality) & (sample.quality <= high)) < 0.95


@pytest.mark.parametrize(("noise", "hidden"), [(0.1, True), (0.5, False)])
def test_estimates_say_when_rounding_hides_how_reviewers_differ(noise, hidden):
    made = unround.simulate.thurstone(papers=200, noise=noise, seed=4)
    result = unround.dequantize(made.reviews, made.rankings, scale=made.scale)
    for found in (unround.calibrate(result, on="given"), unround.stability(result, draws=30)):
        assert found.hidden_by_rounding is hidden
        assert ("more closely than the scale can show" in repr(found)) is hidden
