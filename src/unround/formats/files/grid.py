"""Read rows of numbered cells from what a spreadsheet saves: SpreadsheetML, XLSX, ODS, CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby, islice
from typing import NamedTuple

from unround.formats.files.archives import open_package
from unround.formats.files.delimited import ragged_records
from unround.formats.files.grid_row import GridRow, RowBuilder, number_text
from unround.formats.files.safe_xml import xml_events
from unround.formats.files.source import FIRST_ROWS, Source, once_per_source
from unround.formats.files.xlsx import xlsx_rows
from unround.formats.model import ImportRefused

CONTENT = "content.xml"
_MIMETYPE = b"application/vnd.oasis.opendocument.spreadsheet"
# Empty rows are repeated to the end of a sheet; rows with cells are repeated a few times at most.
MOST_EQUAL_ROWS = 1_000
_NUMBERS = ("float", "percentage", "currency")
NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"


def is_workbook(source: Source) -> bool:
    """Tell whether a file has sheets."""
    return source.is_zip or is_spreadsheetml(source)


def grid_rows(source: Source, delimiter: str | None = None) -> Iterator[GridRow]:
    """Yield the rows of every sheet that are not empty."""
    if is_ods(source):
        return ods_rows(source)
    if source.is_zip:
        return xlsx_rows(source)
    if is_spreadsheetml(source):
        return spreadsheetml_rows(source)
    return _delimited_rows(source, delimiter)


def sheet_heads(source: Source) -> Iterator[tuple[str, list[GridRow]]]:
    """Yield the first rows of every sheet that is not empty."""
    in_parts = source.is_zip and not is_ods(source)  # the sheets need not be read to their ends
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


def is_ods(source: Source) -> bool:
    """Tell whether a file is an OpenDocument spreadsheet."""
    return source.is_zip and _MIMETYPE in source.head[:200]


def ods_rows(source: Source) -> Iterator[GridRow]:
    """Yield the rows of all sheets as they are read."""
    with open_package(source, "OpenDocument") as package:
        if CONTENT not in package.namelist():
            raise ImportRefused(
                f"{source.name} is not a readable OpenDocument file: {CONTENT} is missing"
            )
        content = _OpenDocument(source.name)
        with package.open(CONTENT) as file:
            for _ in xml_events(source.name, file, content):
                yield from content.builder.taken()


class _OpenDocument:
    """Follows content.xml down to the text of its cells. Equal neighbours are written once, with a count."""

    def __init__(self, file: str) -> None:
        self.builder = RowBuilder(file)
        self._file = file
        self._column = self._notes = 0
        self._repeated = self._rows = "1"
        self._value: str | None = None
        self._text: list[str] = []
        self._in_text = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in ("table-cell", "covered-table-cell"):
            self._repeated = attributes.get("number-columns-repeated", "1")
            is_number = attributes.get("value-type") in _NUMBERS
            self._value = attributes.get("value") if is_number else None
            self._text = []
        elif name == "p":
            self._text += ["\n"] if self._text and not self._notes else []
            self._in_text = not self._notes
        elif name == "table-row":
            self.builder.open_row(None)
            self._rows, self._column = attributes.get("number-rows-repeated", "1"), 0
        elif name == "table":
            self.builder.open_sheet(attributes.get("name", ""))
        elif name == "annotation":
            self._notes += 1

    def text(self, text: str) -> None:
        if self._in_text:
            self.builder.hold(len(text))
            self._text.append(text)

    def end(self, name: str) -> None:
        if name in ("table-cell", "covered-table-cell"):
            self._close_cell()
        elif name == "p":
            self._in_text = False
        elif name == "table-row":
            self._close_row()
        elif name == "annotation":
            self._notes -= 1

    def _close_cell(self) -> None:
        count = self.builder.count(self._repeated)
        text = "".join(self._text) if self._value is None else number_text(self._value)
        if text.strip():
            self.builder.hold(len(text) * (count - 1))
            for column in range(self._column, self._column + count):
                self.builder.put(column, text)
        self._column += count

    def _close_row(self) -> None:
        count = self.builder.count(self._rows)
        if not self.builder.close_row(count if count <= MOST_EQUAL_ROWS else 1):
            self.builder.skip_rows(str(count - 1))
        elif count > MOST_EQUAL_ROWS:
            raise ImportRefused(f"{self._file} repeats a row with cells {count} times: refused")


def is_spreadsheetml(source: Source) -> bool:
    """Tell whether a file is SpreadsheetML 2003, the XML that systems name .xls."""
    return source.looks_like_xml and NAMESPACE in source.head_text


def spreadsheetml_rows(source: Source) -> Iterator[GridRow]:
    """Yield the rows of all worksheets as they are read."""
    workbook = _SpreadsheetML(source.name)
    with source.bytes_in() as file:
        for _ in xml_events(source.name, file, workbook):
            yield from workbook.builder.taken()


class _SpreadsheetML:
    """Follows a document down to the text of its cells. Rows and cells may state their index."""

    def __init__(self, file: str) -> None:
        self.builder = RowBuilder(file)
        self._column = self._next_column = 0
        self._is_number = self._in_data = self._in_comment = False
        self._span: str | None = None
        self._text: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Cell":
            self._open_cell(attributes)
        elif name == "Data" and not self._in_comment:
            self._in_data, self._text = True, []
            self._is_number = attributes.get("Type") == "Number"
        elif name == "Row":
            self.builder.open_row(attributes.get("Index"))
            self._next_column, self._span = 0, attributes.get("Span")
        elif name == "Worksheet":
            self.builder.open_sheet(attributes.get("Name", ""))
        elif name == "Comment":
            self._in_comment = True

    def text(self, text: str) -> None:
        if self._in_data:
            self.builder.hold(len(text))
            self._text.append(text)

    def end(self, name: str) -> None:
        if name == "Data" and self._in_data:
            text = "".join(self._text)
            self.builder.put(self._column, number_text(text) if self._is_number else text)
            self._in_data = False
        elif name == "Row":
            self.builder.close_row()
            if self._span is not None:
                self.builder.skip_rows(self._span)
        elif name == "Comment":
            self._in_comment = False

    def _open_cell(self, attributes: Mapping[str, str]) -> None:
        index, merged = attributes.get("Index"), attributes.get("MergeAcross")
        self._column = self._next_column if index is None else self.builder.column(index)
        # A merged cell stands in its first column and takes up the others.
        self._next_column = self._column + 1
        if merged is not None:
            self._next_column += self.builder.column(merged) + 1
