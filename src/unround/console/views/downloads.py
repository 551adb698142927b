"""The whole tables of a run for a spreadsheet, with the chairs' decisions, tags and notes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from unround.console.access.permissions import RunAccess
from unround.console.context import Console
from unround.console.errors import Refusal
from unround.console.schemas.papers import Marks
from unround.output.tables import shielded, write_xlsx

MOST_ROWS = 1_000_000  # a worksheet has a few more


def with_marks(papers: pl.DataFrame, marks: Marks) -> pl.DataFrame:
    """Add the chairs' decisions, tags and notes; decisions of the import get a name of their own."""
    kind = papers.schema["paper"]
    table = pl.DataFrame(
        {
            "_id": [one.paper for one in marks.papers],
            "decision": [one.decision for one in marks.papers],
            "tags": [" ".join(one.tags) for one in marks.papers],
            "note": [one.note for one in marks.papers],
        },
        schema={"_id": pl.String, "decision": pl.String, "tags": pl.String, "note": pl.String},
    )
    imported = papers.rename({"decision": "imported_decision"}, strict=False)
    return (
        imported.with_columns(pl.col("paper").cast(pl.String).alias("_id"))
        .join(table, on="_id", how="left", maintain_order="left")
        .drop("_id")
        .with_columns(pl.col("paper").cast(kind))
    )


def as_csv(table: pl.DataFrame) -> bytes:
    """Return the bytes of a CSV file that Excel takes for UTF-8."""
    return codecs.BOM_UTF8 + shielded(table).write_csv().encode()


def as_xlsx(tables: Mapping[str, pl.DataFrame], console: Console) -> bytes:
    """Return the bytes of a workbook with one sheet per table."""
    most = max(table.height for table in tables.values())
    if most > MOST_ROWS:
        raise Refusal(422, f"A worksheet cannot hold {most:,} rows: choose CSV.")
    with TemporaryDirectory(dir=console.settings.work) as folder:
        path = Path(folder) / "table.xlsx"
        write_xlsx(tables, path)
        return path.read_bytes()


def file_name(access: RunAccess, table: str) -> str:
    """Return a file's name with conference, run and date: "Demo-2026_First-run_2026-03-01_papers.csv"."""
    run = access.run
    day = f"{run.finished:%Y-%m-%d}" if run.finished else ""
    words = (re.sub(r"[\W_]+", "-", part).strip("-") for part in (access.conference.name, run.name))
    return "_".join(filter(None, (*words, day, table)))
