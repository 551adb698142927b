"""Dataframes of any kind go in; the same kind comes out, in the caller's order, ids untouched."""

import math

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tests.core.tables import FRAMES
from unround import dequantize, update

REVIEWS = {
    "reviewer": ["bob", "ann", "ann", "bob", "ann"],
    "paper": ["y", "x", "z", "x", "y"],
    "score": [6, 5, 4, 4, 5],
    "area": ["ml", "th", None, "th", "ml"],
}
RANKS = {"reviewer": ["ann", "ann"], "paper": ["x", "y"], "rank": [1, 2]}
TABLES = ["scores", "papers", "selection", "explanation", "bindings", "changes"]
SCORE_COLUMNS = ["reviewer", "paper", "score", "dequantized", "percentile"]


def table_of(reviews, ranks, name):
    """One table of a result, or of the update that follows when the last review is withdrawn."""
    result = dequantize(reviews, ranks)
    if name != "changes":
        return getattr(result, name)
    fewer = nw.from_native(reviews).head(4).to_native()
    return update(result, fewer, nw.from_native(ranks).head(1).to_native()).changes


def columns_of(native):
    """A dataframe of any kind as a dictionary of lists."""
    return nw.from_native(native, eager_only=True).to_dict(as_series=False)


# The kind that goes in


@pytest.mark.parametrize("name", TABLES)
def test_kind_that_goes_in_comes_out_and_every_kind_holds_the_same(name):
    first = None
    for make in FRAMES.values():
        table = table_of(make(REVIEWS), make(RANKS), name)
        assert type(table) is type(make(REVIEWS))
        found = columns_of(table)
        first = first or found
        assert list(found) == list(first)
        for column in first:
            # NaN is what a table says of a review that is gone.
            if isinstance(first[column][0], float):
                np.testing.assert_array_equal(first[column], found[column])
            elif column != "area":
                assert first[column] == found[column]


def test_rankings_may_be_of_another_kind_than_reviews():
    expected = dequantize(pl.DataFrame(REVIEWS), pl.DataFrame(RANKS), lam=1.0)
    mixed = dequantize(pd.DataFrame(REVIEWS), pa.table(RANKS), lam=1.0)
    assert isinstance(mixed.scores, pd.DataFrame)
    assert mixed.internals.values.tolist() == expected.internals.values.tolist()


# Columns and rows


def test_scores_and_explanation_keep_the_callers_rows_and_papers_are_sorted(frame):
    """By hand, λ = ∞: ann's x and y share score 5 and move apart by ε; nothing else moves."""
    result = dequantize(frame(REVIEWS), frame(RANKS), lam=math.inf)
    scores, papers = columns_of(result.scores), columns_of(result.papers)
    explanation = columns_of(result.explanation)
    assert list(scores) == [*SCORE_COLUMNS, "area"]
    assert list(explanation) == [*SCORE_COLUMNS[:4], "consensus", "ranking", "cell"]
    for name in ("reviewer", "paper", "score"):
        assert scores[name] == explanation[name] == REVIEWS[name]
    assert scores["area"][:2] == ["ml", "th"]
    assert scores["dequantized"] == pytest.approx([6.0, 5.025, 4.0, 4.0, 4.975], abs=1e-12)
    assert scores["percentile"] == pytest.approx([90.0, 70.0, 20.0, 20.0, 50.0])
    assert (papers["paper"], papers["reviews"]) == (["x", "y", "z"], [2, 2, 1])
    named = {"min": np.min, "max": np.max, "mean": np.mean, "median": np.median, "spread": np.ptp}
    for column in ("score", "dequantized"):
        own = [np.array(scores[column])[np.array(REVIEWS["paper"]) == paper] for paper in "xyz"]
        for name, statistic in named.items():
            expected = [statistic(values) for values in own]
            assert papers[f"{column}_{name}"] == pytest.approx(expected), name


