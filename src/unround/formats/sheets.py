"""Put sheets of several files together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

import polars as pl

from unround.formats.model import Sheet


def stacked(sheets: Sequence[Sheet | None]) -> Sheet | None:
    """Return the rows of all sheets as one, each with its place; None if there is no sheet."""
    present = [sheet for sheet in sheets if sheet is not None]
    if len(present) <= 1:
        return present[0] if present else None
    tables = [sheet.table for sheet in present]
    ends = list(accumulate(table.height for table in tables))
    if any(table.schema != tables[0].schema for table in tables):
        tables = [table.cast(pl.String) for table in tables]

    def place(row: int) -> str:
        which = bisect_right(ends, row)
        return present[which].place(row - (ends[which - 1] if which else 0))

    return Sheet(pl.concat(tables, how="diagonal"), place)


def kept_rows(sheet: Sheet, kept: pl.Series) -> Sheet:
    """Return the rows that a mask keeps."""
    if kept.all():
        return sheet
    rows = kept.arg_true()
    return Sheet(sheet.table.filter(kept), lambda row: sheet.place(rows[row]))
