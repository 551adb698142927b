"""Finished trials -> tidy tables: one row per number, with all that reproduces it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from unround.formats.files.atomic import whole_file
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
    """Return one row per number, in the order of studies, settings, trials and methods."""
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
    """Write each study as STUDY.csv and STUDY.parquet."""
    for study in table["study"].unique(maintain_order=True):
        part = table.filter(pl.col("study") == study)
        with whole_file(folder / f"{study}.csv") as draft:
            write_csv(part, draft)
        with whole_file(folder / f"{study}.parquet") as draft:
            part.write_parquet(draft)