@pytest.mark.parametrize("name", ["reviews", "better", "worse", "lifts", "rank", "reason", "cell"])
def test_input_column_with_another_tables_name_is_carried(frame, name):
    reviews = frame({**REVIEWS, name: [1, 2, 3, 4, 5]})
    result = dequantize(reviews, frame(RANKS), lam=2.0)
    assert columns_of(result.scores)[name] == [1, 2, 3, 4, 5]
    assert columns_of(result.papers)["reviews"] == [2, 2, 1]
    assert columns_of(result.bindings)["better"] == ["x"]
    assert columns_of(result.explanation).keys() >= {"consensus", "ranking", "cell"}


def test_extra_columns_of_rankings_are_ignored(frame):
    ranks = frame({**RANKS, "comment": ["good", None]})
    expected = dequantize(frame(REVIEWS), frame(RANKS), lam=1.0).internals.values.tolist()
    assert dequantize(frame(REVIEWS), ranks, lam=1.0).internals.values.tolist() == expected


# Input frames stay what they were


def test_input_frames_are_not_modified(frame):
    reviews, ranks = frame(REVIEWS), frame(RANKS)
    result = dequantize(reviews, ranks)
    for name in TABLES[:-1]:
        assert len(getattr(result, name))
    update(result, reviews, ranks)
    after = columns_of(reviews)
    assert list(after) == list(REVIEWS)
    assert all(after[name] == REVIEWS[name] for name in ("reviewer", "paper", "score"))
    assert columns_of(ranks) == RANKS


def test_writing_into_a_result_does_not_reach_the_input():
    reviews = pd.DataFrame(REVIEWS)
    scores = dequantize(reviews, lam=1.0).scores
    scores.loc[0, "score"] = 1
    assert reviews["score"].tolist() == REVIEWS["score"]


# Types of columns

TEXT = ("string", "category", "object", "string[pyarrow]")
INTEGERS = ("int8", "uint16", "Int64", "Int32", "int64[pyarrow]")
# Three ids as columns of pandas and polars can hold them.
IDS = [
    *(pd.Series(["x", "y", "z"], dtype=dtype) for dtype in TEXT),
    *(pd.Series([11, 12, 13], dtype=dtype) for dtype in INTEGERS),
    *(pl.Series(["x", "y", "z"], dtype=dtype) for dtype in (pl.Categorical, pl.Enum("zxy"))),
    pl.Series([2**63 + 1, 2**63 + 2, 1], dtype=pl.UInt64),
]


def type_of(column):
    return column.type if isinstance(column, pa.Array | pa.ChunkedArray) else column.dtype


def with_column(table, name, column):
    """The table as the kind of dataframe that the column belongs to."""
    kinds = {pd.Series: pd.DataFrame, pl.Series: pl.DataFrame}
    return kinds.get(type(column), pa.table)({**table, name: column})


@pytest.mark.parametrize("ids", IDS, ids=type_of)
@pytest.mark.parametrize("name", TABLES)
def test_ids_keep_value_and_dtype(ids, name):
    papers, people = (
        ids[[order.index(one) for one in REVIEWS[column]]]
        for column, order in (("paper", "xyz"), ("reviewer", ["ann", "bob"]))
    )
    if isinstance(ids, pd.Series):
        papers, people = papers.reset_index(drop=True), people.reset_index(drop=True)
    reviews = with_column({**REVIEWS, "reviewer": people}, "paper", papers)
    ranks = {"reviewer": ids[[0, 0]].to_list(), "paper": ids[[0, 1]].to_list(), "rank": [1, 2]}
    if ids[0] == 2**63 + 1:  # too large for polars without a type
        ranks |= {"reviewer": ids[[0, 0]], "paper": ids[[0, 1]]}
    table = table_of(reviews, type(reviews)(ranks), name)
    for column in {"reviewer", "paper", "better", "worse"} & set(table.columns):
        assert table[column].dtype == ids.dtype
        assert set(table[column]) <= set(ids)


