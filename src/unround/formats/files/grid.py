"""Read rows of numbered cells from what a spreadsheet saves: SpreadsheetML, XLSX, CSV, TSV."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from unround.formats.files.delimited import ragged_records
from unround.formats.files.grid_row import GridRow
from unround.formats.files.source import Source, once_per_source
from unround.formats.files.spreadsheetml import is_spreadsheetml, spreadsheetml_rows
from unround.formats.files.xlsx import is_xlsx, xlsx_rows
from unround.formats.model import ImportRefused

# Enough to get past titles and past sheets without a table.
FIRST_ROWS = 40


def is_workbook(source: Source) -> bool:
    """Tell whether a file has sheets."""
    return is_xlsx(source) or is_spreadsheetml(source)


def grid_rows(source: Source, delimiter: str | None = None) -> Iterator[GridRow]:
    """Yield the rows of every sheet that are not empty."""
    if is_xlsx(source):
        return xlsx_rows(source)
    if is_spreadsheetml(source):
        return spreadsheetml_rows(source)
    return _delimited_rows(source, delimiter)


class FirstRows(NamedTuple):
    """The first rows of a workbook, and the error that ended reading them, if one did."""

    rows: list[GridRow]
    error: ImportRefused | None = None


@once_per_source
def first_rows(source: Source) -> FirstRows:
    """Read the first rows of a workbook; of a file that is no workbook, none."""
    rows: list[GridRow] = []
    try:
        if is_workbook(source):
            rows.extend(islice(grid_rows(source), FIRST_ROWS))
    except ImportRefused as error:
        # Without its traceback, which would keep the source alive.
        return FirstRows(rows, error.with_traceback(None))
    return FirstRows(rows)


def _delimited_rows(source: Source, delimiter: str | None) -> Iterator[GridRow]:
    for line, record in ragged_records(source, delimiter):
        yield GridRow("", line, dict(enumerate(record)), len(record))
