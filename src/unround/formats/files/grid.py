"""Read rows of numbered cells from what a spreadsheet saves: SpreadsheetML, XLSX, ODS, CSV."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from typing import NamedTuple

from unround.formats.files.delimited import ragged_records
from unround.formats.files.grid_row import GridRow
from unround.formats.files.ods import is_ods, ods_rows
from unround.formats.files.source import FIRST_ROWS, Source, once_per_source
from unround.formats.files.spreadsheetml import is_spreadsheetml, spreadsheetml_rows
from unround.formats.files.xlsx import is_xlsx, xlsx_rows
from unround.formats.model import ImportRefused


def is_workbook(source: Source) -> bool:
    """Tell whether a file has sheets."""
    return is_xlsx(source) or is_spreadsheetml(source)  # an OpenDocument package passes for XLSX


def grid_rows(source: Source, delimiter: str | None = None) -> Iterator[GridRow]:
    """Yield the rows of every sheet that are not empty."""
    if is_ods(source):
        return ods_rows(source)
    if is_xlsx(source):
        return xlsx_rows(source)
    if is_spreadsheetml(source):
        return spreadsheetml_rows(source)
    return _delimited_rows(source, delimiter)


def sheet_heads(source: Source) -> Iterator[tuple[str, list[GridRow]]]:
    """Yield the first rows of every sheet that is not empty."""
    in_parts = is_xlsx(source) and not is_ods(source)  # the sheets need not be read to their ends
    rows = xlsx_rows(source, FIRST_ROWS) if in_parts else grid_rows(source)
    for sheet, of_sheet in groupby(rows, key=lambda row: row.sheet):
        yield sheet, list(islice(of_sheet, FIRST_ROWS))


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