@pytest.mark.parametrize(
    "scores",
    [
        *(
            pd.Series(REVIEWS["score"], dtype=dtype)
            for dtype in ("int8", "float32", "float64", "Int64", "Float64", "object")
        ),
        *(
            pl.Series(REVIEWS["score"], dtype=dtype)
            for dtype in (pl.Int8, pl.UInt32, pl.UInt64, pl.Float32)
        ),
        *(pa.array(REVIEWS["score"]).cast(kind) for kind in (pa.int8(), pa.uint64(), pa.float32())),
    ],
    ids=type_of,
)
def test_scores_of_any_number_type(scores):
    result = dequantize(with_column(REVIEWS, "score", scores), pd.DataFrame(RANKS), lam=1.0)
    expected = dequantize(pl.DataFrame(REVIEWS), pl.DataFrame(RANKS), lam=1.0)
    assert result.internals.values.tolist() == expected.internals.values.tolist()
    assert type_of(result.scores["score"]) == type_of(scores)
    assert columns_of(result.scores)["score"] == REVIEWS["score"]


@pytest.mark.parametrize("dtype", ["int8", "float64", "Int64", "object"])
def test_ranks_of_any_number_type(dtype):
    ranks = pd.DataFrame(RANKS).astype({"rank": dtype})
    expected = dequantize(pd.DataFrame(REVIEWS), pd.DataFrame(RANKS), lam=1.0)
    found = dequantize(pd.DataFrame(REVIEWS), ranks, lam=1.0)
    assert found.internals.values.tolist() == expected.internals.values.tolist()


# Pandas

INDEXES = {
    "repeated": [7, 7, 7, 0, 0],
    "mixed": [7, "seven", None, 2.5, ("a", "b")],
    "reversed": [4, 3, 2, 1, 0],
    "dates": pd.date_range("2024-01-01", periods=5),
    "levels": pd.MultiIndex.from_tuples([(1, "a"), (1, "a"), (2, "b"), (0, "c"), (0, "d")]),
}


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES)
def test_strange_index_is_kept_and_joins_nothing(index):
    plain_result = dequantize(pd.DataFrame(REVIEWS), pd.DataFrame(RANKS), lam=1.0)
    reviews = pd.DataFrame(REVIEWS, index=index)
    result = dequantize(reviews, pd.DataFrame(RANKS, index=["q", "q"]), lam=1.0)
    for name in ("scores", "explanation"):
        table = getattr(result, name)
        assert table.index.equals(reviews.index)
        pd.testing.assert_frame_equal(
            table.reset_index(drop=True), getattr(plain_result, name), check_index_type=False
        )
    for name in ("papers", "bindings"):
        pd.testing.assert_frame_equal(
            getattr(result, name).reset_index(drop=True),
            getattr(plain_result, name).reset_index(drop=True),
        )


@pytest.mark.parametrize("column", ["paper", "score"])
def test_pandas_objects_may_be_numpy_integers(column):
    numbers = {**REVIEWS, "paper": [2, 1, 3, 1, 2]}
    boxed = pd.Series([np.int64(value) for value in numbers[column]], dtype=object)
    expected = dequantize(pd.DataFrame(numbers), lam=1.0).internals.values.tolist()
    found = dequantize(pd.DataFrame({**numbers, column: boxed}), lam=1.0)
    assert found.internals.values.tolist() == expected


def test_unused_categories_are_no_papers():
    papers = pd.Categorical(REVIEWS["paper"], categories=["never", "z", "y", "x"])
    result = dequantize(pd.DataFrame({**REVIEWS, "paper": papers}), lam=1.0)
    assert result.papers["paper"].tolist() == ["x", "y", "z"]


# Polars and pyarrow


def test_pyarrow_dictionaries_are_ids():
    papers = pa.array(REVIEWS["paper"]).dictionary_encode()
    result = dequantize(pa.table({**REVIEWS, "paper": papers}), pa.table(RANKS), lam=1.0)
    assert result.scores["paper"].to_pylist() == REVIEWS["paper"]
    assert result.papers["paper"].to_pylist() == ["x", "y", "z"]


def test_pyarrow_chunks_are_one_table():
    table = pa.table(REVIEWS)
    chunked = pa.concat_tables([table.slice(0, 2), table.slice(2)])
    expected = dequantize(table, pa.table(RANKS), lam=1.0)
    assert dequantize(chunked, pa.table(RANKS), lam=1.0).scores.equals(expected.scores)


def test_update_may_change_the_kind_of_frame():
    before = dequantize(pd.DataFrame(REVIEWS), lam=1.0)
    assert isinstance(update(before, pl.DataFrame(REVIEWS)).changes, pl.DataFrame)
