"""λ by simulation: what it draws, that it repeats, and that a run takes it."""

import numpy as np
import polars as pl
import pytest

import unround
from tests.lab.conftest import small_scores
from unround.lab.catalogue.conferences import coarsened, unruly
from unround.metrics import kendall_error
from unround.problem.build import build_problem
from unround.reviews.reader import read
from unround.selection.simulation import (
    MOST_DRAWS,
    Model,
    SimulatedCurve,
    draw_conference,
    error_curve,
    fit,
    opinion_levels_per_cell,
    simulated,
)
from unround.selection.validation import PAPER_GRID
from unround.settings import Settings, Unranked


def review_set(conference):
    return read(conference.reviews, conference.rankings, None, conference.scale)[1]


@pytest.fixture
def conference():
    return unround.simulate.thurstone(24, seed=3)


def test_the_same_data_give_the_same_curve_in_any_row_order(conference):
    shuffled = conference.reviews.sample(fraction=1.0, shuffle=True, seed=1)
    ranks = conference.rankings.sample(fraction=1.0, shuffle=True, seed=2)
    one = unround.dequantize(conference.reviews, conference.rankings, lam="auto+")
    two = unround.dequantize(shuffled, ranks, lam="auto+")
    assert one.lam == two.lam == simulated(review_set(conference), Settings()).best
    assert one.selection["error"].to_list() == two.selection["error"].to_list()


def test_other_scores_give_other_draws(conference):
    changed = conference.reviews.with_columns(
        pl.when(pl.int_range(pl.len()) == 0).then(0).otherwise("score").alias("score")
    )
    settings = Settings()
    one = simulated(review_set(conference), settings, draws=1)
    known = read(changed, None, None, conference.scale)[1]
    assert not np.array_equal(one.error, simulated(known, settings, draws=1).error)


def test_error_curve_is_the_error_of_the_public_function(conference):
    problem, _ = build_problem(review_set(conference), Settings())
    lams = np.array([2.0, 30.0])
    rows = review_set(conference).row
    found = error_curve(problem, conference.truth[rows], lams)
    for lam, error in zip(lams, found, strict=True):
        scores = unround.dequantize(conference.reviews, conference.rankings, lam=lam).scores
        assert error == pytest.approx(
            kendall_error(conference.truth, scores["dequantized"].to_numpy()), abs=1e-15
        )


def test_chosen_lambda_minimises_the_mean_error_over_the_draws(conference):
    known, settings = review_set(conference), Settings()
    curve = simulated(known, settings, draws=3)
    assert isinstance(curve, SimulatedCurve)
    np.testing.assert_array_equal(curve.lam, PAPER_GRID)
    assert curve.best == curve.lam[np.argmin(curve.error)]


def test_fit_shrinks_centres_and_takes_roundings_share_off_the_noise():
    reviews = pl.DataFrame(
        {
            "reviewer": [1, 2, 1, 2, 1, 2],
            "paper": [1, 1, 2, 2, 3, 3],
            "score": [2, 4, 5, 5, 9, 7],
        }
    )
    model = fit(read(reviews, None, None, None)[1])
    within = (2 + 0 + 2) / 3
    between = np.var([3, 5, 8], ddof=1) - within / 2
    ratio = between / (between + within / 2)
    grand = 32 / 6
    np.testing.assert_allclose(model.centre, grand + ratio * (np.array([3, 5, 8]) - grand))
    np.testing.assert_allclose(model.centre_sd, np.sqrt(ratio * within / 2))
    assert model.noise_sd == pytest.approx(np.sqrt(within - 1 / 12))
    assert model.levels_per_cell is None


def test_fit_of_reviewers_who_always_agree_still_doubts_within_a_cell():
    reviews = pl.DataFrame({"reviewer": [1, 2, 1, 2], "paper": [1, 1, 2, 2], "score": [2, 2, 7, 7]})
    model = fit(read(reviews, None, None, None)[1])
    assert model.noise_sd == pytest.approx(0.1)
    np.testing.assert_allclose(model.centre_sd, np.sqrt(1 / 12))


@pytest.mark.parametrize(
    ("ranks", "levels"),
    [
        ([1, 2, 3, 4], None),  # nothing tied: any number of opinions
        ([1, 1, 1, 1], None),  # all tied: the ranking says nothing about it
        ([1, 1, 2, 2], 3),  # 2 of 6 pairs tied
        ([1, 1, 1, 2], 2),  # 3 of 6 pairs tied
        ([1, 1, 1, 2, 2, 3], 4),  # 4 of 15 pairs tied: 3.75
    ],
)
def test_levels_of_opinion_are_estimated_from_ties_between_papers_of_equal_score(ranks, levels):
    reviews = pl.DataFrame({"paper": range(len(ranks))}).with_columns(
        reviewer=pl.lit(1), score=pl.lit(5)
    )
    rankings = reviews.select("reviewer", "paper").with_columns(rank=pl.Series(ranks))
    assert opinion_levels_per_cell(read(reviews, rankings, None, None)[1]) == levels


def test_iclr_like_data_have_two_levels_per_cell():
    sample = coarsened(0, scores=small_scores().table)
    assert opinion_levels_per_cell(review_set(sample.conference)) == 2


