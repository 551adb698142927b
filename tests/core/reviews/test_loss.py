"""A run in which most statements fall away stops under every policy, unless told to go on."""

import polars as pl
import pytest

from unround import InputRefused, Kind, check, dequantize

PAPERS = range(40)
# Each reviewer has eight papers, with scores 1 to 8.
OWN = pl.DataFrame({"reviewer": [paper // 8 for paper in PAPERS]})
REVIEWS = OWN.with_columns(paper=pl.Series(PAPERS), score=pl.Series([p % 8 + 1 for p in PAPERS]))


def ranks(papers):
    """The papers, or others in their place, in the order of the scores."""
    return OWN.with_columns(
        paper=pl.Series(papers), rank=pl.Series([8 - paper % 8 for paper in PAPERS])
    )


RIGHT, OTHER_IDS = ranks(PAPERS), ranks([paper + 1000 for paper in PAPERS])
CIRCLES = OWN.with_columns(
    better=pl.Series(PAPERS),
    worse=pl.Series([paper - 7 if paper % 8 == 7 else paper + 1 for paper in PAPERS]),
)
LOST = {
    "other ids": (OTHER_IDS, "40 of 40 statements"),
    "circles": (CIRCLES, "40 of 40 comparisons"),
}


@pytest.mark.parametrize("policy", ["scores", "rankings"])
@pytest.mark.parametrize("case", LOST)
def test_most_statements_lost_stop_a_run_unless_it_is_told_to_go_on(case, policy):
    rankings, words = LOST[case]
    with pytest.raises(InputRefused) as refused:
        dequantize(REVIEWS, rankings, lam=1.0, conflicts=policy)
    (issue,) = [issue for issue in refused.value.issues if issue.kind is Kind.MOST_LOST]
    assert words in issue.message
    assert issue.action == ""
    options = {"conflicts": policy, "allow_loss": True}
    result = dequantize(REVIEWS, rankings, lam=1.0, **options)
    (issue,) = [issue for issue in result.issues if issue.kind is Kind.MOST_LOST]
    assert issue.action == "continued because of allow_loss=True"
    assert result.issues == check(REVIEWS, rankings, **options)


def test_contradictions_count_where_scores_rule():
    """Random ranks: about half of the comparisons, here more, go against the scores."""
    mixed = RIGHT.with_columns(rank=pl.Series([1, 2, 3, 4, 8, 7, 6, 5] * 5))
    kinds = {
        policy: {issue.kind for issue in check(REVIEWS, mixed, conflicts=policy, scale=range(1, 9))}
        for policy in ("scores", "rankings")
    }
    assert Kind.MOST_LOST in kinds["scores"]
    assert Kind.MOST_LOST not in kinds["rankings"]


@pytest.mark.parametrize("lost", [5, 19])
def test_less_than_half_goes_on(lost):
    """A few statements, or fewer than half of all, are set aside one by one."""
    ids = [paper + 1000 if paper < lost else paper for paper in PAPERS]
    result = dequantize(REVIEWS, ranks(ids), lam=1.0, conflicts="scores")
    assert {issue.kind for issue in result.issues} == {Kind.UNREVIEWED}
    assert len(result.issues) == lost
