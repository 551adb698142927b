"""Cells that a spreadsheet would run are written with an apostrophe, and read back as they were."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from unround.output.tables import read_own_csv, write_csv

RUN = ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", "\nx", ";=1", ",=1", " =1", ";;+1", "|=1"]
RUN += ["'=1", "\ufeff=1"]


@pytest.mark.parametrize("cell", RUN)
def test_what_a_spreadsheet_would_run_is_shielded(tmp_path: Path, cell: str):
    table = pl.DataFrame({"title": [cell, "plain"]})
    write_csv(table, tmp_path / "a.csv")
    raw = pl.read_csv(tmp_path / "a.csv", infer_schema=False)["title"].to_list()
    assert raw == [f"'{cell}", "plain"]
    assert read_own_csv(tmp_path / "a.csv", ["title"]).equals(table)


@pytest.mark.parametrize("cell", ["a=b", "x; =1", "3,4", "", "Ann; Bo"])
def test_other_text_stays(tmp_path: Path, cell: str):
    write_csv(pl.DataFrame({"title": [cell, "z"]}), tmp_path / "a.csv")
    assert pl.read_csv(tmp_path / "a.csv", infer_schema=False)["title"][0] in (cell, None)
