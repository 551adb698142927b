"""The paper's baselines against their pseudo-code, line by line."""

from itertools import groupby

import numpy as np
import polars as pl
import pytest

from tests.core.tables import pairs_of, ranks_of, reviews_of
from unround import InputRefused, Tables, UsageError, baselines, simulate

ADJUSTED = [baselines.bre_adjusted, baselines.partial_ranking_adjusted]


def algorithm_3(scores, groups, epsilon):
    """One reviewer of Algorithm 3. `groups` holds the papers p_1, p_2, .. from worst to best, each
    alone.
    """
    estimate = {}
    order = [paper for [paper] in groups]
    bins = {score: [p for p in order if scores[p] == score] for score in scores.values()}
    for z_bin, papers in bins.items():
        for steps, paper in enumerate(papers):  # t = v .. u, steps = t - v
            estimate[paper] = z_bin + steps * epsilon
        excess = sum(estimate[paper] for paper in papers) / len(papers) - z_bin
        for paper in papers:
            estimate[paper] = estimate[paper] - excess
    return estimate


def algorithm_4(scores, groups, epsilon):
    """One reviewer of Algorithm 4. `groups` lists the groups G_1, G_2, .. from worst to best."""
    estimate = dict(scores)
    for z_bin in set(scores.values()):
        inside = [[p for p in group if scores[p] == z_bin] for group in groups]
        inside = [group for group in inside if group]
        if len(inside) > 1:
            for steps, group in enumerate(inside):  # t = v .. u, steps = t - v
                for paper in group:
                    estimate[paper] = z_bin + steps * epsilon
            papers = [paper for group in inside for paper in group]
            excess = sum(estimate[paper] for paper in papers) / len(papers) - z_bin
            for paper in papers:
                estimate[paper] = estimate[paper] - excess
    return estimate


def assert_is(method, algorithm, drawn, epsilon):
    """The method gives each review what the algorithm does, whatever the order of rows."""
    reviews = drawn.reviews.sample(fraction=1.0, shuffle=True, seed=1)
    expected = {}
    for (reviewer,), own in reviews.join(drawn.rankings, on=["reviewer", "paper"]).group_by(
        "reviewer"
    ):
        scores = dict(own.select("paper", "score").iter_rows())
        rows = sorted(own.select("rank", "paper").iter_rows(), reverse=True)
        groups = [[p for _, p in group] for _, group in groupby(rows, key=lambda row: row[0])]
        expected[reviewer] = algorithm(scores, groups, epsilon)
    in_order = [expected[r][p] for r, p in reviews.select("reviewer", "paper").iter_rows()]
    found = method(reviews, drawn.rankings.reverse(), epsilon=epsilon)
    np.testing.assert_allclose(found, in_order, atol=1e-12)


@pytest.mark.parametrize("epsilon", [0.05, 0.01])
@pytest.mark.parametrize("seed", range(4))
def test_bre_adjusted_is_algorithm_3(seed, epsilon):
    drawn = simulate.thurstone(papers=30, papers_per_reviewer=[3, 8], seed=seed)
    assert_is(baselines.bre_adjusted, algorithm_3, drawn, epsilon)
    assert_is(baselines.partial_ranking_adjusted, algorithm_3, drawn, epsilon)  # without ties


@pytest.mark.parametrize("epsilon", [0.05, 0.01])
@pytest.mark.parametrize("seed", range(4))
def test_partial_ranking_adjusted_is_algorithm_4(seed, epsilon):
    scores = np.random.default_rng(seed).integers(1, 11, size=(30, 3))
    drawn = simulate.coarsened(scores, papers_per_reviewer=[4, 9], seed=seed)
    assert_is(baselines.partial_ranking_adjusted, algorithm_4, drawn, epsilon)


@pytest.mark.parametrize(
    ("scores", "ranks", "bre", "partial"),
    [
        # Three papers, but one group, stand below the best.
        ([30, 30, 30, 30], [1, 2, 2, 2], [31.5, 29.5, 29.5, 29.5], [30.75, 29.75, 29.75, 29.75]),
        ([30, 30, 30], [1, 2], [30.5, 29.5, 30.0], [30.5, 29.5, 30.0]),
        ([10, 30, 50], [3, 2, 1], [10.0, 30.0, 50.0], [10.0, 30.0, 50.0]),
    ],
    ids=["tied ranks", "an unranked paper keeps its score", "ranks between different scores"],
)
def test_by_hand_with_epsilon_in_units_of_the_spacing(scores, ranks, bre, partial):
    """Levels are 20 apart, so that ε is 1."""
    tables = reviews_of(dict(enumerate(scores))), ranks_of(dict(enumerate(ranks)))
    for method, expected in zip(ADJUSTED, (bre, partial), strict=True):
        assert method(*tables, scale=[10, 30, 50]).tolist() == pytest.approx(expected)


@pytest.mark.parametrize("method", ADJUSTED)
def test_what_no_baseline_can_use_is_refused(method):
    reviews, ranks = reviews_of({"x": 5, "y": 5}), ranks_of({"x": 1, "y": 2})
    with pytest.raises(UsageError, match="defined for rank lists"):
        method(reviews, pairs_of("xy"))
    with pytest.raises(UsageError, match="epsilon must be a number above 0"):
        method(reviews, ranks, epsilon=-0.05)
    with pytest.raises(InputRefused, match="ranks paper y but did not review it"):
        method(reviews.head(1), ranks)


def test_given_scores_are_numbers_in_the_callers_order_where_letters_count_by_position():
    reviews = pl.DataFrame({"reviewer": [3, 1, 2], "paper": [1, 1, 1], "score": ["A", "C", "B"]})
    assert baselines.quantized(reviews).tolist() == [3.0, 1.0, 2.0]


def test_tables_are_taken_as_frames_are():
    made = simulate.thurstone(papers=12, seed=1)
    tables = Tables(made.reviews, made.rankings)
    for name in ("bre_adjusted", "partial_ranking_adjusted"):
        baseline = getattr(baselines, name)
        assert baseline(tables).tolist() == baseline(made.reviews, made.rankings).tolist()
    assert baselines.quantized(tables).tolist() == made.reviews["score"].to_list()
