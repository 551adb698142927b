"""Least-squares calibration, LP-KwikSort and isotonic fits against solvers and enumeration."""

from itertools import pairwise, permutations

import clarabel
import numpy as np
import polars as pl
import pytest
from scipy import sparse
from scipy.optimize import isotonic_regression

from studies.rivals import ailon, isotonic, least_squares
from studies.rivals.tests.made_up import small_conference
from unround.lab.catalogue.conferences import unruly
from unround.lab.registry import find_method
from unround.lab.trials.case import Case, by_paper
from unround.metrics import kendall_error
from unround.reviews.reader import read


def least_error(given):
    """The least sum of squared errors by a general solver: variables are x and every x + e."""
    papers, reviews = given.papers, given.given.size
    rows, limits = [], []
    for chain in given.by_reviewer:
        for low, high in pairwise(chain):
            row = np.zeros(papers + reviews)
            row[papers + low], row[papers + high] = 1.0, -1.0
            rows.append(row)
            limits.append(-least_squares.SHARE * (given.given[high] - given.given[low]))
    rows += [-np.eye(papers + reviews)[paper] for paper in range(papers)]  # x ≥ 0
    limits += [0.0] * papers
    error = np.zeros((reviews, papers + reviews))
    error[np.arange(reviews), given.paper] = -1.0
    error[np.arange(reviews), papers + np.arange(reviews)] = 1.0
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    found = clarabel.DefaultSolver(
        sparse.csc_matrix(np.triu(2.0 * error.T @ error)), np.zeros(papers + reviews),
        sparse.csc_matrix(np.array(rows)), np.array(limits),
        [clarabel.NonnegativeConeT(len(limits))], settings,
    ).solve()  # fmt: skip
    return found.obj_val


@pytest.mark.parametrize("seed", range(5))
def test_least_squares_calibration_reaches_the_least_error(seed):
    given = small_conference(seed, papers=6, reviewers=8)
    found = least_squares.least_squares_calibration(given)
    reached = least_squares.cost(found, given)[0]
    assert found.min() >= 0.0
    assert reached == pytest.approx(least_error(given), abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_lp_kwiksort_is_within_three_halves_of_the_best_order(seed):
    given = small_conference(seed, papers=6, reviewers=9, load=4)
    above = ailon.preferences(given)
    best = min(ailon.kemeny_cost(above, np.array(o)) for o in permutations(range(6)))
    bound = ailon.fractional_order(above)
    found = np.argsort(-ailon.aggregate(given), kind="stable")
    assert bound.cost <= best + 1e-6
    assert best <= ailon.kemeny_cost(above, found) <= 1.5 * best + 1e-9


def test_fractional_orders_obey_all_triangles():
    before = ailon.fractional_order(ailon.preferences(small_conference(3, papers=7))).before
    around = before[:, :, None] + before[None] + before.T[:, None, :]
    for u, v, w in permutations(range(7), 3):
        assert 1 - 1e-5 <= around[u, v, w] <= 2 + 1e-5


def test_a_cycle_of_three_costs_a_third_more_than_its_fractional_order():
    cycle = np.array([[0.0, 2, 1], [1, 0, 2], [2, 1, 0]])
    assert ailon.fractional_order(cycle).cost == pytest.approx(4.0)


def test_authors_orders_are_kept_and_agreeing_means_stay():
    means = np.array([5.0, 7.0, 6.0, 2.0])
    fitted = isotonic.fit_to_authors(means, [np.array([0, 1, 2]), np.array([3])])
    assert fitted.tolist() == [6.0, 6.0, 6.0, 2.0]
    fitted = isotonic.fit_to_authors(means, [np.array([1, 0]), np.array([2, 3])])
    assert fitted.tolist() == means.tolist()


def fitted(scores, rankings):
    """Isotonic regression of one reviewer's scores, by paper."""
    reviews = pl.DataFrame({"reviewer": 1, "paper": range(len(scores)), "score": scores})
    if isinstance(rankings, list):
        rankings = pl.DataFrame({"reviewer": 1, "paper": range(len(scores)), "rank": rankings})
    return isotonic.fit_to_rankings(read(reviews, rankings, None, None)[1])


@pytest.mark.parametrize("seed", range(6))
def test_isotonic_regression_is_scipys_on_total_orders(seed):
    random = np.random.default_rng(seed)
    scores, order = random.integers(1, 8, size=12), random.permutation(12)  # worst first
    ranks = (12 - np.argsort(order)).tolist()
    expected = isotonic_regression(scores[order].astype(float)).x
    np.testing.assert_allclose(fitted(scores, ranks)[order], expected, atol=1e-12)


def test_isotonic_regression_of_each_reviewer_stands_alone():
    case = Case(unruly(3, papers=20, papers_per_reviewer=5, swapped=0.5), conflicts="scores")
    found = pl.Series("fit", find_method("isotonic").estimate(case).scores)
    both = case.conference.reviews.with_columns(found)
    table = both.join(case.conference.rankings, on=["reviewer", "paper"])
    for _, own in table.sort("rank", descending=True).group_by("reviewer", maintain_order=True):
        expected = isotonic_regression(own["score"].to_numpy().astype(float)).x
        np.testing.assert_allclose(own["fit"], expected, atol=1e-12)
    assert not np.array_equal(found, case.given)


PAIRS = pl.DataFrame({"reviewer": [1, 1], "better": [0, 0], "worse": [1, 2]})


@pytest.mark.parametrize(
    ("scores", "rankings", "expected"),
    [
        ([6, 5, 5], [1, 2, 3], [6, 5, 5]),  # what agrees stays, ties included
        ([4, 8, 6], [1, 1, 2], [5, 8, 5]),  # of two that are tied, one is out of order
        ([3, 6, 2], PAIRS, [4.5, 4.5, 2]),
    ],
)
def test_isotonic_regression_of_a_few(scores, rankings, expected):
    assert fitted(scores, rankings).tolist() == pytest.approx(expected)


def test_additive_effects_are_those_of_calibrate_on_given_scores():
    case = Case(unruly(2, papers=40, offset=1.0))
    found = find_method("additive").estimate(case)
    assert np.array_equal(found.scores, case.given)
    assert kendall_error(case.quality, found.papers) < kendall_error(
        case.quality, by_paper(case.conference, case.given)
    )
