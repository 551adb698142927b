"""Ranks of 0 and below are asked about: they may be places, or mean that a paper is not ranked."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import unround
from unround.issues import Kind

SCORES = {"reviewer": [*"aaabbb"], "paper": [1, 2, 3] * 2, "score": [4, 4, 4, 6, 3, 5]}
ROWS = {"reviewer": [*"aaa"], "paper": [1, 2, 3]}
REVIEWS = pl.DataFrame(SCORES)
MAKES = {
    "polars": pl.DataFrame,
    "pandas": pd.DataFrame,
    "nullable": lambda table: pd.DataFrame(table).convert_dtypes(),
    "pyarrow": pa.table,
}


def ranked(*ranks):
    return pl.DataFrame({**ROWS, "rank": ranks})


@pytest.mark.parametrize("policy", ["refuse", "scores", "rankings"])
@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
@pytest.mark.parametrize(
    ("ranks", "words"),
    [
        ([0, 1, 2], "1 rank of 0 or below, the lowest 0, .* add 1 to every rank"),
        ([1, 0, 0], "2 ranks of 0 or below, the lowest 0, .* add 1 to every rank"),
        ([-1, 0, 2], "2 ranks of 0 or below, the lowest -1, .* add 2 to every rank"),
        ([-0.5, 1.5, 2.5], r"1 rank of 0 or below, the lowest -0\.5, .* add 1\.5 to every rank"),
    ],
)
def test_ranks_of_zero_and_below_stop_a_run_under_every_policy(make, policy, ranks, words):
    with pytest.raises(unround.InputRefused, match=words) as refused:
        unround.dequantize(make(SCORES), make({**ROWS, "rank": ranks}), conflicts=policy)
    (issue,) = refused.value.issues
    assert (issue.kind, issue.table) == (Kind.DOUBTFUL_RANK, "rankings")
    assert issue.rows == tuple(row for row, rank in enumerate(ranks) if rank <= 0)
    assert issue.count == len(issue.rows)


def test_every_table_of_ranks_is_asked_about_once():
    tables = [ranked(0, 1, 2).head(2), ranked(3, 4, 0).tail(1)]
    found = [(one.kind, one.table) for one in unround.check(REVIEWS, tables)]
    assert found == [(Kind.DOUBTFUL_RANK, "rankings[0]"), (Kind.DOUBTFUL_RANK, "rankings[1]")]


def test_both_ways_out_that_the_message_names_are_taken():
    ranks = ranked(2, 1, 0)
    places = ranks.with_columns(pl.col("rank") + 1)
    left_out = ranks.filter(pl.col("rank") > 0)
    solved = [unround.dequantize(REVIEWS, table, lam=1.0) for table in (places, left_out)]
    assert solved[0].scores["dequantized"][2] > solved[0].scores["dequantized"][1]
    assert [one.internals.counts["comparisons"] for one in solved] == [2, 1]


def files(tmp_path, *ranks):
    REVIEWS.write_csv(tmp_path / "reviews.csv")
    ranked(*ranks).rename({"rank": "my rank"}).write_csv(tmp_path / "ranks.csv")
    return {"rankings": tmp_path / "ranks.csv"}, tmp_path / "reviews.csv"


@pytest.mark.parametrize("columns", [{}, {"columns": {"rank": "my rank"}}], ids=["found", "named"])
def test_files_are_asked_about_all_such_ranks_at_once(tmp_path, columns):
    options, reviews = files(tmp_path, -1, 0, 3)
    words = r"ranks\.csv: 2 ranks of -1, 0 may be places, .*missing=\{\"rank\": \"-1,0\"\}"
    with pytest.raises(unround.UnroundError, match=words):
        unround.read(reviews, **options, **columns)
    left = unround.read(reviews, **options, **columns, missing={"rank": "-1,0"})
    assert left.rankings[0]["rank"].to_list() == [3]
    every = unround.read(reviews, **options, **columns, missing={"rank": ""})
    assert every.rankings[0]["rank"].to_list() == [-1, 0, 3]


def test_ranks_from_zero_that_files_settled_are_saved_loaded_and_updated(tmp_path):
    options, reviews = files(tmp_path, 0, 1, 2)
    tables = unround.read(reviews, **options, missing={"rank": ""})
    assert unround.check(tables) == ()
    result = unround.dequantize(tables, lam=1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)  # the page of an unbuilt checkout
        loaded = unround.load(result.save(tmp_path / "run"))
    assert (pl.read_csv(tmp_path / "run" / "rankings.csv")["rank"].to_list()) == [0, 1, 2]
    assert loaded.internals.counts == result.internals.counts
    assert unround.update(loaded, tables).changes.height == 0
    assert unround.stability(loaded, draws=2, accept=1).draws == 2


def test_a_paper_that_is_about_the_same_as_itself_is_said():
    same = pl.DataFrame({"reviewer": ["a", "a"], "paper": [1, 2], "same_as": [2, 2]})
    (issue,) = unround.check(REVIEWS, same=same)
    assert (issue.kind, issue.table, issue.rows) == (Kind.SELF, "same", (1,))
    assert (
        issue.message == "reviewer a says that paper 2 is about the same as itself; remove the row"
    )
    (issue,) = unround.check(REVIEWS, same=same, conflicts="scores")
    assert issue.action == "statement set aside"
