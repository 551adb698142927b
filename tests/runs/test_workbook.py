"""The wide tables of a run, against counting by hand."""

from __future__ import annotations

import polars as pl
import pytest

from unround.runs.exports import line_table, wide_papers, wide_reviews
from unround.runs.folder import Run
from unround.runs.tables import PAPERS, SCORES
from unround.settings import Accept


def _run(**others: pl.DataFrame) -> Run:
    reviews = [("b", 1, 5, 4.9), ("a", 1, 4, 4.1), ("a", 2, 4, 3.9), ("b", 3, 4, 4.2)]
    scores = pl.DataFrame(
        reviews, schema=["reviewer", "paper", "score", "dequantized"], orient="row"
    )
    papers = scores.group_by("paper", maintain_order=True).agg(
        score_mean=pl.col("score").mean(), dequantized_mean=pl.col("dequantized").mean()
    )
    unscored = pl.DataFrame({"paper": [4]})
    papers = pl.concat([papers, unscored], how="diagonal").with_columns(title=pl.lit("=1+1"))
    names = {f"{name}.csv": table for name, table in others.items()}
    return Run({SCORES: scores, PAPERS: papers, **names}, {})


def test_papers_have_places_before_and_now():
    table = wide_papers(_run())
    places = table.select("paper", "place", "place_last", "given_place", "given_place_last")
    assert places.rows() == [
        (1, 1, 1, 1, 1),
        (3, 2, 2, 2, 3),
        (2, 3, 3, 2, 3),
        (4, None, None, None, None),  # no scores, no place
    ]
    assert table["change"].to_list() == [0.0, 0.5, -0.5, None]
    assert table["scores"].to_list() == ["4 5", "4", "4", None]


def test_means_equal_to_four_decimals_share_their_places():
    values = [1.00004, 1.0, 2.0, 1.00006, 0.5]
    papers = pl.DataFrame({"paper": range(5), "score_mean": [1.0] * 5, "dequantized_mean": values})
    scores = pl.DataFrame({"reviewer": ["a"], "paper": [0], "score": [1], "dequantized": [1.0]})
    made = wide_papers(Run({SCORES: scores, PAPERS: papers}, {})).sort("paper")
    expected = [(3, 4), (3, 4), (1, 1), (2, 2), (5, 5)]
    assert made.select("place", "place_last").rows() == expected
    assert set(made.select("given_place", "given_place_last").rows()) == {(1, 5)}


def test_reviews_have_the_ranks_that_their_reviewers_gave():
    rankings = pl.DataFrame({"reviewer": ["a", "a", "b"], "paper": [2, 1, 1], "rank": [1, 1, 3]})
    reviews = wide_reviews(_run(rankings=rankings))
    assert reviews["rank"].to_list() == [3, 1, 1, None]


def test_probabilities_are_there_where_the_run_has_them():
    sure = pl.DataFrame({"paper": [1, 2, 3], "mean": [5.0, 4.0, 4.1], "p_accept": [0.9, 0.1, 0.4]})
    assert "p_accept" not in wide_papers(_run()).columns
    table = wide_papers(_run(uncertainty=sure))
    assert table["p_accept"].to_list() == [0.9, 0.4, 0.1, None]
    assert "model_mean" in table.columns


def test_sides_of_a_line_follow_places_and_chances():
    means = [5.0, 4.0, 4.00001, 3.0, None, 9.0]
    papers = pl.DataFrame(
        {"paper": range(6), "track": ["A"] * 5 + ["B"], "dequantized_mean": means}
    )
    scores = pl.DataFrame({"reviewer": ["a"], "paper": [0]})

    def found(accept: str, per_track: bool, **others: pl.DataFrame) -> pl.DataFrame:
        run = Run({SCORES: scores, PAPERS: papers, **others}, {})
        return line_table(run, Accept.read(accept), per_track=per_track)

    all_papers = found("3", False)
    assert all_papers["side"].to_list() == ["above", "near", "near", "below", "below", "above"]
    assert all_papers["p_accept"].null_count() == 6
    by_track = found("1", True)["side"].to_list()
    assert by_track == ["above", "below", "below", "below", "below", "above"]
    assert found("50%", True)["side"].to_list()[1:3] == ["above", "above"]  # 2.5 counts as 3
    points = pl.DataFrame(
        {"paper": [0, 0, 3, 3], "within": "all", "place": [0, 4, 2, 6], "share": [0.0, 1.0] * 2}
    )
    sure = found("3", False, **{"places.csv": points})
    assert sure["p_accept"].to_list() == [0.75, None, None, 0.25, None, None]
    assert sure["side"].to_list() == ["near", "near", "near", "near", "below", "above"]


def test_chances_are_those_of_the_pages():
    # As in the test of the same numbers in web/tests/domain/uncertainty.test.ts.
    papers = pl.DataFrame({"paper": [0, 1], "dequantized_mean": [5.0, 4.0]})
    points = pl.DataFrame(
        {
            **{"paper": [0, 0, 0, 1, 1, 1], "within": "all", "place": [0, 1, 2] * 2},
            "share": [0.0, 0.59951, 1.0, 0.0, 0.39049, 1.0],
        }
    )
    run = Run({PAPERS: papers, "places.csv": points}, {})
    chances = line_table(run, Accept.read("1"), per_track=False)["p_accept"]
    assert chances.to_list() == pytest.approx([0.605022, 0.394978], abs=1e-6)
    assert chances.sum() == pytest.approx(1.0)


def test_adding_up_makes_no_paper_too_close_to_call():
    papers = pl.DataFrame({"paper": [0, 1], "dequantized_mean": [5.0, 4.0]})
    points = pl.DataFrame(
        {
            **{"paper": [0, 0, 0, 1, 1, 1], "within": "all", "place": [0, 1, 2] * 2},
            "share": [0.0, 0.895, 1.0, 0.0, 0.099, 1.0],
        }
    )
    run = Run({PAPERS: papers, "places.csv": points}, {})
    table = line_table(run, Accept.read("1"), per_track=False)
    assert table["p_accept"][1] == 0.099
    assert table["side"].to_list() == ["near", "below"]
