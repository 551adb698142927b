"""`unround.read`: one set of options for files and dataframes, one family of errors."""

from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import unround
from tests.formats.given_files import written

TABLE = "reviewer,paper,merit\nann,1,4\nann,2,0\nbob,1,99\n"


@pytest.fixture(params=["file", "polars", "pandas"])
def reviews(request: pytest.FixtureRequest, tmp_path: Path) -> object:
    path = written(tmp_path, "r.csv", TABLE)
    kinds = {"file": lambda _: path, "polars": pl.read_csv, "pandas": pd.read_csv}
    return kinds[request.param](path)


@pytest.mark.parametrize(
    ("missing", "scores"),
    [(None, [4, 0, 99]), (0, [4, 99]), ([0, "99"], [4]), ("0,99", [4]), ("", [4, 0, 99])],
)
def test_columns_and_missing(reviews, missing, scores):
    told = {} if missing is None else {"missing": {"score": missing}}
    for choice in ({"columns": {"score": "merit"}}, {"fields": "merit"}, {"fields": ["merit"]}):
        assert unround.read(reviews, **choice, **told).reviews["score"].to_list() == scores


def test_duplicates_and_ids_in_two_forms(reviews):
    other = pl.DataFrame({"reviewer": ["Ann"], "paper": [1], "merit": [6]})
    ranks = pd.DataFrame({"reviewer": ["ann", "ann"], "paper": ["#1", "#2"], "rank": [1, 2]})
    with pytest.raises(unround.InputRefused, match="--match-ids always"):
        unround.read(reviews, other)
    tables = unround.read([reviews, other], rankings=ranks, match_ids="always", duplicates="mean")
    assert tables.reviews.rows() == [("ann", 1, 5), ("ann", 2, 0), ("bob", 1, 99)]
    assert tables.rankings[0]["paper"].to_list() == [1, 2]
    assert [path.name for path in tables.files] == [name for name, _ in tables.hashes]
    assert all(path.name == "r.csv" for path in tables.files)


def test_a_dataframe_with_a_value_missing_is_named(reviews):
    frame = pl.DataFrame({"reviewer": ["ann", None], "paper": [1, 2], "score": [3.5, float("nan")]})
    tables = unround.read(frame)
    assert tables.notes == ("reviews: 1 review without a score left out",)
    assert tables.place("reviews", 0) == "reviews, row 1"
    with pytest.raises(unround.UsageError, match="column names of several levels"):
        unround.read(pd.DataFrame({("a", "b"): [1]}))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"columns": "score=merit"}, r'columns=\{"score": \.\.\}, and is no'),
        ({"columns": {"score": 3}}, "a column must be text, not 3"),
        ({"missing": ["NA"]}, r'missing=\{"score": \.\.\}, and is no'),
        ({"missing": {"score": None}}, "missing takes numbers or text"),
        ({"fields": 3}, "a field must be text"),
        ({"match_ids": True}, "match_ids must be text"),
        ({"encoding": 3}, "encoding must be text"),
        ({"keep_withdrawn": "yes"}, "keep_withdrawn must be True or False"),
    ],
)
def test_options_that_make_no_sense(reviews, options, words):
    with pytest.raises(unround.UsageError, match=words):
        unround.read(reviews, **options)


def test_what_read_refuses_is_refused_input(tmp_path: Path):
    bad = written(tmp_path, "r.csv", "a,b\n1,2\n")
    broken = [tmp_path / "no.csv", bad, written(tmp_path, "r.json", '{"reviews": [')]
    for path in broken:
        with pytest.raises(unround.InputRefused) as refused:
            unround.read(path)
        assert refused.value.issues == ()
        assert isinstance(refused.value, unround.ImportRefused)
