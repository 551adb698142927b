"""The three policies on cases solved by hand."""

import math
from dataclasses import replace

import polars as pl
import pytest

from tests.core.tables import pairs_of, ranks_of, refused, reviews_of, same_of
from unround import Kind, check, dequantize

EPSILON = 0.05


def run(scores, rankings=None, *, lam=math.inf, conflicts="refuse", **options):
    """Values by paper, and the issues, of one reviewer's conference. λ = ∞: nobody else pulls."""
    result = dequantize(reviews_of(scores), rankings, lam=lam, conflicts=conflicts, **options)
    values = dict(zip(result.scores["paper"], result.scores["dequantized"], strict=True))
    return values, result.issues


def actions(issues):
    return [(issue.kind, issue.papers, issue.action) for issue in issues]


# Nothing wrong


@pytest.mark.parametrize(
    "stated",
    [ranks_of({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}), pairs_of("ab", "bc", "cd", "de")],
    ids=["ranks", "pairs"],
)
@pytest.mark.parametrize("policy", ["refuse", "scores", "rankings"])
def test_nothing_is_reported_when_nothing_is_wrong(policy, stated):
    values, issues = run({"a": 5, "b": 5, "c": 5, "d": 5, "e": 4}, stated, conflicts=policy)
    assert values == pytest.approx({"a": 5.075, "b": 5.025, "c": 4.975, "d": 4.925, "e": 4.0})
    assert issues == ()


@pytest.mark.parametrize("policy", ["refuse", "scores", "rankings"])
def test_ranks_that_tie_different_scores_are_no_conflict(policy):
    values, issues = run({"a": 5, "b": 7}, ranks_of({"a": 1, "b": 1}), conflicts=policy)
    assert (values, issues) == ({"a": 5.0, "b": 7.0}, ())


def test_lists_of_two_papers_hold_for_each_reviewer():
    frame = pl.DataFrame({"reviewer": [*"xxyy"], "paper": [*"abcd"], "rank": [1, 2, 2, 1]})
    reviews = frame.drop("rank").with_columns(score=pl.lit(5))
    result = dequantize(reviews, frame, lam=math.inf, scale=range(11))
    assert result.scores["dequantized"].to_list() == pytest.approx([5.025, 4.975, 4.975, 5.025])


def test_border_between_adjacent_cells_is_no_conflict():
    values, issues = run({"a": 6, "b": 5}, pairs_of("ab"), epsilon=1.5)
    assert issues == ()
    assert values == pytest.approx({"a": 6.25, "b": 4.75})


# Contradictions


def test_contradictions_beyond_a_thousand_are_counted():
    """Of 60 papers, ten of each score, every pair of different scores is ranked the wrong way."""
    scores = {f"p{number:02}": number % 6 for number in range(60)}
    ranks = ranks_of({paper: score + 1 for paper, score in scores.items()})
    issues = refused(None, reviews_of(scores), ranks)
    listed = [issue for issue in issues if issue.kind is Kind.CONTRADICTION]
    assert sorted(issue.count for issue in listed) == [1] * 1000 + [500]
    (rest,) = (issue.message for issue in listed if not issue.papers)
    assert "ranks 500 more pairs of papers against their own scores, 1,500 in all" in rest


def test_scores_keeps_the_rest_of_the_order():
    """a above b is against the scores; b above c and a above c stand. b is alone in its cell."""
    ranks = ranks_of({"a": 1, "b": 2, "c": 3})
    values, issues = run({"a": 5, "b": 6, "c": 5}, ranks, conflicts="scores")
    assert values == pytest.approx({"a": 5.025, "b": 6.0, "c": 4.975})
    assert actions(issues) == [(Kind.CONTRADICTION, ("a", "b"), "comparison set aside")]


def test_scores_keeps_order_among_papers_that_outscore_the_first():
    ranks = ranks_of({"a": 1, "b": 2, "c": 3})
    values, issues = run({"a": 5, "b": 6, "c": 6}, ranks, conflicts="scores")
    assert values == pytest.approx({"a": 5.0, "b": 6.025, "c": 5.975})
    assert [issue.papers for issue in issues] == [("a", "b"), ("a", "c")]


def test_rankings_opens_both_cells_by_half_the_gap():
    """Cells [4.5, 5.5] and [5.5, 6.5] must let a stand ε above b: 5.525 and 5.475."""
    result = dequantize(reviews_of({"a": 5, "b": 6}), pairs_of("ab"), lam=1.0, conflicts="rankings")
    assert result.internals.problem.lower.tolist() == pytest.approx([4.5, 5.475])
    assert result.internals.problem.upper.tolist() == pytest.approx([5.525, 6.5])
    assert result.scores["dequantized"].to_list() == pytest.approx([5.525, 5.475])
    assert actions(result.issues) == [(Kind.CONTRADICTION, ("a", "b"), "rounding ranges widened")]


