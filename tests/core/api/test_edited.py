"""What was handed out may be changed: the result, and what is written of it, stay as they were."""

from __future__ import annotations

import warnings

import narwhals as nw
import pandas as pd
import polars as pl
import pytest

import unround

pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword")

KINDS = {
    "polars": lambda table: table,
    "pandas": pl.DataFrame.to_pandas,
    "pyarrow": pl.DataFrame.to_arrow,
}
TABLES = ("scores", "papers", "explanation", "bindings", "selection")
ESTIMATES = {
    "posterior": ("papers",),
    "calibration": ("papers", "reviewers"),
    "stability": ("papers",),
}


def rounded(table):
    number = table.columns[-1]
    if isinstance(table, pd.DataFrame):
        table.loc[0, number] = table.loc[1, number]
    else:
        table[0, number] = table[1, number]


def turned_round(table):
    if isinstance(table, pd.DataFrame):
        table.sort_values(table.columns[0], ascending=False, inplace=True)
        table[:] = table.to_numpy()[::-1]
    else:
        for place, column in enumerate(table.reverse()):
            table.replace_column(place, column)


def without_columns(table):
    for name in list(table.columns)[1:]:
        if isinstance(table, pd.DataFrame):
            table.drop(columns=name, inplace=True)
        else:
            table.drop_in_place(name)


def without_rows(table):
    if isinstance(table, pd.DataFrame):
        table.drop(table.index[:2], inplace=True)
    else:
        table.drop_in_place(table.columns[-1])
        table.insert_column(0, pl.Series("more", range(table.height)))


EDITS = [rounded, turned_round, without_columns, without_rows]


@pytest.fixture(scope="module")
def conference():
    return unround.simulate.thurstone(papers=16, seed=4)


def solved(conference, kind):
    make = KINDS[kind]
    return unround.dequantize(make(conference.reviews), make(conference.rankings), lam="auto")


def estimates_of(result):
    return {
        "posterior": unround.posterior(result),
        "calibration": unround.calibrate(result),
        "stability": unround.stability(result, draws=2),
    }


def written(result, folder, **estimates):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the page of an unbuilt checkout
        result.save(folder, **estimates)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("kind", ["polars", "pandas"])
def test_a_result_whose_tables_were_changed_is_saved_as_it_was(conference, tmp_path, kind, edit):
    result, other = solved(conference, kind), solved(conference, kind)
    found, its = estimates_of(result), estimates_of(other)
    for name in TABLES:
        edit(getattr(result, name))
    for name, tables in ESTIMATES.items():
        for table in tables:
            edit(getattr(found[name], table))
    assert written(result, tmp_path / "a", **found) == written(other, tmp_path / "b", **its)
    assert nw.from_native(result.scores).columns == nw.from_native(other.scores).columns
    assert repr(result) == repr(other)
    assert result._repr_html_() == other._repr_html_()


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("kind", ["polars", "pandas"])
def test_tables_that_the_caller_changes_later_do_not_reach_the_result(
    conference, tmp_path, kind, edit
):
    make = KINDS[kind]
    tables = [make(conference.reviews.clone()), make(conference.rankings.clone())]
    result, other = unround.dequantize(*tables, lam="auto"), solved(conference, kind)
    for table in tables:
        edit(table)
    assert written(result, tmp_path / "a") == written(other, tmp_path / "b")
    assert unround.stability(result, draws=2).papers.equals(
        unround.stability(other, draws=2).papers
    )


def test_pyarrow_tables_do_not_change_and_are_saved(conference, tmp_path):
    found, other = (solved(conference, kind) for kind in ("pyarrow", "polars"))
    assert written(found, tmp_path / "a") == written(other, tmp_path / "b")


@pytest.mark.parametrize("edit", EDITS)
def test_a_loaded_run_whose_tables_were_changed_is_as_it_was(conference, tmp_path, edit):
    result = solved(conference, "polars")
    written(result, tmp_path / "run", **estimates_of(result))
    loaded, other = (unround.load(tmp_path / "run") for _ in range(2))
    shown = (*TABLES, "uncertainty", "places", "calibration", "reviewers", "stability")
    for name in shown:
        edit(getattr(loaded, name))
    for name in shown:
        assert getattr(loaded, name).equals(getattr(other, name)), name
    assert unround.calibrate(loaded).papers.equals(unround.calibrate(other).papers)
    again = unround.update(loaded, conference.reviews, conference.rankings)
    assert again.changes.height == 0
