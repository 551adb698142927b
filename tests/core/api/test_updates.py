"""Solving again after a change: the scores of a fresh run, and a true account of what moved."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

from unround import InputRefused, UsageError, dequantize, load, simulate, update

COLUMNS = [
    *["reviewer", "paper", "reason", "score_before", "score"],
    *["dequantized_before", "dequantized", "moved"],
    *["by_score", "by_consensus", "by_ranking", "by_cell"],
]
SCALE = range(1, 7)


def reviews_of(*rows):
    return pl.DataFrame(rows, schema=["reviewer", "paper", "score"], orient="row")


def ranks_of(*rows):
    return pl.DataFrame(rows, schema=["reviewer", "paper", "rank"], orient="row")


def pairs_of(*rows):
    return pl.DataFrame(rows, schema=["reviewer", "better", "worse"], orient="row")


REVIEWS = reviews_of(
    ("ann", "x", 4), ("ann", "y", 4), ("bob", "x", 5), ("bob", "z", 2), ("cid", "z", 3)
)
RANKS = ranks_of(("ann", "x", 1), ("ann", "y", 2))


@pytest.fixture(scope="module")
def before():
    return dequantize(REVIEWS, RANKS, lam=1.0, scale=SCALE)


def reasons(changes):
    return {row[:2]: row[2] for row in changes.iter_rows()}


# Nothing changed


@pytest.mark.parametrize(
    ("reviews", "rankings"),
    [
        (REVIEWS, RANKS),
        (REVIEWS.reverse(), RANKS.reverse()),
        (REVIEWS, pairs_of(("ann", "x", "y"))),
    ],
    ids=["unchanged", "rows in another order", "the same order in other words"],
)
def test_the_same_input_gives_no_rows(before, reviews, rankings):
    after = update(before, reviews, rankings)
    assert after.changes.height == 0
    assert after.changes.columns == COLUMNS


@pytest.mark.parametrize(
    ("make", "papers"),
    [
        (pl.DataFrame, pl.Series([2**63 + 1, 2**63 + 2, 7], dtype=pl.UInt64)),
        (pl.DataFrame, pl.Series([10**30, 10**30 + 1, 7], dtype=pl.Object)),
        (pd.DataFrame, pd.Series([2**63 + 1, 2**63 + 2, -7], dtype=object)),
    ],
    ids=["unsigned", "thirty digits", "large and negative"],
)
def test_large_ids_are_recognised_again(make, papers):
    reviews = make({"reviewer": ["ann"] * 3, "paper": papers, "score": [4, 4, 5]})
    assert len(update(dequantize(reviews, lam=1.0), reviews).changes) == 0


# The scores are those of a fresh run


def changed_conference(seed):
    """A conference, and the same with reviews withdrawn, added and rescored, and ranks dropped."""
    random = np.random.default_rng(seed)
    drawn = simulate.thurstone(papers=20, scale=SCALE, seed=random)
    reviews, ranks = drawn.reviews, drawn.rankings
    fewer = reviews.sample(fraction=0.9, seed=seed)
    new = pl.DataFrame({"reviewer": [900, 900, 901], "paper": [1, 2, 500], "score": [3, 5, 6]})
    rescored = pl.when(pl.Series(random.random(fewer.height) < 0.1)).then((pl.col("score") % 6) + 1)
    changed = pl.concat([fewer.with_columns(rescored.otherwise(pl.col("score"))), new])
    known = ranks.join(changed, on=["reviewer", "paper"], how="semi").sample(fraction=0.8, seed=1)
    return (reviews, ranks), (changed, known)


@pytest.mark.parametrize("policy", ["scores", "rankings"])
@pytest.mark.parametrize("lam", [0.3, 2.0, 40.0, math.inf])
@pytest.mark.parametrize("seed", range(3))
def test_update_equals_a_fresh_run_and_lists_every_move_whose_parts_add_up(seed, lam, policy):
    first, second = changed_conference(seed)
    options = {"lam": lam, "scale": SCALE, "conflicts": policy, "epsilon": 0.02}
    old = dequantize(*first, **options)
    updated = update(old, *second)
    after, changes = updated.result, updated.changes
    fresh = dequantize(*second, **options)
    bound = after.certificate.max_error + fresh.certificate.max_error
    assert np.abs(after.internals.values - fresh.internals.values).max() <= bound
    assert after.issues == fresh.issues
    assert (after.lam, after.settings) == (fresh.lam, fresh.settings)
    was = {row[:2]: row[2:4] for row in old.scores.iter_rows()}
    now = {row[:2]: row[2:4] for row in after.scores.iter_rows()}
    expected = was.keys() ^ now.keys()
    for review in was.keys() & now.keys():
        (score_before, value_before), (score, value) = was[review], now[review]
        if score != score_before or abs(value - value_before) > 0.5e-4:
            expected.add(review)
    assert reasons(changes).keys() == expected
    assert changes.height == len(expected)
    known = changes.filter(pl.col("moved").is_not_nan())
    assert known.height > 5
    for moved in (
        known.select(pl.col("^by_.*$")).sum_horizontal(),
        known["dequantized"] - known["dequantized_before"],
    ):
        np.testing.assert_allclose(moved, known["moved"], rtol=0, atol=1e-13)


def test_automatic_lambda_is_kept_and_validated_anew_only_when_asked():
    first, second = changed_conference(5)
    old = dequantize(*first, scale=SCALE, lam="auto")
    kept = update(old, *second, conflicts="scores").result
    assert (kept.lam, kept.selection) == (old.lam, None)
    anew = update(old, *second, conflicts="scores", lam="auto").result
    fresh = dequantize(*second, scale=SCALE, conflicts="scores", lam="auto")
    assert anew.lam == fresh.lam
    assert anew.selection.equals(fresh.selection)


def test_settings_may_be_changed(before):
    after = update(before, REVIEWS, RANKS, epsilon=0.2, lam=5.0).result
    fresh = dequantize(REVIEWS, RANKS, scale=SCALE, epsilon=0.2, lam=5.0)
    assert after.internals.values.tolist() == pytest.approx(
        fresh.internals.values.tolist(), abs=2e-9
    )


def test_update_takes_the_options_that_its_refusals_and_diagnostics_advise():
    drawn = simulate.thurstone(papers=20, seed=1)
    before = dequantize(drawn.reviews, drawn.rankings, lam=1.0, conflicts="scores")
    others = drawn.rankings.with_columns(pl.col("paper") + 100)
    with pytest.raises(InputRefused, match="continue with allow_loss=True"):
        update(before, drawn.reviews, others)
    lost = update(before, drawn.reviews, others, allow_loss=True)
    left_out = update(before, drawn.reviews, drawn.rankings, ignore_rankings=True)
    assert lost.result.scores.equals(left_out.result.scores)


def test_score_beyond_those_seen_before_is_accepted_where_a_fresh_run_does():
    old = dequantize(reviews_of(("ann", "x", 4), ("bob", "x", 6)), lam=1.0)
    new = reviews_of(("ann", "x", 4), ("bob", "x", 7))
    assert update(old, new).result.internals.values.tolist() == pytest.approx(
        dequantize(new, lam=1.0).internals.values.tolist(), abs=2e-9
    )


# Reasons


def test_new_review_moves_its_paper_and_spills_over_by_the_ranking(before):
    """dan's 1 for x pulls ann's and bob's x down, and ann's ranking hands it on to y."""
    new = pl.concat([REVIEWS, reviews_of(("dan", "x", 1))])
    changes = update(before, new, RANKS).changes
    assert reasons(changes) == {
        ("dan", "x"): "new review",
        ("ann", "x"): "paper changed",
        ("bob", "x"): "paper changed",
        ("ann", "y"): "spillover",
    }
    row = changes.filter(pl.col("reviewer") == "dan").row(0, named=True)
    assert row["score"] == 1.0
    assert all(math.isnan(row[name]) for name in ("score_before", "dequantized_before", "moved"))


def test_withdrawn_review(before):
    changes = update(before, REVIEWS.filter(pl.col("reviewer") != "cid"), RANKS).changes
    assert reasons(changes) == {("cid", "z"): "withdrawn", ("bob", "z"): "paper changed"}
    row = changes.filter(pl.col("reviewer") == "cid").row(0, named=True)
    assert row["score_before"] == 3.0
    assert row["dequantized_before"] == pytest.approx(2.75)
    assert all(math.isnan(row[name]) for name in ("score", "dequantized", "moved", "by_score"))


def test_changed_score(before):
    new = REVIEWS.with_columns(score=pl.Series([4, 4, 5, 2, 4]))
    changes = update(before, new, RANKS).changes
    assert reasons(changes) == {("cid", "z"): "score changed", ("bob", "z"): "paper changed"}
    row = changes.filter(pl.col("reviewer") == "cid").row(0, named=True)
    assert (row["score_before"], row["score"], row["by_score"]) == (3.0, 4.0, 1.0)


def test_changed_ranking(before):
    """ann ranks the other way round now; x and y each keep their other reviews."""
    changes = update(before, REVIEWS, ranks_of(("ann", "x", 2), ("ann", "y", 1))).changes
    assert reasons(changes)["ann", "x"] == "ranking changed"
    assert reasons(changes)["ann", "y"] == "ranking changed"
    assert reasons(changes)["bob", "x"] == "spillover"
    assert ("cid", "z") not in reasons(changes)


def test_withdrawn_ranking():
    reviews = reviews_of(("ann", "x", 4), ("ann", "y", 4))
    changes = update(dequantize(reviews, RANKS, lam=1.0), reviews).changes
    assert reasons(changes) == dict.fromkeys([("ann", "x"), ("ann", "y")], "ranking changed")
    assert changes["by_ranking"].to_list() == pytest.approx([-0.025, 0.025])


def test_nearest_reason_wins(before):
    """bob's score of x changes: that, not his paper's change, is why bob's x moved."""
    new = REVIEWS.with_columns(score=pl.Series([4, 4, 1, 2, 3]))
    found = reasons(update(before, new, RANKS).changes)
    assert found["bob", "x"] == "score changed"
    assert found["ann", "x"] == "paper changed"
    assert found["ann", "y"] == "spillover"


