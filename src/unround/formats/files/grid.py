"""Rows of numbered cells, from whatever a spreadsheet can save: SpreadsheetML, XLSX, CSV, TSV."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from unround.formats.files.grid_row import GridRow
from unround.formats.files.source import Source, ragged_records
from unround.formats.files.spreadsheetml import is_spreadsheetml, spreadsheetml_rows
from unround.formats.files.xlsx import is_xlsx, xlsx_rows
from unround.formats.model import ImportRefused

# Enough to get past titles and past sheets without a table.
FIRST_ROWS = 40


def is_workbook(source: Source) -> bool:
    """Whether a file has sheets."""
    return is_xlsx(source) or is_spreadsheetml(source)


def grid_rows(source: Source, delimiter: str | None = None) -> Iterator[GridRow]:
    """Every row of every sheet that is not empty, read as it is asked for."""
    if is_xlsx(source):
        return xlsx_rows(source)
    if is_spreadsheetml(source):
        return spreadsheetml_rows(source)
    return _delimited_rows(source, delimiter)


def first_rows(source: Source) -> list[GridRow]:
    """The first rows of a workbook, as far as it can be read; none if it is no workbook."""
    if "first rows" not in source.kept:
        found: list[GridRow] = []
        source.kept["first rows"] = found
        try:
            if is_workbook(source):
                found.extend(islice(grid_rows(source), FIRST_ROWS))
        except ImportRefused as error:
            source.kept["problem"] = error  # said if no reader wants what was read before it
    known: list[GridRow] = source.kept["first rows"]
    return known


def _delimited_rows(source: Source, delimiter: str | None) -> Iterator[GridRow]:
    for line, record in ragged_records(source, delimiter):
        yield GridRow("", line, dict(enumerate(record)), len(record))
