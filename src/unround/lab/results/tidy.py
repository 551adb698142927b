"""Finished trials -> tidy tables: one row a number, with everything needed to find it again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from unround.formats.files.write import write_csv
from unround.lab.trials.runner import Finished
from unround.lab.trials.versions import versions

SCHEMA = {
    "study": pl.String,
    "setting": pl.String,
    "trial": pl.Int64,
    "method": pl.String,
    "metric": pl.String,
    "value": pl.Float64,
    "lam": pl.Float64,
    "seed": pl.Int64,
    "parameters": pl.String,
    "versions": pl.String,
}


def tidy(finished: Iterable[Finished]) -> pl.DataFrame:
    """One row a number, in the order of studies, settings, trials and methods."""
    rows = [
        (
            one.study.name,
            one.setting.label,
            one.number,
            row.method,
            row.metric,
            row.value,
            row.lam,
            one.outcome.seed,
            one.setting.identity,
            versions(),
        )
        for one in finished
        for row in one.outcome.rows
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def write_tables(table: pl.DataFrame, folder: Path) -> None:
    """Each study as STUDY.csv and STUDY.parquet."""
    folder.mkdir(parents=True, exist_ok=True)
    for study in table["study"].unique(maintain_order=True):
        part = table.filter(pl.col("study") == study)
        for suffix, write in ((".csv", write_csv), (".parquet", _write_parquet)):
            draft = folder / f".{study}{suffix}"
            write(part, draft)
            draft.replace(folder / f"{study}{suffix}")


def _write_parquet(table: pl.DataFrame, path: Path) -> None:
    table.write_parquet(path)