def test_changed_score_is_listed_though_nothing_moved():
    """ann's ranking of x above y holds them at 5.525 and 5.475, first against her own scores, then
    against bob's pull.
    """
    bob = [("bob", "x", 3), ("bob", "y", 8)]
    stated = pairs_of(("ann", "x", "y"))
    old = dequantize(
        reviews_of(("ann", "x", 5), ("ann", "y", 6), *bob), stated, lam=0.1, conflicts="rankings"
    )
    changes = update(old, reviews_of(("ann", "x", 6), ("ann", "y", 5), *bob), stated).changes
    assert reasons(changes) == dict.fromkeys([("ann", "x"), ("ann", "y")], "score changed")
    assert changes["dequantized"].to_list() == pytest.approx([5.525, 5.475])
    assert changes["moved"].to_list() == pytest.approx([0.0, 0.0], abs=1e-8)


HELD = reviews_of(("ann", "x", 3), ("ann", "y", 3), ("ann", "z", 3), ("bob", "y", 3))
RANKED = ranks_of(("ann", "x", 1), ("ann", "y", 2), ("ann", "z", 3))
PAIRED = pairs_of(("ann", "x", "y"), ("ann", "y", "z"), ("ann", "x", "z"))


@pytest.mark.parametrize(
    ("scores", "stated", "expected"),
    [
        # y is no longer held below x.
        ([5, 3, 3, 3], RANKED, ["score changed", "reviewer changed", "reviewer changed"]),
        # x above y goes against her scores now.
        ([3, 6, 3, 3], RANKED, ["reviewer changed", "score changed", "reviewer changed"]),
        # Two of her comparisons go with y; x above z is what she said all along.
        (
            [3, None, 3, 3],
            RANKED.filter(pl.col("paper") != "y"),
            ["reviewer changed", "withdrawn", "reviewer changed"],
        ),
        # bob's score moves everything, and she states the same order as pairs.
        ([3, 3, 3, 1], PAIRED, ["spillover", "paper changed", "spillover"]),
    ],
    ids=["another score", "a contradiction", "a review that goes", "the same in other words"],
)
def test_a_ranking_that_says_the_same_of_the_papers_is_no_changed_ranking(scores, stated, expected):
    first = dequantize(HELD, RANKED, lam=9.0, scale=SCALE, conflicts="scores")
    new = HELD.with_columns(score=pl.Series(scores)).drop_nulls()
    found = reasons(update(first, new, stated).changes)
    assert [found["ann", paper] for paper in "xyz"] == expected


