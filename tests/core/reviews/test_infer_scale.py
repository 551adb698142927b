"""The scale inferred from the scores: what is taken, what is said about it, and what stops a run."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unround
from tests.core.tables import FRAMES, ranks_of, reviews_of
from unround import InputRefused, Kind, Scale, dequantize
from unround.reviews.infer_scale import OFTEN, infer_scale
from unround.scale import Origin


def reviews_with(counts):
    """One review of each paper, with scores as often as `counts` says."""
    scores = [score for score, count in counts.items() for _ in range(count)]
    papers = list(range(len(scores)))
    return pl.DataFrame({"reviewer": papers, "paper": papers, "score": scores})


def doubt(counts, **options):
    """The one issue about the scale."""
    with pytest.raises(InputRefused) as caught:
        dequantize(reviews_with(counts), lam=1.0, **options)
    (issue,) = caught.value.issues
    assert issue.kind is Kind.DOUBTFUL_SCALE
    return issue


EVEN = {0: 13, 2: 198, 4: 296, 6: 198, 8: 52, 10: 2}
ICLR_2024 = {1: 60, 3: 697, 5: 813, 6: 816, 8: 385, 10: 10}
ICLR_2020 = {1: 126, 3: 317, 6: 249, 8: 85}
NO_SCORE = 'if 0 means that there is no score, read the files with missing={"score": "0"}'
BETWEEN = "if reviewers could choose levels between"
OF_ICLR_2024 = f'the levels of ICLR 2022 to 2025; {BETWEEN}: scale="1..10"'
ICLR_2017 = {1: 1, 2: 14, 3: 125, 4: 252, 5: 255, 6: 338, 7: 330, 8: 137, 9: 33, 10: 4}


# What is taken


@pytest.mark.parametrize(
    ("counts", "levels", "origin"),
    [
        (ICLR_2017, range(1, 11), "consecutive integers"),
        ({5: 3}, [5], "consecutive integers"),
        (
            {0: 1, 2: 3, 4: 4, 6: 2, 8: 1},
            range(9),
            'consecutive integers; nobody gave 1, 3, 5, 7; if reviewers could not: scale="0..8:2"',
        ),
        ({0: 2, 1: 3, 2: 2}, range(3), f"consecutive integers; {NO_SCORE}"),
        (
            {"A": 2, "C": 1},
            ["C", "B", "A"],
            'consecutive letters, A best; nobody gave B; if reviewers could not: scale="C,A"',
        ),
        (EVEN, [0, 2, 4, 6, 8, 10], f'the levels in use; {BETWEEN}: scale="0..10"'),
        (
            {1.0: 3, 1.5: 9, 2.0: 30, 2.5: 40, 3.0: 30, 3.5: 9, 4.0: 3},
            [1, 1.5, 2, 2.5, 3, 3.5, 4],
            f'the levels in use; {BETWEEN}: scale="1..4:0.25"',
        ),
        (
            {1.0: 20, 1.2: 40, 1.4: 60, 1.5999999999999999: 30, 1.6: 10, 1.7999999999999998: 20},
            [1, 1.2, 1.4, 1.6, 1.8],
            f'the levels in use; {BETWEEN}: scale="1..1.8:0.1"',
        ),
        (ICLR_2020, [1, 3, 6, 8], f'the levels of ICLR 2020; {BETWEEN}: scale="1..8"'),
        (ICLR_2024, [1, 3, 5, 6, 8, 10], OF_ICLR_2024),
        ({s: n for s, n in ICLR_2024.items() if s < 10}, [1, 3, 5, 6, 8, 10], OF_ICLR_2024),
    ],
    ids=[
        *("every integer", "one level", "even levels of few reviews", "zeros", "letters"),
        *("even levels of many reviews", "half points of many reviews", "levels up to rounding"),
        *("ICLR 2020", "ICLR 2024", "ICLR 2024 without a 10"),
    ],
)
def test_levels_that_are_taken(counts, levels, origin):
    result = dequantize(reviews_with(counts), lam=1.0)
    assert result.scale.levels == tuple(levels)
    assert result.scale_origin == f"inferred from the scores: {origin}"


def test_stated_scale_is_said_to_be_stated():
    result = dequantize(reviews_with(EVEN), lam=1.0, scale="0..10")
    assert result.scale == Scale.integers(0, 10)
    assert result.scale_origin == "as stated"


# What is doubtful


@pytest.mark.parametrize("policy", ["refuse", "scores", "rankings"])
def test_a_lone_score_far_off_stops_a_run_under_every_policy(policy):
    issue = doubt({**ICLR_2017, 77: 1}, conflicts=policy)
    assert issue.scores == (77,)
    assert issue.rows == (1489,)
    assert issue.message == (
        "1 score of 77 lies far from all others, which run from 1 to 10; correct it, or state the "
        'scale: scale="1..10" (what is not on it is then listed), or scale="1..77"'
    )


@pytest.mark.parametrize(
    ("counts", "odd", "words"),
    [
        ({4: 1, 5: 2, 6: 1, 77: 1}, [77], "77 lies far from all others"),
        ({5: 2, 6: 1, 99: 1}, [99], "99 lies far from all others"),
        ({1: 1, 2: 1, 50: 1}, [50], "50 lies far from all others"),
        ({-99: 1, 1: 3, 2: 5, 3: 1}, [-99], "-99 lies far from all others"),
        ({60: 1, 75: 1, 80: 2, 85: 1, 90: 1}, [], 'or scale="60..90"'),
        (
            {20260103: 2, 20260104: 1},
            [20260103, 20260103, 20260104],
            "3 scores of 20260103, 20260104 do not look like review scores",
        ),
        ({3: 4, 4: 5, 46025: 1}, [46025], "1 score of 46025 does not look like review scores"),
        ({2024: 1, 2025: 1}, [2024, 2025], "do not look like review scores"),
        (
            {5.0: 3, 5.5: 2, 5.333333333: 1, 6.666666667: 4},
            [],
            "not all integers (found 5.33333), and too few or too uneven to tell the levels between "
            "which reviewers could choose; name every level, worst to best, for example "
            'scale="5,5.333333333,5.5,6.666666667"',
        ),
        ({0: 40, 1: 1, 2: 10, 3: 20}, [], f"more than the other scores suggest: {NO_SCORE}"),
        ({4.0: 1, 4.5: 1, 6.0: 1}, [], 'for example scale="4..6:0.5"'),
    ],
    ids=lambda value: str(value)[:40],
)
def test_levels_that_are_doubtful(counts, odd, words):
    issue = doubt(counts)
    assert words in issue.message
    assert issue.scores == tuple(odd)
    assert issue.rows == tuple(np.flatnonzero(np.isin(reviews_with(counts)["score"], odd)))


def test_stating_the_scale_lists_the_score_that_is_not_on_it():
    (issue,) = unround.check(reviews_with({**ICLR_2017, 77: 1}), scale="1..10")
    assert (issue.kind, issue.scores) == (Kind.OFF_SCALE, (77,))


def test_uneven_levels_of_many_reviews_and_either_option_of_the_message_settles_it():
    counts = {1: 50, 2: 80, 3: 90, 5: 90, 6: 70, 8: 20}
    message = doubt(counts).message
    assert "use the levels 1, 2, 3, 5, 6, 8 and never 4, 7, in 400 reviews" in message
    assert 'scale="1,2,3,5,6,8" or scale="1..8"' in message
    for option in ("1,2,3,5,6,8", "1..8"):
        assert unround.check(reviews_with(counts), scale=option) == ()


def test_other_issues_are_listed_beside_a_doubtful_scale():
    reviews, ranks = reviews_of({1: 4, 2: 5, 3: 2026}), ranks_of({1: 1, 2: 2, 9: 3})
    kinds = {issue.kind for issue in unround.check(reviews, ranks)}
    assert kinds == {Kind.DOUBTFUL_SCALE, Kind.UNREVIEWED, Kind.CONTRADICTION}


# How sure it is


def sample_counts(population, size, random):
    levels = list(population)
    weights = np.array([population[level] for level in levels], dtype=float)
    drawn = random.choice(levels, size=size, p=weights / weights.sum())
    return Counter(drawn.tolist())


def scale_of(counts):
    levels = sorted(counts)
    return infer_scale(np.array(levels, dtype=float), np.array([counts[level] for level in levels]))


@pytest.mark.parametrize("size", [10, 30, 100, 300, 1000])
def test_samples_of_a_real_conference_are_taken_for_integers(size):
    random = np.random.default_rng(7)
    doubtful = sum(
        scale_of(sample_counts(ICLR_2017, size, random))[1] is not None for _ in range(300)
    )
    assert doubtful <= 300 * 0.01


@pytest.mark.parametrize(("count", "taken"), [(OFTEN - 1, range(1, 5)), (OFTEN, None)])
def test_a_level_between_two_that_were_often_given_is_asked_about(count, taken):
    scale, doubtful = scale_of({1: count, 2: 30, 4: count})
    assert (doubtful is None) is (taken is not None)
    if taken is not None:
        assert scale.levels == tuple(taken)


@pytest.mark.parametrize("size", [60, 200, 700])
def test_samples_of_even_levels_are_recognised(size):
    random = np.random.default_rng(7)
    for _ in range(100):
        scale, doubtful = scale_of(sample_counts(EVEN, size, random))
        assert doubtful is None
        assert scale.origin is Origin.USED


@settings(max_examples=300)
@given(st.dictionaries(st.integers(-30, 30).map(lambda n: n / 2), st.integers(1, 40), min_size=1))
def test_whatever_is_inferred_holds_every_score_and_every_option_settles_it(counts):
    scale, doubtful = scale_of(counts)
    assert all(scale.position(score) is not None for score in counts)
    if doubtful is not None:
        options = [part.split('"')[0] for part in doubtful.sentence.split('scale="')[1:]]
        whole = Scale.of(options[-1])
        assert all(whole.position(score) is not None for score in counts)


def test_taking_the_used_levels_is_nearer_to_the_truth():
    """Scores 0, 2, .., 10 with known opinions: the inferred scale beats the integers 0 to 10."""
    made = unround.simulate.thurstone(400, scale=[0, 2, 4, 6, 8, 10], noise=1.5, seed=3)
    errors = {}
    for name, scale in (("inferred", None), ("integers", "0..10")):
        result = dequantize(made.reviews, made.rankings, lam="auto", scale=scale)
        errors[name] = unround.metrics.kendall_error(made.truth, result.scores["dequantized"])
    assert errors["inferred"] < 0.9 * errors["integers"]


# Scales where 1 is best


def test_one_is_best():
    tables = reviews_of({1: 1, 2: 1}), ranks_of({1: 1, 2: 2})
    result = dequantize(*tables, scale="5..1", lam=math.inf)
    assert result.scale.levels == (5, 4, 3, 2, 1)
    assert result.scale_origin == "as stated; 1 is best and counts as 5, 5 as 1"
    assert result.scores["dequantized"].to_list() == pytest.approx([5.025, 4.975])
    assert result.scores["score"].to_list() == [1, 1]


def test_a_scale_turned_round_gives_the_mirrored_scores():
    made = unround.simulate.thurstone(30, scale=[1, 3, 5, 6, 8, 10], seed=5)
    turned = made.reviews.with_columns(score=11 - pl.col("score"))
    straight = dequantize(made.reviews, made.rankings, lam=3.0, scale=[1, 3, 5, 6, 8, 10])
    mirrored = dequantize(turned, made.rankings, lam=3.0, scale=[10, 8, 6, 5, 3, 1])
    np.testing.assert_array_equal(mirrored.scores["dequantized"], straight.scores["dequantized"])


# Ordered types


def typed(kind, values, order):
    """Reviews in a dataframe of a kind that knows the order of the scores."""
    ordered = pd.Categorical(values, categories=order, ordered=True)
    if kind == "polars":
        ordered = pl.Series(values, dtype=pl.Enum(order))
    if kind == "pyarrow":
        ordered = pa.array(ordered)
    ids = list(range(len(values)))
    return FRAMES[kind]({"reviewer": ids, "paper": ids, "score": ordered})


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("order", [["A", "B", "C"], ["reject", "weak", "accept"]], ids=str)
def test_an_ordered_type_is_the_scale(kind, order):
    result = dequantize(typed(kind, [order[0], order[2], order[2]], order), lam=math.inf)
    assert result.scale.levels == tuple(order)
    assert result.scale_origin == "from the ordered type of the score column"
    assert list(result.internals.reviews.given) == [1.0, 3.0, 3.0]


def test_an_ordered_type_of_numbers():
    result = dequantize(typed("pandas", [1, 3, 5], [5, 3, 1]), lam=math.inf)
    assert result.scale.levels == (5, 3, 1)
    assert list(result.internals.reviews.given) == [5.0, 3.0, 1.0]


def test_a_stated_scale_rules_over_the_type():
    reviews = typed("polars", ["A", "C"], ["A", "B", "C"])
    result = dequantize(reviews, lam=math.inf, scale="C..A")
    assert list(result.internals.reviews.given) == [3.0, 1.0]


def test_an_ordered_type_without_an_order_of_numbers():
    with pytest.raises(InputRefused, match="ordered type of column 'score' is no scale: levels go"):
        dequantize(typed("pandas", [1, 2, 3], [3, 1, 2]), lam=1.0)


def test_an_unordered_category_of_letters_is_inferred_as_letters():
    reviews = pd.DataFrame(
        {"reviewer": [1, 2], "paper": [1, 1], "score": pd.Categorical(["A", "B"])}
    )
    assert dequantize(reviews, lam=1.0).scale.origin is Origin.LETTERS