def test_rankings_leaves_a_paper_in_the_middle_its_cell():
    """a above b above c, scored 4, 5, 6: the ends stretch by 0.55 each, the middle stays."""
    result = dequantize(
        reviews_of({"a": 4, "b": 5, "c": 6}),
        ranks_of({"a": 1, "b": 2, "c": 3}),
        lam=1.0,
        conflicts="rankings",
    )
    assert result.internals.problem.lower.tolist() == pytest.approx([3.5, 4.5, 4.95])
    assert result.internals.problem.upper.tolist() == pytest.approx([5.05, 5.5, 6.5])
    assert result.scores["dequantized"].to_list() == pytest.approx([5.05, 5.0, 4.95])


def test_rankings_shares_the_stretch_between_several_papers_of_one_reviewer():
    """One paper against two: up(a) + down(b) ≥ 0.05 and up(a) + down(c) ≥ 0.05, least squares."""
    scores = {"a": 5, "b": 6, "c": 6}
    reviews = pl.concat([reviews_of(scores), reviews_of(scores, "bob")])
    result = dequantize(reviews, pairs_of("ab", "ac"), lam=1.0, conflicts="rankings")
    opened = EPSILON / 3
    lower, upper = result.internals.problem.lower, result.internals.problem.upper
    assert lower.tolist() == pytest.approx([4.5, 5.5 - opened, 5.5 - opened, 4.5, 5.5, 5.5])
    assert upper.tolist() == pytest.approx([5.5 + 2 * opened, 6.5, 6.5, 5.5, 6.5, 6.5])


# That cells open by the least total square is shown in test_openings.py, and what random orders come
# to under each policy in tests/differential.


# No room

CROWD = {f"p{number:02}": 5 for number in range(30)}
CROWD_RANKS = {paper: place for place, paper in enumerate(CROWD, start=1)}


def test_thirty_papers_in_one_cell_leave_no_room():
    (issue,) = refused(
        r"30 papers in a row from p00 \(score 5\) down to p29 \(score 5\): epsilon 0\.05 "
        r"does not fit .* the largest that does is 0\.03448",
        reviews_of(CROWD),
        ranks_of(CROWD_RANKS),
    )
    assert (issue.kind, issue.papers, issue.rows) == (Kind.NO_ROOM, ("p00", "p29"), (0, 29))


def test_scores_reduces_that_reviewers_epsilon_to_half_the_largest_that_fits():
    """30 papers in a cell of width 1 have 29 gaps: ε = 1/29 fits, half of it is used."""
    reviews = pl.concat([reviews_of(CROWD), reviews_of({"p00": 5, "p01": 5}, "bob")])
    rankings = pl.concat([ranks_of(CROWD_RANKS), ranks_of({"p00": 1, "p01": 2}, "bob")])
    result = dequantize(reviews, rankings, lam=math.inf, conflicts="scores")
    expected = [5 + (14.5 - place) / 29 / 2 for place in range(30)]
    assert result.scores["dequantized"].to_list() == pytest.approx([*expected, 5.025, 4.975])
    assert actions(result.issues) == [
        (Kind.NO_ROOM, ("p00", "p29"), "epsilon reduced to 0.01724 for this reviewer")
    ]


def test_room_is_measured_between_cells_of_different_scores():
    """a above b above c, scored 7, 5, 5: from c to a there is room for 3, from c to b for 1."""
    ranks = ranks_of({"a": 1, "b": 2, "c": 3})
    _, issues = run({"a": 7, "b": 5, "c": 5}, ranks, epsilon=1.2, conflicts="scores")
    assert actions(issues) == [
        (Kind.NO_ROOM, ("b", "c"), "epsilon reduced to 0.5 for this reviewer")
    ]


def test_reduced_epsilon_is_in_units_of_the_spacing():
    ranks = ranks_of({"a": 1, "b": 2, "c": 3})
    values, issues = run(
        {"a": 30, "b": 30, "c": 30}, ranks, scale=[10, 30, 50], epsilon=0.8, conflicts="scores"
    )
    assert [issue.action for issue in issues] == ["epsilon reduced to 0.25 for this reviewer"]
    assert values == pytest.approx({"a": 35.0, "b": 30.0, "c": 25.0})


def test_rankings_opens_the_cells_that_lack_room():
    """Ends 29·0.05 = 1.45 apart need 0.225 more on each side, those next to them 0.175, .."""
    result = dequantize(
        reviews_of(CROWD), ranks_of(CROWD_RANKS), lam=math.inf, conflicts="rankings"
    )
    values = result.scores["dequantized"].to_list()
    assert values == pytest.approx([5 + EPSILON * (14.5 - place) for place in range(30)])
    opened = [max(0.0, abs(value - 5) - 0.5) for value in values]
    widths = (result.internals.problem.upper - result.internals.problem.lower - 1.0).tolist()
    assert widths == pytest.approx(opened, abs=1e-12)
    assert actions(result.issues) == [(Kind.NO_ROOM, ("p00", "p29"), "rounding ranges widened")]


# Cycles