def test_letters_that_stand_for_other_numbers_are_no_changed_scores():
    """A D turns up: A, B, C are 4, 3, 2 then and were 3, 2, 1."""
    old = reviews_of(("ann", "x", "A"), ("ann", "y", "C"), ("bob", "x", "B"))
    new = pl.concat([old, reviews_of(("cid", "z", "D"))])
    found = reasons(update(dequantize(old, lam=1.0), new).changes)
    assert found.pop(("cid", "z")) == "new review"
    assert set(found.values()) == {"scale changed"}


# Bad arguments


@pytest.mark.parametrize(
    ("argument", "value"), [("lam", 0), ("epsilon", -1), ("conflicts", "none"), ("tolerance", 0)]
)
def test_bad_settings(before, argument, value):
    with pytest.raises(UsageError, match=f"{argument} must be"):
        update(before, REVIEWS, RANKS, **{argument: value})


@pytest.mark.parametrize("numbered_first", [True, False])
def test_ids_of_another_kind_are_refused(numbered_first):
    """Nothing of the old input could be found again: that is a mistake, not a new conference."""
    tables = [reviews_of((1, "x", 4), (2, "x", 5)), reviews_of(("ann", "x", 4))]
    old, new = tables if numbered_first else tables[::-1]
    before = dequantize(old, lam=1.0, scale=SCALE)
    with pytest.raises(UsageError, match=r"the reviewers' ids were (text|integers) before and are"):
        update(before, new)


