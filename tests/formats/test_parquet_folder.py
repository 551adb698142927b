"""Large tables: Parquet read column by column, tables written some rows at a time."""

import math
import tracemalloc
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from unround.formats.files.source import Source
from unround.formats.files.tables import read_tables
from unround.formats.importer import import_files
from unround.output import tables as writing

ROWS = 200_000


def test_numbers_are_never_python_objects_and_pieces_become_one(tmp_path: Path):
    path = tmp_path / "reviews.parquet"
    rows = np.arange(ROWS)
    pl.DataFrame(
        {
            "reviewer": rows // 4,
            "paper": (rows * 7) % (ROWS // 4),
            "score": rows % 10 + 1,
            "rank": rows % 4 + 1,
        }
    ).write_parquet(path, row_group_size=ROWS // 8)
    import_files([path])  # what is loaded once is not counted
    tracemalloc.start()
    try:
        imported = import_files([path])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert imported.reviews.height == ROWS
    assert peak < 8 * ROWS  # a list of pointers alone would take as much
    tables = [imported.reviews, *imported.rankings]
    assert [table.n_chunks("all") for table in tables] == [[1, 1, 1], [1, 1, 1]]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_columns_that_do_not_matter_are_not_read(tmp_path: Path, kind: str):
    """Comments fill most of an export, and would fill the memory."""
    table = pl.DataFrame({"reviewer": [1], "paper": [2], "score": [3], "comments": ["long"]})
    getattr(table, f"write_{kind}")(tmp_path / "r")
    (found,) = read_tables(Source(tmp_path / "r"), lambda name: name != "comments")
    assert found.data.columns == ["reviewer", "paper", "score"]
    assert found.header == ["reviewer", "paper", "score", "comments"]


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_rows_without_a_number_are_left_out_and_others_know_their_place(
    tmp_path: Path, nothing: float | None
):
    table = pl.DataFrame(
        {"reviewer": [1, 1, 2], "paper": [7, 8, 7], "score": [4.0, nothing, 6.0]},
    ).with_columns(rank=pl.Series([nothing, 1.0, 2.0]))
    table.write_parquet(tmp_path / "r.parquet")
    imported = import_files([tmp_path / "r.parquet"])
    assert imported.reviews["score"].to_list() == [4, 6]
    assert imported.rankings[0]["rank"].to_list() == [2]
    assert imported.place("reviews", 1) == "r.parquet, row 3"
    assert imported.place("rankings[0]", 0) == "r.parquet, row 3"
    assert imported.notes == (
        "r.parquet: 1 review without a score left out",
        "r.parquet: 1 row without a rank: not ranked",
        "ranks of 1 review without a score set aside: paper 8 by 1",
    )


@pytest.mark.parametrize(
    ("given", "read"),
    [
        *((pl.Series([10, 9, 9], dtype=kind), [10, 9, 9]) for kind in (pl.Int16, pl.UInt32)),
        (pl.Series([10, 9, 9]), [10, 9, 9]),
        # As pandas writes what is missing: two such rows are not one person called NaN.
        (pl.Series([1.0, math.nan, math.nan]), ["1.0", None, None]),
        (pl.Series([10**18, 1, 1]), [str(10**18), "1", "1"]),
    ],
    ids=["short", "unsigned", "long", "missing", "too long to be told from text"],
)
def test_ids_of_every_kind(tmp_path: Path, given: pl.Series, read: list[object]):
    table = pl.DataFrame({"reviewer": given, "paper": [1, 1, 2], "score": [3, 4, 5]})
    table.write_parquet(tmp_path / "r.parquet")
    assert import_files([tmp_path / "r.parquet"]).reviews["reviewer"].to_list() == read


def test_tables_in_slices_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    table = pl.DataFrame({"name": ["=1", "ü", 'c "d"', None, "e"], "score": [1.5, 2, None, 4, 5]})
    writing.write_csv(table, tmp_path / "whole.csv")
    monkeypatch.setattr(writing, "ROWS_AT_A_TIME", 2)
    writing.write_csv(table, tmp_path / "slices.csv")
    assert (tmp_path / "slices.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert_frame_equal(writing.read_own_csv(tmp_path / "slices.csv"), table)
    writing.write_csv(pl.DataFrame({"a": [], "b": []}), tmp_path / "none.csv")
    assert (tmp_path / "none.csv").read_text("utf-8") == "a,b\n"


def test_a_folder_of_parquet_files_is_one_table_in_the_order_of_their_numbers(tmp_path: Path):
    for number in (10, 9):
        table = pl.DataFrame({"reviewer": ["ann"], "paper": [number], "score": [3]})
        table.write_parquet(tmp_path / f"part-{number}.parquet")
    imported = import_files([tmp_path])
    assert imported.reviews["paper"].to_list() == [9, 10]
    assert imported.place("reviews", 1) == "part-10.parquet, row 1"


def test_marks_beside_the_parts_are_passed_over_and_other_files_are_tables_of_their_own(
    tmp_path: Path,
):
    part = pl.DataFrame({"reviewer": ["ann", "bob"], "paper": [7, 7], "score": [3, 4]})
    part.write_parquet(tmp_path / "part.0.parquet")
    for mark in ("_SUCCESS", ".part.0.parquet.crc"):
        (tmp_path / mark).touch()
    assert import_files([tmp_path]).reviews.height == 2
    part.select("reviewer", "paper", rank=1).write_csv(tmp_path / "rankings.csv")
    imported = import_files([tmp_path])
    assert (imported.reviews.height, imported.rankings[0].height) == (2, 2)
