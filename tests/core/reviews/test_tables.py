"""Tables as people have them: ids turned into floats, indexes, lists of dicts, one bad cell."""

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tests.core.tables import refused
from unround import Kind, UsageError, check, dequantize

REVIEWS = {"reviewer": ["ann", "ann", "bob"], "paper": [1, 2, 1], "score": [5, 5, 5]}
RANKS = {"reviewer": ["ann", "ann"], "paper": [1, 2], "rank": [1, 2]}


# Ids that a merge turned into floats


@pytest.mark.parametrize(("reviewed", "ranked"), [(float, int), (int, float), (float, float)])
def test_float_ids_are_the_integers(frame, reviewed, ranked):
    reviews = frame({**REVIEWS, "paper": [reviewed(paper) for paper in REVIEWS["paper"]]})
    ranks = frame({**RANKS, "paper": [ranked(paper) for paper in RANKS["paper"]]})
    plain = dequantize(frame(REVIEWS), frame(RANKS), lam=1.0)
    assert list(dequantize(reviews, ranks, lam=1.0).internals.values) == list(
        plain.internals.values
    )


def test_float_and_integer_ids_in_one_column():
    mixed = pd.Series([1.0, 2, 1], dtype=object)
    result = dequantize(pd.DataFrame({**REVIEWS, "paper": mixed}), pd.DataFrame(RANKS), lam=1.0)
    assert len(result.papers) == 2


@pytest.mark.parametrize("ids", [[1.5, 2.0, 1.5], [2.0**60, 1.0, 2.0**60]], ids=["half", "huge"])
def test_floats_that_are_no_ids(frame, ids):
    refused("'paper' holds decimal numbers", frame({**REVIEWS, "paper": ids}))


# Tables of another shape are refused with the line that mends them


def test_column_names_of_several_levels():
    reviews = pd.DataFrame(REVIEWS)
    reviews.columns = pd.MultiIndex.from_tuples([(name, "") for name in reviews.columns])
    with pytest.raises(UsageError, match=r"several levels, such as \('reviewer', ''\)") as caught:
        dequantize(reviews, lam=1.0)
    exec(str(caught.value).split("first: ")[1], {}, {"reviews": reviews})
    assert dequantize(reviews, lam=1.0).scale.levels == (5,)


def test_column_names_that_are_numbers():
    with pytest.raises(UsageError, match="column name 0, which is not text"):
        dequantize(pd.DataFrame([["ann", 1, 5]]), lam=1.0)


def test_ids_in_the_index():
    reviews = pd.DataFrame(REVIEWS).set_index(["reviewer", "paper"])
    refused(r"no column 'paper'; .*it is in the index: pass reviews\.reset_index\(\)", reviews)
    assert dequantize(reviews.reset_index(), lam=1.0).issues == ()


class DuckDBPyRelation:
    """A table by the name that DuckDB gives it."""


class Relation:
    """A table that can be turned into one of pandas."""

    def to_pandas(self):
        raise NotImplementedError


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        (
            {"reviews": pl.DataFrame(REVIEWS).to_dicts()},
            r"not list of dicts; pass polars\.DataFrame\(reviews\)",
        ),
        (
            {"rankings": pl.DataFrame(RANKS).to_dicts()},
            r"rankings must be .*pass polars\.DataFrame\(rankings\)",
        ),
        ({"reviews": DuckDBPyRelation()}, r"pass reviews\.pl\(\) or reviews\.df\(\)"),
        ({"reviews": Relation()}, r"not Relation; pass reviews\.to_pandas\(\)"),
        ({"reviews": "reviews.csv"}, "not str; read the file first"),
        ({"reviews": pl.LazyFrame(REVIEWS)}, r"not LazyFrame; call \.collect\(\) first"),
        ({"reviews": pd.Series([1, 2])}, "not Series"),
        *(
            ({"reviews": thing}, f"reviews must be a dataframe .*, not {type(thing).__name__}")
            for thing in (None, REVIEWS, np.zeros((3, 3)), [1, 2])
        ),
        ({"rankings": "rankings.csv"}, "rankings must be a dataframe .*, not str"),
        ({"same": {}}, "same must be a dataframe .*, not dict"),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_other_objects(tables, words):
    with pytest.raises(UsageError, match=words):
        dequantize(**{"reviews": pl.DataFrame(REVIEWS), **tables}, lam=1.0)


@pytest.mark.parametrize("name", ["dequantized", "percentile"])
def test_columns_of_the_result_are_not_overwritten(frame, name):
    table = frame({**REVIEWS, name: [1.0, 2.0, 3.0]})
    refused(f"already has a column '{name}'.*rename or drop", table)


# One bad cell


def issues_of(values, column="score", scale=None):
    """The issues of reviews or ranks, each of its own reviewer and paper, with these values."""
    table = pd.DataFrame({"reviewer": range(len(values)), "paper": range(len(values))})
    reviews = table.assign(score=values if column == "score" else 5)
    return check(reviews, table.assign(rank=values) if column == "rank" else None, scale=scale)


CORRECT = "column 'score' holds 'TBD', which is not a number; correct the cell or remove the row"
TYPED = pd.Series([1, 2, "TBD", 4], dtype=object)
DATED = pd.Series([3, 4, date(2026, 1, 3)], dtype=object)
HEADER = "column 'score' holds 'score', which repeats the header; remove the row"


@pytest.mark.parametrize(
    ("found", "rows", "words"),
    [
        ([["1", "2", "TBD", "4", "5"]], [2], CORRECT),
        ([["1", "2", "TBD", "4", "5"], "score", "1..5"], [2], CORRECT),
        ([TYPED], [2], "holds 'TBD', which is not a number"),
        ([DATED], [2], "holds 2026-01-03, which is not a number"),
        ([["1", "2", "score", "4"]], [2], HEADER),
        ([["A", "B", "pending", "C"]], [2], "holds 'pending', where others hold a letter"),
        ([["good", "bad", "good"]], [], "worst to best, with scale (found: bad, good)"),
        (
            [["1", "n/a", "2", "n/a", "3", "4", "5"], "rank"],
            [1, 3],
            "column 'rank' holds 'n/a' in 2 rows, which is not a number",
        ),
    ],
)
def test_the_bad_cell_is_named_and_not_the_first(found, rows, words):
    (issue,) = issues_of(*found)
    assert (issue.kind, issue.rows) == (Kind.TYPE, tuple(rows))
    assert words in issue.message


def test_very_many_bad_cells_are_counted():
    values = [str(number) for number in range(60)] + [f"x{number}" for number in range(50)]
    issues = issues_of(values)
    assert len(issues) == 21
    assert issues[-1].message == "column 'score' holds 30 more such values in 30 rows"
