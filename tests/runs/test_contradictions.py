"""Contradictions per reviewer: counted right, with the fewest changes that settle them."""

from __future__ import annotations

from itertools import combinations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from unround.preparation import check
from unround.reviews.tables import Tables
from unround.runs.contradictions import contradictions_by_reviewer, fewest_papers


def _table(reviews: pl.DataFrame, *rankings: pl.DataFrame) -> pl.DataFrame:
    tables = Tables(reviews, rankings)
    return contradictions_by_reviewer(check(tables, scale=list(range(1, 11))), tables)


def _reviews(scores: list[int], reviewer: str = "ann@example.org") -> pl.DataFrame:
    papers = [f"p{number}" for number in range(len(scores))]
    return pl.DataFrame({"reviewer": [reviewer] * len(scores), "paper": papers, "score": scores})


def _ranks(ranks: list[int], reviewer: str = "ann@example.org") -> pl.DataFrame:
    papers = [f"p{number}" for number in range(len(ranks))]
    return pl.DataFrame({"reviewer": [reviewer] * len(ranks), "paper": papers, "rank": ranks})


def test_one_paper_out_of_place_is_one_change():
    (row,) = _table(_reviews([2, 9, 8, 7]), _ranks([1, 2, 3, 4])).to_dicts()
    assert (row["contradictions"], row["fewest_changes"]) == (3, 1)
    assert row["email"] == "ann@example.org"
    assert row["papers"] == "p0; p1; p2; p3"
    assert row["scores"] == "2; 9; 8; 7"
    assert row["ranks"] == "1; 2; 3; 4"
    assert row["sentence"].startswith("Your ranking puts p0 (score 2) above p1 (score 9); p0")
    assert row["sentence"].endswith("one change would settle it.")


def test_a_stated_pair_that_implies_others_is_one_change():
    """p0 = p1 < p2 in scores; p0 > p1 > p2 stated: only the second pair is wrong."""
    stated = pl.DataFrame({"reviewer": ["r", "r"], "better": ["p0", "p1"], "worse": ["p1", "p2"]})
    (row,) = _table(_reviews([3, 3, 5], "r"), stated).to_dicts()
    assert (row["contradictions"], row["fewest_changes"]) == (2, 1)
    assert row["email"] is None


def test_people_are_listed_by_name_and_mail_and_the_worst_come_first():
    reviews = pl.concat([_reviews([2, 9], "1"), _reviews([2, 9, 10], "2")]).with_columns(
        reviewer_name=pl.format("Reviewer {}", "reviewer"),
        reviewer_email=pl.format("r{}@example.org", "reviewer"),
    )
    table = _table(reviews, pl.concat([_ranks([1, 2], "1"), _ranks([1, 2, 3], "2")]))
    assert table["reviewer"].to_list() == ["2", "1"]
    assert table["reviewer_name"].to_list() == ["Reviewer 2", "Reviewer 1"]
    assert table["email"].to_list() == ["r2@example.org", "r1@example.org"]


def test_nobody_contradicts_themselves():
    table = _table(_reviews([9, 2]), _ranks([1, 2]))
    assert table.height == 0
    assert table.columns[:3] == ["reviewer", "reviewer_name", "email"]


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=7))
def test_the_fewest_papers_are_the_fewest(papers: list[tuple[int, int]]):
    """Against trying every set of papers. Each paper has a rank and a score."""
    pairs = [
        (a, b)
        for a, (rank_a, score_a) in enumerate(papers)
        for b, (rank_b, score_b) in enumerate(papers)
        if rank_a < rank_b and score_a < score_b
    ]
    fewest = next(
        size
        for size in range(len(papers) + 1)
        for chosen in combinations(range(len(papers)), size)
        if all(a in chosen or b in chosen for a, b in pairs)
    )
    assert fewest_papers(pairs) == fewest
