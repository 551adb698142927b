"""Tables that are upside down: 1 is the best score, or the largest rank is the best paper."""

import polars as pl
import pytest

import unround
from tests.core.tables import ranks_of, reviews_of
from unround import InputRefused, Kind, check, dequantize

MADE = unround.simulate.thurstone(20, seed=1)
TURNED_SCORES = MADE.reviews.with_columns(score=10 - pl.col("score"))
TURNED_RANKS = MADE.rankings.with_columns(rank=100 - pl.col("rank"))


def first(reviews, rankings, **options):
    return check(reviews, rankings, **options)[0]


@pytest.mark.parametrize(
    ("reviews", "rankings"),
    [(TURNED_SCORES, MADE.rankings), (MADE.reviews, TURNED_RANKS)],
    ids=["scores", "ranks"],
)
@pytest.mark.parametrize("policy", ["refuse", "scores", "rankings"])
def test_upside_down_stops_a_run_under_every_policy(reviews, rankings, policy):
    with pytest.raises(InputRefused, match="is the scale or are the ranks upside down") as caught:
        dequantize(reviews, rankings, lam=1.0, conflicts=policy)
    assert caught.value.issues[0].kind is Kind.UPSIDE_DOWN


def test_the_option_of_the_message_settles_it():
    message = first(TURNED_SCORES, MADE.rankings).message
    scale = message.split('scale="')[1].split('"')[0]
    turned = dequantize(TURNED_SCORES, MADE.rankings, lam=1.0, scale=scale)
    assert turned.issues == ()
    plain = dequantize(MADE.reviews, MADE.rankings, lam=1.0)
    shift = plain.scores["dequantized"] - turned.scores["dequantized"]
    assert shift.max() - shift.min() == pytest.approx(0.0, abs=1e-9)


def test_with_a_stated_scale_and_a_policy_it_is_reported_and_goes_on():
    options = {"lam": 1.0, "scale": "0..10", "conflicts": "scores"}
    with pytest.raises(InputRefused) as caught:
        dequantize(TURNED_SCORES, MADE.rankings, **options)
    assert [issue.kind for issue in caught.value.issues[:2]] == [Kind.MOST_LOST, Kind.UPSIDE_DOWN]
    result = dequantize(TURNED_SCORES, MADE.rankings, allow_loss=True, **options)
    assert result.issues[1].kind is Kind.UPSIDE_DOWN
    assert result.issues[1].action == "continued, since the scale is stated"


def test_stated_pairs_upside_down():
    ranked = MADE.rankings.join(MADE.rankings, on="reviewer").filter(
        pl.col("rank") < pl.col("rank_right")
    )
    pairs = ranked.select("reviewer", worse="paper", better="paper_right")
    assert first(MADE.reviews, pairs).kind is Kind.UPSIDE_DOWN


def test_common_contradictions_are_not_upside_down():
    """A reviewer in two turned round: far more contradictions than any conference has."""
    half = MADE.rankings.with_columns(
        rank=pl.when(pl.col("reviewer") % 2 == 0)
        .then(100 - pl.col("rank"))
        .otherwise(pl.col("rank"))
    )
    kinds = {issue.kind for issue in check(MADE.reviews, half)}
    assert Kind.CONTRADICTION in kinds
    assert Kind.UPSIDE_DOWN not in kinds


def test_few_comparisons_tell_no_direction():
    found = check(reviews_of({"x": 3, "y": 5}), ranks_of({"x": 1, "y": 2}))
    assert [issue.kind for issue in found] == [Kind.CONTRADICTION]
