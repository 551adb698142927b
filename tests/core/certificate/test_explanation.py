"""Why scores moved: parts that add up, cases solved by hand, and the comparisons that bind."""

import math
from itertools import pairwise, product

import numpy as np
import polars as pl
import pytest

from unround import dequantize, simulate


def solve(rows, stated=(), **options):
    """Reviews as (reviewer, paper, score), statements as (reviewer, better, worse)."""
    reviews = pl.DataFrame(rows, schema=["reviewer", "paper", "score"], orient="row")
    pairs = pl.DataFrame(
        list(stated), schema=dict.fromkeys(["reviewer", "better", "worse"], pl.String), orient="row"
    )
    return dequantize(reviews, pairs, **options)


def parts_of(result):
    """consensus, ranking and cell of each review, in the caller's order."""
    return result.explanation.select("consensus", "ranking", "cell").rows()


# Parts


@pytest.mark.parametrize(("seed", "lam"), [*product(range(4), (0.4, 3.0, 25.0, math.inf))])
def test_parts_are_the_pull_of_others_what_binds_and_the_push_of_touched_cells(seed, lam):
    """Random conferences with ties and partial rankings."""
    drawn = simulate.thurstone(papers=24, scale=range(1, 6), papers_per_reviewer=5, seed=seed)
    some = drawn.rankings.sample(fraction=0.8, seed=seed)
    coarse = some.with_columns((pl.col("rank") + 1) // 2 if seed % 2 else pl.col("rank"))
    result = dequantize(drawn.reviews, coarse, lam=lam, scale=range(1, 6))
    table = result.explanation.with_columns(
        others=(pl.sum("dequantized").over("paper") - pl.col("dequantized"))
        / (pl.len().over("paper") - 1),
        weight=1 - 1 / pl.len().over("paper"),
    )

    total = table["score"] + table["consensus"] + table["ranking"] + table["cell"]
    # Three additions of numbers below 8 round by less than this.
    np.testing.assert_allclose(total, table["dequantized"], rtol=0, atol=4e-15)

    pull = table["weight"] * (table["others"] - table["score"])
    expected = pull * 0.0 if math.isinf(lam) else pull / (lam + table["weight"])
    bound = 10 * result.certificate.max_error * (1 + lam if lam < math.inf else 1) + 1e-12
    np.testing.assert_allclose(table["consensus"], expected, atol=bound)

    off = table["dequantized"] - table["score"]
    held_up, held_down = table["cell"] > 1e-9, table["cell"] < -1e-9
    assert off.filter(held_up).to_list() == pytest.approx([-0.5] * held_up.sum(), abs=1e-9)
    assert off.filter(held_down).to_list() == pytest.approx([0.5] * held_down.sum(), abs=1e-9)
    assert lam > 1.0 or (held_up.any() and held_down.any())

    value = {row[:2]: row[3] for row in result.scores.iter_rows()}
    ranking = dict.fromkeys(value, 0.0)
    for reviewer, better, worse, lifts, lowers in result.bindings.iter_rows():
        slack = value[reviewer, better] - value[reviewer, worse] - 0.05
        assert abs(slack) <= 1e-9
        assert lifts == pytest.approx(lowers)  # of papers with four reviews each
        assert lowers > 0.0
        ranking[reviewer, better] += lifts
        ranking[reviewer, worse] -= lowers
    assert table["ranking"].to_list() == pytest.approx(list(ranking.values()), abs=1e-7)


def test_unranked_review_of_an_unranked_paper_has_no_ranking_part():
    result = solve([("ann", "x", 4), ("bob", "x", 6)], lam=1.0)
    assert parts_of(result) == [
        pytest.approx((0.5, 0.0, 0.0)),
        pytest.approx((-0.5, 0.0, 0.0)),
    ]


def test_ranking_alone():
    """Nobody else reviews: a and b move apart by ε, from 4 to 4.025 and 3.975."""
    result = solve([("ann", "a", 4), ("ann", "b", 4)], [("ann", "a", "b")], lam=1.0)
    assert parts_of(result) == [
        pytest.approx((0.0, 0.025, 0.0)),
        pytest.approx((0.0, -0.025, 0.0)),
    ]
    assert result.bindings.rows() == [("ann", "a", "b", pytest.approx(0.025), pytest.approx(0.025))]


@pytest.mark.parametrize("lam", [0.3, 0.7, 3.0, 7.0])
def test_papers_of_one_review_have_no_consensus_not_even_by_rounding(lam):
    rows = [("ann", paper, 4) for paper in "abcdefg"]
    stated = [("ann", better, worse) for better, worse in pairwise("abcdefg")]
    assert set(solve(rows, stated, lam=lam).explanation["consensus"]) == {0.0}


def test_ranking_against_consensus():
    """By hand, λ = 1: ann holds 5.025 and 4.975 against bob, who stands at 13.025/3 and 5.65833..

    The other review pulls ann's x by (1/2)(13.025/3 − 5)/(3/2), and the ranking pushes back.
    """
    rows = [("ann", "x", 5), ("ann", "y", 5), ("bob", "x", 4), ("bob", "y", 6)]
    result = solve(rows, [("ann", "x", "y")], lam=1.0)
    bob = 13.025 / 3
    assert result.explanation["dequantized"].to_list() == pytest.approx(
        [5.025, 4.975, bob, 10 - bob]
    )
    pull = (bob - 5) / 3
    assert parts_of(result) == [
        pytest.approx((pull, 0.025 - pull, 0.0)),
        pytest.approx((-pull, pull - 0.025, 0.0)),
        pytest.approx((bob - 4, 0.0, 0.0)),
        pytest.approx((4 - bob, 0.0, 0.0)),
    ]
    push = pytest.approx(0.025 - pull)
    assert result.bindings.rows() == [("ann", "x", "y", push, push)]


def test_cell_against_consensus():
    """z = (5, 5, 5, 8), λ = 1 gives (5.5, 5.5, 5.5, 7.5): only the cell of 8 has to hold."""
    rows = [(name, "x", score) for name, score in zip("abcd", (5, 5, 5, 8), strict=True)]
    result = solve(rows, lam=1.0)
    pull = 0.75 * (5.5 - 8) / 1.75
    assert parts_of(result) == [
        *[pytest.approx((0.5, 0.0, 0.0), abs=1e-8)] * 3,
        pytest.approx((pull, 0.0, -0.5 - pull), abs=1e-8),
    ]


def test_no_consensus_at_infinite_lambda():
    rows = [("ann", "x", 5), ("ann", "y", 5), ("bob", "x", 4)]
    result = solve(rows, [("ann", "x", "y")], lam=math.inf)
    assert parts_of(result) == [
        pytest.approx((0.0, 0.025, 0.0)),
        pytest.approx((0.0, -0.025, 0.0)),
        (0.0, 0.0, 0.0),
    ]


# Bindings


def test_without_rankings_nothing_binds():
    drawn = simulate.thurstone(papers=12, seed=0)
    bindings = dequantize(drawn.reviews, lam=1.0).bindings
    assert bindings.height == 0
    assert bindings.columns == ["reviewer", "better", "worse", "lifts", "lowers"]


def test_comparison_that_is_met_exactly_without_a_push_does_not_bind():
    """x and y stand ε apart anyhow: the gap has no slack, and nothing to do."""
    result = solve(
        [("ann", "x", 5), ("ann", "y", 4)], [("ann", "x", "y")], lam=math.inf, epsilon=1.0
    )
    assert result.internals.values.tolist() == [5.0, 4.0]
    assert result.bindings.height == 0