def test_draws_state_as_much_as_the_data_do():
    random = np.random.default_rng(0)
    known = review_set(unruly(4, papers=20, unranked=0.3, tied=0.2).conference)
    model = Model(fit(known).centre, fit(known).centre_sd, 0.5, None)
    opinions, drawn = draw_conference(known, model, Unranked.APART, random)
    assert np.array_equal(drawn.reviewer, known.reviewer)
    assert np.array_equal(drawn.paper, known.paper)
    compared = 0
    for reviewer in range(len(known.reviewers)):
        mine = known.reviewer == reviewer
        stated, redrawn = known.statements.rank[mine], drawn.statements.rank[mine]
        _, before = np.unique(stated[~np.isnan(stated)], return_counts=True)
        _, after = np.unique(redrawn[~np.isnan(redrawn)], return_counts=True)
        assert np.array_equal(before, after)
        compared += _follow(redrawn[~np.isnan(redrawn)], opinions[mine][~np.isnan(redrawn)])
    assert compared > 40  # so that the claim is not empty
    _, issues = build_problem(drawn, Settings())
    assert issues == []


def _follow(rank, opinion):
    """Check that a better rank means no lower opinion; return how many pairs were compared."""
    better, worse = np.nonzero(rank[:, None] < rank)
    assert np.all(opinion[better] >= opinion[worse])
    return better.size


def test_places_in_a_cell_are_put_on_its_levels():
    model = Model(np.zeros(1), np.zeros(1), 0.5, levels_per_cell=2)
    assert model.stepped(np.array([0.0, 0.49, 0.5, 1.0])).tolist() == [0.25, 0.25, 0.75, 0.75]


@pytest.mark.parametrize("spacing", [1, 2])
def test_grained_draws_take_that_many_values_in_a_cell(spacing):
    levels = range(0, 11 * spacing, spacing)
    known = review_set(unround.simulate.thurstone(20, scale=levels, seed=1))
    model = Model(fit(known).centre, fit(known).centre_sd, 0.5, 2)
    opinions, drawn = draw_conference(known, model, Unranked.APART, np.random.default_rng(0))
    assert set(np.round(opinions - drawn.given, 12)) == {-0.25 * spacing, 0.25 * spacing}
    own = [known.reviewer == reviewer for reviewer in range(len(known.reviewers))]
    assert sum(_follow(drawn.statements.rank[mine], opinions[mine]) for mine in own) > 40


@pytest.mark.parametrize("spacing", [1, 2])
def test_draws_reach_both_ends_of_the_scale_and_levels_of_opinion_are_the_nearest(spacing):
    levels = range(0, 11 * spacing, spacing)
    known = review_set(unround.simulate.thurstone(40, scale=levels, seed=2))
    drawn = []
    for levels_per_cell in (None, 2):
        model = Model(fit(known).centre, fit(known).centre_sd, 4.0 * spacing, levels_per_cell)
        random = np.random.default_rng(0)
        drawn.append(draw_conference(known, model, Unranked.APART, random)[0])
    anywhere, stepped = drawn
    assert (anywhere.min(), anywhere.max()) == (-0.5 * spacing, 10.5 * spacing)
    assert np.abs(stepped - anywhere).max() <= (0.25 + 1e-12) * spacing


def test_the_curve_is_the_mean_over_draws(conference):
    """The first draw of two is that of one: what is left is the second's share of wrong pairs."""
    known, settings = review_set(conference), Settings()
    one, two = (simulated(known, settings, draws=draws).error for draws in (1, 2))
    second = 2 * two - one
    assert np.all((second > 0.0) & (second < 0.5))
    assert not np.allclose(second, one)


def test_pairs_are_stated_anew_about_the_same_papers(conference):
    rows = conference.reviews.group_by("reviewer", maintain_order=True).agg("paper").rows()
    pairs = pl.DataFrame(
        [(reviewer, papers[0], papers[1]) for reviewer, papers in rows],
        schema=["reviewer", "better", "worse"],
        orient="row",
    )
    known = read(conference.reviews, pairs, None, conference.scale)[1]
    opinions, drawn = draw_conference(known, fit(known), Unranked.APART, np.random.default_rng(0))
    assert drawn.statements.better.size == pairs.height
    assert np.all(opinions[drawn.statements.better] > opinions[drawn.statements.worse])
    stated = {
        frozenset(p) for p in zip(known.statements.better, known.statements.worse, strict=True)
    }
    redrawn = {
        frozenset(p) for p in zip(drawn.statements.better, drawn.statements.worse, strict=True)
    }
    assert stated == redrawn


def test_top_k_rankings_are_drawn_as_top_k(conference):
    top = conference.rankings.filter(pl.col("rank") <= 2)
    known = read(conference.reviews, top, None, conference.scale)[1]
    opinions, drawn = draw_conference(known, fit(known), Unranked.BELOW, np.random.default_rng(0))
    last = np.isinf(drawn.statements.rank)
    for reviewer in range(len(known.reviewers)):
        mine = known.reviewer == reviewer
        assert opinions[mine & last].max() < opinions[mine & ~last].min()
    result = unround.dequantize(conference.reviews, top, lam="auto+", unranked="below")
    assert result.certificate.max_error <= 1e-9


def test_small_conferences_are_drawn_often_and_large_ones_once():
    told = []
    known = review_set(unround.simulate.thurstone(8, seed=0))
    simulated(known, Settings(), grid=np.array([1.0]), progress=lambda *step: told.append(step))
    assert told[-1] == (MOST_DRAWS, MOST_DRAWS)
    known = review_set(unround.simulate.thurstone(2500, seed=0))
    told.clear()
    simulated(known, Settings(), grid=np.array([100.0]), progress=lambda *step: told.append(step))
    assert told == [(1, 1)]