# From a run folder


@pytest.mark.filterwarnings("ignore:report.html is left out")
@pytest.mark.parametrize("conflicts", ["scores", "rankings"])
@pytest.mark.parametrize("scale", [None, SCALE], ids=["inferred scale", "stated scale"])
def test_a_loaded_run_is_updated_like_the_result_that_was_saved(tmp_path, conflicts, scale):
    made = simulate.thurstone(papers=12, seed=4, scale=SCALE)
    against = made.rankings.with_columns(rank=5 - pl.col("rank")).filter(pl.col("reviewer") < 4)
    ranks = pl.concat([made.rankings.filter(pl.col("reviewer") >= 4), against])
    first = dequantize(made.reviews, ranks, conflicts=conflicts, scale=scale)
    loaded = load(first.save(tmp_path / "run"))
    later = made.reviews.with_columns(
        score=pl.when(pl.col("paper") == 3).then(6).otherwise(pl.col("score"))
    ).head(-2)
    expected, found = update(first, later, ranks), update(loaded, later, ranks)
    assert found.changes.height > 3
    assert found.changes.equals(expected.changes)
    assert found.result.scores.equals(expected.result.scores)
    assert found.result.settings == expected.result.settings


@pytest.mark.filterwarnings("ignore:report.html is left out")
def test_a_loaded_run_with_pairs_and_papers_that_are_the_same(tmp_path):
    pairs = pairs_of(("ann", "x", "y"))
    same = pl.DataFrame({"reviewer": ["bob"], "paper": ["x"], "same_as": ["z"]})
    options = {"lam": 1.0, "scale": SCALE, "conflicts": "rankings"}
    first = dequantize(REVIEWS, [RANKS, pairs], same=same, **options)
    loaded = load(first.save(tmp_path / "run"))
    assert update(loaded, REVIEWS, [RANKS, pairs], same=same).changes.height == 0
    finer = update(loaded, REVIEWS, [RANKS, pairs], same=same, epsilon=0.3)
    assert set(finer.changes["reason"]) == {"settings changed"}
