"""Keep the newest copy of reviews and ranks that several files hold, as dated exports do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import polars as pl

from unround.formats.cells import counted
from unround.formats.dates import date_in_name
from unround.formats.model import FileContent, Sheet

MODIFIED = "modified"  # a column of reviews: when each was last changed, in milliseconds
_KEY = ["reviewer", "paper"]
_NONE = pl.DataFrame(schema={"row": pl.UInt32, "changed": pl.Boolean})


def newest_copies(parts: Sequence[FileContent], names: Sequence[str]) -> list[FileContent]:
    """Return what each file gave, without reviews and ranks that another has in a newer copy.

    A copy is newer by the date the review was last changed, else by the date in the file's name.
    Copies that neither decides are left for the checks to report.
    """
    dates = [_exported(name) for name in names]
    old_reviews = _older([part.reviews for part in parts], dates, "score")
    old_ranks = _older([part.ranks for part in parts], dates, "rank")
    return [
        replace(
            part,
            reviews=_without(part.reviews, reviews, MODIFIED),
            ranks=_without(part.ranks, ranks),
            notes=(
                *part.notes,
                *_notes(part, "review", reviews, "score"),
                *_notes(part, "rank", ranks, "value"),
            ),
        )
        for part, reviews, ranks in zip(parts, old_reviews, old_ranks, strict=True)
    ]


def _exported(name: str) -> datetime | None:
    """Return the date in a file's name, or else in its folder's."""
    folder, _, file = name.rpartition("/")
    return date_in_name(file) or date_in_name(folder)


def _older(
    sheets: Sequence[Sheet | None], dates: Sequence[datetime | None], value: str
) -> list[pl.DataFrame]:
    """Return, for each file, the rows that another has in a newer copy, and whether they changed."""
    rows = [
        _rows(sheet, date, number, value)
        for number, (sheet, date) in enumerate(zip(sheets, dates, strict=True))
        if sheet is not None
    ]
    if len(rows) < 2:
        return [_NONE] * len(sheets)
    every = pl.concat(rows)
    newest = _newest(every.filter(pl.struct(_KEY).is_duplicated()))
    older = every.join(newest, on=_KEY, how="left", maintain_order="left").with_columns(
        older=(pl.col("file") != pl.col("newest")).fill_null(value=False)
    )
    if value == "rank":  # a ranking is replaced as a whole or not at all
        whole = pl.col("older").all().over("reviewer", "file")
        older = older.with_columns(older=pl.col("older") & whole)
    changed = (pl.col("value") != pl.col("new_value")).alias("changed")
    superseded = older.filter("older").select("file", "row", changed)
    return [superseded.filter(file=number).drop("file") for number in range(len(sheets))]


def _rows(sheet: Sheet, date: datetime | None, file: int, value: str) -> pl.DataFrame:
    table = sheet.table.with_row_index("row")
    modified = pl.col(MODIFIED) if MODIFIED in table.columns else pl.lit(None)
    return table.select(
        "row",
        *(pl.col(name).cast(pl.String) for name in _KEY),
        value=pl.col(value).cast(pl.String),
        modified=modified.cast(pl.Int64),
        exported=pl.lit(date, dtype=pl.Datetime("us")),
        file=pl.lit(file),
    )


def _newest(copies: pl.DataFrame) -> pl.DataFrame:
    """Return the file and value of the newest copy, for those whose copies have known ages."""
    one_per_file = pl.col("file").n_unique().over(_KEY) == pl.len().over(_KEY)
    across_files = copies.filter(one_per_file)
    by_change = _newest_by(across_files, MODIFIED)
    by_name = _newest_by(across_files, "exported")
    return pl.concat([by_change, by_name.join(by_change, on=_KEY, how="anti")])


def _newest_by(copies: pl.DataFrame, age: str) -> pl.DataFrame:
    """Return the newest copies by one of their ages, where every copy has it and one is newest.

    What did not change between two exports has one age in both: then either copy serves.
    """
    complete = pl.col(age).is_not_null().all().over(_KEY)
    latest = pl.col(age) == pl.col(age).max().over(_KEY)
    return (
        copies.filter(complete)
        .filter(latest)
        .group_by(_KEY, maintain_order=True)
        .agg(newest=pl.col("file").last(), new_value=pl.col("value").unique())
        .filter(pl.col("new_value").list.len() == 1)
        .with_columns(pl.col("new_value").list.first())
    )


def _without(sheet: Sheet | None, older: pl.DataFrame, dropped: str = "") -> Sheet | None:
    """Return the sheet without some rows, and without a column that has served its purpose."""
    if sheet is None:
        return None
    table = sheet.table.drop(dropped, strict=False)
    if older.is_empty():
        return Sheet(table, sheet.place)
    kept = table.with_row_index("row").join(older, on="row", how="anti", maintain_order="left")
    rows = kept["row"]
    return Sheet(kept.drop("row"), lambda row: sheet.place(rows[row]))


def _notes(part: FileContent, what: str, older: pl.DataFrame, value: str) -> tuple[str, ...]:
    if older.is_empty():
        return ()
    file = part.recognised.partition(": ")[0]
    return (
        f"{file}: {counted(older.height, what)} left out because another file has a newer copy; "
        f"the {value} of {int(older['changed'].sum())} differs",
    )
