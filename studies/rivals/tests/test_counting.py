"""Counting rules by hand."""

import pytest

from studies.rivals.counting import balanced_rank_estimation, borda, percentile_ranks
from studies.rivals.tests.made_up import election, evidence


def test_borda_counts_beaten_papers_and_half_of_tied_ones():
    found = borda(evidence([(0, 0, 0, 1), (0, 1, 0, 2), (0, 2, 0, 2), (1, 0, 0, 2), (1, 1, 0, 1)]))
    assert found.tolist() == [pytest.approx((1 + 0) / 2), pytest.approx((0.25 + 1) / 2), 0.25]


def test_borda_of_whole_ballots_is_the_textbooks():
    # 45 voters, Schulze's first example: points are the sums of the rows of pairwise preferences.
    ballots = {"ACBED": 5, "ADECB": 5, "BEDAC": 8, "CABED": 3, "CAEBD": 7, "CBADE": 2,
               "DCEBA": 7, "EBADC": 8}  # fmt: skip
    points = borda(election(ballots)) * 4 * 45
    assert points.round(9).tolist() == [98, 92, 89, 69, 102]


def test_papers_that_nobody_ranked_are_in_the_middle():
    assert borda(evidence([(0, 0, 0, 1), (0, 1, 0, 2), (0, 2, 0, None)])).tolist() == [1, 0, 0.5]


def test_balanced_rank_estimation_is_won_less_lost():
    found = evidence([(0, 0, 0, 1), (0, 1, 0, 2), (0, 2, 0, 3), (1, 2, 0, 1), (1, 1, 0, 2)])
    assert balanced_rank_estimation(found).tolist() == [2, -1, -1]


def test_percentile_ranks_use_scores_first_and_rankings_among_equals():
    found = percentile_ranks(
        evidence([(0, 0, 5, 2), (0, 1, 5, 1), (0, 2, 7, None), (1, 0, 3, None), (1, 1, 3, None)])
    )
    assert found.tolist() == [
        pytest.approx((1 / 6 + 0.5) / 2), pytest.approx((0.5 + 0.5) / 2), pytest.approx(5 / 6)
    ]  # fmt: skip
