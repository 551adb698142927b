"""What the certificate adds for rounding, by hand: numbers here are exact in binary, so that only it is left.

u is the unit roundoff, 2⁻⁵³.
"""

import math

import polars as pl
import pytest

from tests.core.tables import pairs_of, ranks_of, reviews_of
from unround import dequantize
from unround.certificate.bound import certify, opening_errors, rounding_bound

U = 2.0**-53


def proven(reviews, rankings, lam, **options):
    """The bound on exact scores, in units of u."""
    result = dequantize(reviews, rankings, lam=lam, **options)
    problem, scores = result.internals.problem, result.internals.values
    return certify(problem, lam, scores).max_error / U


def test_scores_alone():
    """z = (3, 6), λ = 2: y = (3.5, 5.5), no residual; (2 + 4) · 6.5 of means and 4 · 2 · 0.5 of distances."""
    reviews = pl.concat([reviews_of({"a": 3}, "ann"), reviews_of({"a": 6}, "bob")])
    assert proven(reviews, None, 2.0) == (6 * 6.5 + 4 * 2 * 0.5) / 2


@pytest.mark.parametrize(
    ("lam", "bound"),
    [(1.0, 5 * 5.5 + 4 * 0.25 + 4 * 0.25 + 2 * 4 * 11), (math.inf, 4 * 0.25 + 4 * 0.25 + 4 * 11)],
    ids=["one", "infinite"],
)
def test_a_comparison(lam, bound):
    """Scores 5.25 and 4.75, held by a force of 0.25; the gap is known to 2u · 5.5 = 11u, times 2k = 4."""
    reviews, rankings = reviews_of({"a": 5, "b": 5}), pairs_of("ab")
    assert proven(reviews, rankings, lam, epsilon=0.5) == bound


@pytest.mark.parametrize(
    ("scores", "rankings", "bound"),
    [
        # Each cell opens by 0.25. Residuals are known to 3u · 0.5, the gap and the ends to 13u.
        ({"a": 5, "b": 6}, pairs_of("ab"), 2 * 1.5 + 2 * 13 + 4 * 13),
        # The outer cells open by 1; the two forces on the middle one cancel without rounding.
        ({"a": 4, "b": 5, "c": 6}, ranks_of({"a": 1, "b": 2, "c": 3}), 2 * 6 + 2 * 26 + 4 * 13),
    ],
    ids=["two", "three"],
)
def test_opened_cells(scores, rankings, bound):
    result = dequantize(reviews_of(scores), rankings, lam=1.0, epsilon=0.5, conflicts="rankings")
    assert (opening_errors(result.internals.problem) / U).tolist() == [bound]


@pytest.mark.parametrize("lam", [0.5, 8.0])
def test_what_no_scores_can_be_proven_to(lam):
    """docs/mathematics.md, Units: n = 2 reviews of a paper, k = 3 papers in an order, numbers up to 6.5."""
    reviews = pl.concat([reviews_of({"a": 6, "b": 5, "c": 5}), reviews_of({"a": 5}, "bob")])
    problem = dequantize(reviews, ranks_of({"a": 1, "b": 2, "c": 3}), lam=lam).internals.problem
    assert rounding_bound(problem, lam) / U == ((2 + 4) + 4 * 3 * (1 + lam)) * 6.5 / lam
    assert rounding_bound(problem, math.inf) == 0.0
