"""Numbers of the lab are those of the public functions."""

import numpy as np
import polars as pl
import pytest

import unround
from tests.lab.conftest import small_scores
from unround.errors import UsageError
from unround.lab.catalogue.conferences import coarsened, original_units, thurstone, unruly
from unround.lab.registry import find_method, find_metric
from unround.lab.trials.case import Case, Estimate, Sample
from unround.metrics import kendall_error, l2_error, tie_share

SAMPLES = {
    "thurstone": (lambda: thurstone(2, papers=20), "refuse"),
    "coarsened": (lambda: coarsened(1, scores=small_scores().table), "refuse"),
    "uneven scale": (lambda: unruly(3, papers=20, scale=[1, 3, 5, 6, 8, 10]), "refuse"),
    "contradictions": (lambda: unruly(4, papers=20, swapped=0.3, unranked=0.2), "scores"),
}


@pytest.fixture(params=SAMPLES, scope="module")
def case(request):
    draw, conflicts = SAMPLES[request.param]
    return Case(draw(), conflicts=conflicts)


def public(case, lam):
    conference = case.conference
    return unround.dequantize(
        conference.reviews,
        conference.rankings,
        lam=lam,
        scale=conference.scale,
        conflicts=str(case.settings.conflicts),
    )


@pytest.mark.parametrize(("method", "lam"), [("proposed", "auto"), ("auto+", "auto+")])
def test_methods_equal_dequantize(case, method, lam):
    answer, result = find_method(method).estimate(case), public(case, lam)
    assert answer.lam == result.lam
    np.testing.assert_array_equal(answer.scores, result.scores["dequantized"].to_numpy())


def test_validation_equals_select_lambda(case):
    chosen = unround.select_lambda(case.conference.reviews, scale=case.conference.scale)
    assert case.validation.best == chosen.lam
    np.testing.assert_array_equal(case.validation.error, chosen.curve["error"].to_numpy())


def test_original_curve_is_the_error_of_dequantize(case):
    place = 14
    scores = public(case, float(case.original.lam[place])).scores["dequantized"].to_numpy()
    assert case.original.error[place] == pytest.approx(kendall_error(case.truth, scores), abs=1e-12)


def test_baselines_and_metrics_equal_the_public_ones(case):
    conference = case.conference
    given = unround.baselines.quantized(conference.reviews, scale=conference.scale)
    np.testing.assert_array_equal(find_method("quantized").estimate(case).scores, given)
    adjusted = unround.baselines.partial_ranking_adjusted(
        conference.reviews, conference.rankings, scale=conference.scale
    )
    np.testing.assert_array_equal(find_method("bre").estimate(case).scores, adjusted)
    measured = {
        m: find_metric(m).value(case, Estimate(adjusted)) for m in ("kendall", "l2", "ties")
    }
    units = case.sample.in_units_of_truth(adjusted)
    assert measured == {
        "kendall": kendall_error(case.truth, adjusted),
        "l2": l2_error(case.truth, units),
        "ties": 100.0 * tie_share(adjusted),
    }


def test_bre_is_algorithm_3_where_nothing_is_tied():
    case = Case(thurstone(5))
    conference = case.conference
    adjusted = unround.baselines.bre_adjusted(conference.reviews, conference.rankings)
    np.testing.assert_allclose(find_method("bre").estimate(case).scores, adjusted, atol=1e-12)


def test_oracle_is_never_beaten_on_the_grid():
    case = Case(thurstone(0))
    best = case.kendall(find_method("oracle").estimate(case).scores)
    for name in ("proposed", "auto+"):
        assert best <= case.kendall(find_method(name).estimate(case).scores) + 1e-12


def test_rankings_rule_opens_cells():
    case = Case(unruly(6, papers=20, swapped=0.4), conflicts="scores")
    scores = find_method("rankings-rule").estimate(case).scores
    assert np.abs(scores - case.given).max() > 0.5
    assert np.abs(find_method("proposed").estimate(case).scores - case.given).max() <= 0.5 + 1e-12


def test_integers_are_projected_as_the_paper_says():
    scores = np.array([1.0, 1.49, 1.5, 1.99, 2.0, 5.0])
    assert original_units(unround.Scale.integers(1, 10), scores).tolist() == [2, 2, 2, 3, 4, 10]
    even = original_units(unround.Scale([0, 2, 4, 6, 8, 10]), np.array([0.25, 0.75, 2.25, 2.75]))
    assert even.tolist() == [0, 2, 8, 10]


class TestUnruly:
    def test_without_faults_it_is_thurstone(self):
        sample = unruly(0)
        deviation = sample.conference.truth - sample.quality[sample.conference.reviews["paper"]]
        assert 0.4 < deviation.std() < 0.6
        assert unround.check(sample.conference.reviews, sample.conference.rankings) == ()

    def test_seeds_repeat(self):
        one, two = unruly(7, careless=0.3, swapped=0.2), unruly(7, careless=0.3, swapped=0.2)
        assert one.conference.reviews.equals(two.conference.reviews)
        assert one.conference.rankings.equals(two.conference.rankings)
        assert not unruly(8).conference.reviews.equals(one.conference.reviews)

    def test_offsets_belong_to_reviewers(self):
        sample = unruly(1, papers=200, offset=3.0, noise=0.01)
        merit = sample.quality[sample.conference.reviews["paper"]]
        middle = (sample.conference.truth > 0) & (sample.conference.truth < 10)
        moved = pl.DataFrame(
            {
                "reviewer": sample.conference.reviews["reviewer"],
                "moved": sample.conference.truth - merit,
            }
        ).filter(pl.Series(middle))
        within = moved.group_by("reviewer").agg(pl.col("moved").std())["moved"].drop_nulls()
        assert within.max() < 0.1
        assert moved["moved"].std() > 1.5

    def test_swaps_contradict_and_missing_ranks_are_missing(self):
        sample = unruly(2, papers=100, swapped=0.5, unranked=0.25)
        issues = unround.check(sample.conference.reviews, sample.conference.rankings)
        assert {issue.kind for issue in issues} == {"contradiction"}
        assert 0.2 < 1 - sample.conference.rankings.height / 400 < 0.3

    def test_ties_are_ties(self):
        plain, tied = unruly(2, papers=50), unruly(2, papers=50, tied=0.5)
        assert plain.conference.rankings["rank"].max() == 4
        assert tied.conference.rankings["rank"].mean() < plain.conference.rankings["rank"].mean()

    def test_careless_reviewers_have_any_opinion(self):
        sample = unruly(3, papers=200, careless=1.0)
        merit = sample.quality[sample.conference.reviews["paper"]]
        assert abs(np.corrcoef(merit, sample.conference.truth)[0, 1]) < 0.15


def test_papers_metric_needs_qualities():
    case = Case(Sample(thurstone(0, papers=12).conference, seed=0))
    with pytest.raises(UsageError, match="each paper's quality"):
        find_metric("papers").value(case, Estimate(case.given))