@pytest.mark.parametrize("policy", ["scores", "rankings"])
def test_cycle_is_set_aside_and_the_rest_stands(policy):
    """a and b are each above the other, both above c: (a + b)/2 and c stand ε apart."""
    values, issues = run({"a": 5, "b": 5, "c": 5}, pairs_of("ab", "ba", "ac"), conflicts=policy)
    assert values == pytest.approx({"a": 5 + 0.05 / 3, "b": 5 + 0.05 / 3, "c": 5 - 0.1 / 3})
    assert actions(issues) == [(Kind.CYCLE, ("a", "b"), "comparisons inside the cycle set aside")]


def test_a_long_cycle_is_one_issue_whose_message_names_twenty_papers():
    papers = [f"p{number:02}" for number in range(23)]
    circle = zip(papers, papers[1:] + papers[:1], strict=True)
    (issue,) = refused("states a cycle", reviews_of(dict.fromkeys(papers, 5)), pairs_of(*circle))
    assert "p19 (score 5) and 3 more: each" in issue.message
    assert len(issue.papers) == 23


def test_order_with_room_opens_no_cell():
    rankings = pairs_of("ab", "ba", "ac")
    result = dequantize(
        reviews_of({"a": 5, "b": 5, "c": 4}), rankings, lam=1.0, conflicts="rankings"
    )
    assert result.internals.problem.openings.review.size == 0


@pytest.mark.parametrize("policy", ["scores", "rankings"])
def test_better_and_about_the_same_is_set_aside_like_a_cycle(policy):
    values, issues = run({"a": 5, "b": 5}, pairs_of("ab"), same=same_of("ab"), conflicts=policy)
    assert values == {"a": 5.0, "b": 5.0}
    assert actions(issues) == [(Kind.CYCLE, ("a", "b"), "comparisons inside the cycle set aside")]


@pytest.mark.parametrize("policy", ["scores", "rankings"])
def test_unusable_statements_are_set_aside_and_reported(policy):
    values, issues = run({"a": 5, "b": 5}, pairs_of("aa", "az", "ab"), conflicts=policy)
    assert values == pytest.approx({"a": 5.025, "b": 4.975})
    assert actions(issues) == [
        (Kind.UNREVIEWED, ("z",), "statement set aside"),
        (Kind.SELF, ("a",), "statement set aside"),
    ]


# Several reviewers


def test_issues_do_not_depend_on_the_order_of_rows():
    """Reviewers who contradict themselves and state cycles, rows in a random order."""
    people, scores = [f"r{number}" for number in range(6)], {"a": 5, "b": 6, "c": 6, "d": 4}
    reviews = pl.concat([reviews_of(scores, person) for person in people])
    stated = pl.concat([pairs_of("ab", "ac", "bc", "cb", "dc", reviewer=who) for who in people])
    first, *others = (
        check(*(table.sample(fraction=1.0, shuffle=True, seed=seed) for table in (reviews, stated)))
        for seed in range(4)
    )
    assert len(first) == 6 * 5 + 1  # one asks whether the ranks are upside down
    unplaced = [replace(issue, rows=()) for issue in first]
    for issues in others:
        assert [replace(issue, rows=()) for issue in issues] == unplaced


def test_rows_of_an_issue_point_to_its_reviews():
    reviews = reviews_of({"a": 5, "b": 6, "c": 7}).sample(fraction=1.0, shuffle=True, seed=3)
    (issue,) = check(reviews, pairs_of("ac"))
    assert tuple(reviews["paper"][row] for row in issue.rows) == issue.papers == ("a", "c")


# Top-k rankings


def test_unranked_papers_are_apart_by_default():
    values, issues = run({"a": 5, "b": 5, "c": 5}, ranks_of({"a": 1}))
    assert (values, issues) == ({"a": 5.0, "b": 5.0, "c": 5.0}, ())


def test_unranked_papers_stand_below_the_ranked_in_top_k_of_those_who_rank():
    """b ε above a, a ε above c and d, which stay together: 5 + ε/4 for a. Bob ranks nothing."""
    reviews = pl.concat([reviews_of(dict.fromkeys("abcd", 5)), reviews_of({"a": 5, "b": 5}, "bob")])
    result = dequantize(reviews, ranks_of({"b": 1, "a": 2}), lam=math.inf, unranked="below")
    expected = [5.0125, 5.0625, 4.9625, 4.9625, 5.0, 5.0]
    assert result.scores["dequantized"].to_list() == pytest.approx(expected)
    assert result.issues == ()


def test_unranked_paper_with_a_higher_score_contradicts_top_k():
    words = r"ranks a \(score 5\) above b \(score 6\)"
    refused(words, reviews_of({"a": 5, "b": 6}), ranks_of({"a": 1}), unranked="below")


# About the same


def test_papers_about_the_same_are_classes_and_stand_for_each_other():
    """a ~ b and b ~ c are one class: d above c puts d above a."""
    values, issues = run({"a": 5, "b": 4, "c": 4, "d": 5}, pairs_of("dc"), same=same_of("ab", "bc"))
    assert values == pytest.approx({"a": 4.975, "b": 4.0, "c": 4.0, "d": 5.025})
    assert issues == ()
