"""Places over the draws: against a count draw by draw, and their distribution in few rows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unround
from unround.uncertainty.places import RESOLUTION, effect_summary, place_shares, sorted_places
from unround.uncertainty.sampling import CHAINS


def drawn(papers, draws=200, seed=0):
    """Effects that differ between papers by less, and by more, than between draws."""
    random = np.random.default_rng(seed)
    effects = random.normal(size=papers) * random.choice([0.1, 1.0, 5.0], size=papers)
    return (effects + random.normal(size=(draws, papers))).astype(np.float32)


@pytest.mark.parametrize("papers", [1, 2, 7, 60])
def test_places_are_counted_draw_by_draw(papers):
    draws = drawn(papers)
    groups = np.arange(papers) % 3
    for within in (None, groups):
        same = np.ones((papers, papers), bool) if within is None else groups[:, None] == groups
        better = (draws[:, None, :] > draws[:, :, None]) & same
        expected = np.sort(better.sum(axis=2).T + 1, axis=1)
        np.testing.assert_array_equal(sorted_places(draws, within), expected)


@pytest.mark.parametrize("papers", [1, 2, 7, 60, 2_000])
def test_a_share_told_from_few_points_is_within_a_point_and_on_the_right_side_of_the_grey_zone(
    papers,
):
    draws = 1_000
    places = sorted_places(drawn(papers, draws, seed=papers))
    start, place, count = place_shares(places)
    assert start[-1] < 20 * papers
    worst = 0.0
    for paper in range(0, papers, 1 + papers // 100):
        own = slice(start[paper], start[paper + 1])
        line = np.arange(papers + 1)
        told = np.interp(line, place[own], count[own] / draws, left=0.0, right=1.0)
        exact = np.searchsorted(places[paper], line, side="right") / draws
        worst = max(worst, np.abs(told - exact).max())
        grey = [(share >= 0.1) & (share <= 0.9) for share in (told, exact)]
        np.testing.assert_array_equal(*grey)
    assert worst <= RESOLUTION + 1e-12
    assert worst > 0.0 or papers < 8  # a coarser table than the draws


def test_sums_by_blocks_are_those_of_all_draws_at_once():
    draws = drawn(1_500, draws=40)
    found = effect_summary(draws, 0.05, 0.95)
    whole = draws.astype(np.float64)
    np.testing.assert_allclose(found.mean, whole.mean(axis=0))
    np.testing.assert_allclose(found.sd, whole.std(axis=0))
    np.testing.assert_allclose([found.low, found.high], np.quantile(whole, (0.05, 0.95), axis=0))


@pytest.fixture(scope="module")
def conference():
    return unround.simulate.thurstone(papers=24, seed=3)


def test_a_result_brings_its_reviews_rankings_and_settings_along(conference):
    result = unround.dequantize(conference.reviews, conference.rankings, lam=4.0)
    told = []
    found = unround.posterior(result, progress=lambda done, planned: told.append((done, planned)))
    plain = unround.posterior(conference.reviews, conference.rankings)
    assert found.papers.equals(plain.papers)
    assert found.p_top(5).equals(plain.p_top(5))
    done, planned = zip(*told, strict=True)
    assert list(done) == sorted(done)
    assert done[-1] == planned[-1] == CHAINS * found.diagnostics.sweeps
    with pytest.raises(
        unround.UsageError,
        match=r"a result brings its .* leave out rankings",
    ):
        unround.posterior(result, conference.rankings)


def test_places_within_tracks_are_those_among_the_papers_of_a_track(conference):
    found = unround.posterior(conference.reviews, conference.rankings)
    tracks = ["A" if number % 2 else "B" for number in range(24)]
    last = found.places(tracks).group_by("paper").agg(pl.col("place").max())
    assert last["place"].max() <= 12
    rows = [found.places(tracks).filter(paper=paper) for paper in found.papers["paper"]]
    above = sum(np.interp(6, one["place"], one["share"], right=1.0) for one in rows)
    assert above == pytest.approx(12, abs=24 * RESOLUTION)  # six of each track
    with pytest.raises(unround.UsageError, match="24 labels"):
        found.places(["A"])


def test_an_interrupt_ends_the_sampling(conference, monkeypatch):
    monkeypatch.setattr("unround.uncertainty.sampling.REVIEWS_AT_ONCE", 1_000)
    calls = []

    def stop(done, planned):
        calls.append(done)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        unround.posterior(conference.reviews, conference.rankings, progress=stop)
    assert calls[-1] < 100  # sweeps of 4,800
