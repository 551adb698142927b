"""The paper's baselines against their pseudo-code, line by line."""

import math
from itertools import groupby

import numpy as np
import polars as pl
import pytest

from unround import InputRefused, UsageError, baselines, simulate

ADJUSTED = [baselines.bre_adjusted, baselines.partial_ranking_adjusted]


def algorithm_3(scores, order, epsilon):
    """One reviewer of Algorithm 3. `order` lists the papers p_1, p_2, .. from worst to best."""
    estimate = {}
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


def by_reviewer(drawn):
    """For each reviewer the scores by paper, and the groups of equal rank from worst to best."""
    joined = drawn.reviews.join(drawn.rankings, on=["reviewer", "paper"])
    for (reviewer,), own in joined.group_by("reviewer"):
        scores = dict(own.select("paper", "score").iter_rows())
        rows = sorted(own.select("rank", "paper").iter_rows(), reverse=True)
        yield (
            reviewer,
            scores,
            [[p for _, p in group] for _, group in groupby(rows, key=lambda row: row[0])],
        )


def in_caller_order(drawn, estimates):
    return [estimates[r][p] for r, p in drawn.reviews.select("reviewer", "paper").iter_rows()]


@pytest.mark.parametrize("epsilon", [0.05, 0.01])
@pytest.mark.parametrize("seed", range(4))
def test_bre_adjusted_is_algorithm_3(seed, epsilon):
    drawn = simulate.thurstone(papers=30, papers_per_reviewer=[3, 8], seed=seed)
    expected = {
        reviewer: algorithm_3(scores, [p for group in groups for p in group], epsilon)
        for reviewer, scores, groups in by_reviewer(drawn)
    }
    found = baselines.bre_adjusted(drawn.reviews, drawn.rankings, epsilon=epsilon)
    np.testing.assert_allclose(found, in_caller_order(drawn, expected), atol=1e-12)


@pytest.mark.parametrize("epsilon", [0.05, 0.01])
@pytest.mark.parametrize("seed", range(4))
def test_partial_ranking_adjusted_is_algorithm_4(seed, epsilon):
    scores = np.random.default_rng(seed).integers(1, 11, size=(30, 3))
    drawn = simulate.coarsened(scores, papers_per_reviewer=[4, 9], seed=seed)
    expected = {
        reviewer: algorithm_4(own, groups, epsilon) for reviewer, own, groups in by_reviewer(drawn)
    }
    found = baselines.partial_ranking_adjusted(drawn.reviews, drawn.rankings, epsilon=epsilon)
    np.testing.assert_allclose(found, in_caller_order(drawn, expected), atol=1e-12)


def test_both_agree_on_total_orders():
    drawn = simulate.thurstone(papers=30, papers_per_reviewer=6, seed=2)
    bre, partial = (method(drawn.reviews, drawn.rankings) for method in ADJUSTED)
    np.testing.assert_allclose(bre, partial, atol=1e-12)


def reviews_of(scores):
    return pl.DataFrame(
        {"reviewer": [1] * len(scores), "paper": range(len(scores)), "score": scores}
    )


def ranks_of(ranks):
    ranked = {paper: rank for paper, rank in enumerate(ranks) if rank is not None}
    return pl.DataFrame(
        {"reviewer": [1] * len(ranked), "paper": list(ranked), "rank": list(ranked.values())}
    )


def test_bre_counts_papers_and_partial_counts_groups():
    """Three tied papers under one: 3 papers, but one group, stand below the best."""
    reviews, ranks = reviews_of([5, 5, 5, 5]), ranks_of([1, 2, 2, 2])
    assert baselines.bre_adjusted(reviews, ranks).tolist() == pytest.approx(
        [5 + 3 * 0.025, 5 - 0.025, 5 - 0.025, 5 - 0.025]
    )
    assert baselines.partial_ranking_adjusted(reviews, ranks).tolist() == pytest.approx(
        [5 + 0.05 * 3 / 4, 5 - 0.05 / 4, 5 - 0.05 / 4, 5 - 0.05 / 4]
    )


@pytest.mark.parametrize("method", ADJUSTED)
def test_unranked_papers_keep_their_score(method):
    found = method(reviews_of([5, 5, 5]), ranks_of([1, 2, None]))
    assert found.tolist() == pytest.approx([5.025, 4.975, 5.0])


@pytest.mark.parametrize("method", ADJUSTED)
def test_ranking_between_different_scores_adjusts_nothing(method):
    assert method(reviews_of([4, 5, 6]), ranks_of([3, 2, 1])).tolist() == [4.0, 5.0, 6.0]


@pytest.mark.parametrize("method", ADJUSTED)
def test_epsilon_is_in_units_of_the_spacing(method):
    found = method(reviews_of([30, 30]), ranks_of([1, 2]), scale=[10, 30, 50])
    assert found.tolist() == pytest.approx([30.5, 29.5])


@pytest.mark.parametrize("method", ADJUSTED)
def test_row_order_does_not_matter(method):
    drawn = simulate.thurstone(papers=20, seed=4)
    shuffled = drawn.reviews.with_row_index().sample(fraction=1.0, shuffle=True, seed=1)
    found = method(shuffled, drawn.rankings.reverse())
    expected = method(drawn.reviews, drawn.rankings)
    assert found.tolist() == expected[shuffled["index"].to_numpy()].tolist()


@pytest.mark.parametrize("method", ADJUSTED)
def test_pairs_are_refused(method):
    pairs = pl.DataFrame({"reviewer": [1], "better": [0], "worse": [1]})
    with pytest.raises(UsageError, match="defined for rank lists"):
        method(reviews_of([5, 5]), pairs)


@pytest.mark.parametrize("epsilon", [0.0, -0.05, math.nan, "0.05"])
@pytest.mark.parametrize("method", ADJUSTED)
def test_bad_epsilon_is_refused(method, epsilon):
    with pytest.raises(UsageError, match="epsilon must be a number above 0"):
        method(reviews_of([5, 5]), ranks_of([1, 2]), epsilon=epsilon)


@pytest.mark.parametrize("method", ADJUSTED)
def test_bad_reviews_are_refused(method):
    with pytest.raises(InputRefused, match="ranks paper 1 but did not review it"):
        method(reviews_of([5]), ranks_of([1, 2]))


# The given scores


def test_quantized_scores_are_numbers_in_the_callers_order():
    drawn = simulate.thurstone(papers=8, seed=1)
    shuffled = drawn.reviews.reverse()
    assert baselines.quantized(shuffled).tolist() == shuffled["score"].to_list()


def test_quantized_letters_count_by_position():
    reviews = pl.DataFrame({"reviewer": [1, 2, 3], "paper": [1, 1, 1], "score": ["A", "C", "B"]})
    assert baselines.quantized(reviews).tolist() == [3.0, 1.0, 2.0]
