"""Read rows of cells from XML that is not trusted: OpenDocument, SpreadsheetML, and parts of XLSX.

A document type is refused: without one there are no entities to expand and no files or addresses to
fetch, so the usual attacks on XML parsers do not apply.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import IO, NamedTuple
from xml.parsers import expat

from unround.formats.files.archives import open_package
from unround.formats.files.source import LONGEST_CELL, MOST_COLUMNS, Source
from unround.formats.model import ImportRefused

BLOCK = 262_144
LONGEST_TAG = 1_000_000
DEEPEST = 200


class Handler:
    """Receives the events of a document, and does nothing with them. Names come without their prefix."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""

    def text(self, text: str) -> None:
        """Some text, not always all of it at once."""

    def end(self, name: str) -> None:
        """An element ends."""


def xml_events(name: str, file: IO[bytes], handler: Handler) -> Iterator[None]:
    """Parse a document and yield after each block, so that the caller can collect what was found."""
    parser = _parser(name, handler)
    read = 0
    try:
        while block := file.read(BLOCK):
            parser.Parse(block, False)
            read += len(block)
            if read - parser.CurrentByteIndex > LONGEST_TAG:
                raise ImportRefused(f"{name}, line {parser.CurrentLineNumber} has an endless tag")
            yield
        parser.Parse(b"", True)
        yield
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise ImportRefused(
            f"{name} is not readable XML ({error}); it may be cut off: export it again, or open "
            "it in a spreadsheet and save it as CSV (UTF-8)"
        ) from error


def _parser(name: str, handler: Handler) -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.buffer_text = True  # without it, every & and line end would come as a call of its own
    handler_start, handler_end = handler.start, handler.end
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise ImportRefused(f"{name} has elements nested more than {DEEPEST} deep: refused")
        # Most elements have no attributes, and there are millions of them.
        if attributes:
            attributes = {_local(key): value for key, value in attributes.items()}
        handler_start(_local(tag), attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        handler_end(_local(tag))

    def refuse(*_: object) -> None:
        raise ImportRefused(f"{name} declares a document type, which no export has: refused")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.text
    parser.StartDoctypeDeclHandler = refuse
    return parser


def _local(name: str) -> str:
    return name.rpartition(":")[2]


MOST_ROWS = 2_000_000
WHOLE = 2.0**53


# The text of a cell with a formula that no program has computed.
FORMULA = "=formula without a value"


class GridRow(NamedTuple):
    """A row that is not empty."""

    sheet: str
    number: int  # counted from 1, as spreadsheets show it
    cells: Mapping[int, str]  # by column, counted from 0
    hidden: bool = False  # whether its sheet is


class RowBuilder:
    """Collects rows cell by cell and refuses what no sheet can hold."""

    def __init__(self, file: str) -> None:
        self._file, self._sheet, self._number, self._hidden = file, "", 0, False
        self._cells: dict[int, str] = {}
        self._held = 0
        self.rows: list[GridRow] = []

    def open_sheet(self, name: str, *, hidden: bool = False) -> None:
        """Begin another sheet."""
        self._sheet, self._number, self._hidden = name, 0, hidden

    def open_row(self, index: str | None) -> None:
        """Begin the row with this index, or the next one."""
        number = self._number + 1 if index is None else self.number(index, "row")
        if not self._number < number <= MOST_ROWS:
            raise ImportRefused(f"{self._place} is followed by row {number}: the file is broken")
        self._number, self._cells, self._held = number, {}, 0

    def skip_rows(self, count: int) -> None:
        """Skip rows."""
        self._number += count

    def put(self, column: int, text: str) -> None:
        """Set a cell's text."""
        if not 0 <= column < MOST_COLUMNS:
            raise ImportRefused(
                f"{self._place} has a cell in column {column + 1}; at most {MOST_COLUMNS} are read"
            )
        if text.strip() and column in self._cells:
            raise ImportRefused(
                f"{self._place} has two values in column {column + 1}: it is broken"
            )
        if text.strip():
            self._cells[column] = text

    def hold(self, length: int) -> None:
        """Count text that is being collected; refuse too much of it."""
        self._held += length
        if self._held > LONGEST_CELL:
            raise ImportRefused(
                f"{self._place} holds more than {LONGEST_CELL // 1_000_000} MB of text"
            )

    def close_row(self, count: int = 1) -> bool:
        """Complete a row that is repeated `count` times; return whether it has cells."""
        cells, self._cells = self._cells, {}
        if cells:
            last = self._number + count - 1
            numbers = range(self._number, last + 1)
            sheet, hidden = self._sheet, self._hidden
            self.rows.extend(GridRow(sheet, number, cells, hidden) for number in numbers)
            self._number = last
        return bool(cells)

    def taken(self) -> list[GridRow]:
        """Return the rows completed since the last call."""
        rows, self.rows = self.rows, []
        return rows

    @property
    def _place(self) -> str:
        return f"{self._file}, sheet '{self._sheet}', row {self._number}"

    def number(self, text: str, what: str) -> int:
        """Return the number that the file states for a row, a column or a repetition."""
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ImportRefused(f"{self._place} states the {what} {text[:40]!r}: not a number")
        return int(text)


class CellHandler(Handler):
    """Collects the text of cells that a document's elements mark. Subclasses say which elements."""

    def __init__(self, builder: RowBuilder) -> None:
        self.builder = builder
        self._column = self._next_column = 0
        self._in_text = False
        self._parts: list[str] = []

    def text(self, text: str) -> None:
        """Collect text inside a cell."""
        if self._in_text:
            self.builder.hold(len(text))
            self._parts.append(text)


def number_text(text: str) -> str:
    """Return a number cell's text as people write it: 12 for 12.0 and 1.2E1; never rounded.

    >>> number_text("12.0"), number_text("3.5"), number_text("1.5E-3"), number_text("n/a")
    ('12', '3.5', '0.0015', 'n/a')
    """
    try:
        value = float(text)
    except ValueError:
        return text
    if not math.isfinite(value):
        return text
    if value.is_integer() and abs(value) < WHOLE:
        return str(int(value))
    return format(Decimal(repr(value)), "f")


CONTENT = "content.xml"
_MIMETYPE = b"application/vnd.oasis.opendocument.spreadsheet"
# Empty rows may be repeated to the end of a sheet; rows with cells only a few times.
MOST_EQUAL_ROWS = 1_000
_NUMBERS = ("float", "percentage", "currency")
NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"


def is_ods(source: Source) -> bool:
    """Return whether a file is an OpenDocument spreadsheet."""
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


class _OpenDocument(CellHandler):
    """Reads content.xml. Equal neighbours are written once, with a count."""

    def __init__(self, file: str) -> None:
        super().__init__(RowBuilder(file))
        self._file = file
        self._notes = 0
        self._repeated = self._rows = "1"
        self._value: str | None = None
        self._has_value = True
        self._style = ""
        self._hidden_styles: set[str] = set()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in ("table-cell", "covered-table-cell"):
            self._repeated = attributes.get("number-columns-repeated", "1")
            is_number = attributes.get("value-type") in _NUMBERS
            self._value = attributes.get("value") if is_number else None
            self._has_value = "formula" not in attributes or "value-type" in attributes
            self._parts = []
        elif name == "p":
            self._parts += ["\n"] if self._parts and not self._notes else []
            self._in_text = not self._notes
        elif name == "table-row":
            self.builder.open_row(None)
            self._rows, self._column = attributes.get("number-rows-repeated", "1"), 0
        elif name == "table":
            hidden = attributes.get("style-name") in self._hidden_styles
            self.builder.open_sheet(attributes.get("name", ""), hidden=hidden)
        elif name == "annotation":
            self._notes += 1
        elif name == "style":
            self._style = attributes.get("name", "")
        elif name == "table-properties" and attributes.get("display") == "false":
            self._hidden_styles.add(self._style)

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
        count = self.builder.number(self._repeated, "repetition")
        text = "".join(self._parts) if self._value is None else number_text(self._value)
        text = text if text.strip() or self._has_value else FORMULA
        if text.strip():
            self.builder.hold(len(text) * (count - 1))
            for column in range(self._column, self._column + count):
                self.builder.put(column, text)
        self._column += count

    def _close_row(self) -> None:
        count = self.builder.number(self._rows, "repetition")
        if not self.builder.close_row(count if count <= MOST_EQUAL_ROWS else 1):
            self.builder.skip_rows(count - 1)
        elif count > MOST_EQUAL_ROWS:
            raise ImportRefused(f"{self._file} repeats a row with cells {count} times: refused")


def is_spreadsheetml(source: Source) -> bool:
    """Return whether a file is SpreadsheetML 2003, the XML that systems name .xls."""
    return source.looks_like_xml and NAMESPACE in source.head_text


def spreadsheetml_rows(source: Source) -> Iterator[GridRow]:
    """Yield the rows of all worksheets as they are read."""
    workbook = _SpreadsheetML(source.name)
    with source.open_bytes() as file:
        for _ in xml_events(source.name, file, workbook):
            yield from workbook.builder.taken()


class _SpreadsheetML(CellHandler):
    """Reads a workbook in one XML file. Rows and cells may state their index."""

    def __init__(self, file: str) -> None:
        super().__init__(RowBuilder(file))
        self._is_number = self._in_comment = False
        self._span: str | None = None

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Cell":
            self._open_cell(attributes)
        elif name == "Data" and not self._in_comment:
            self._in_text, self._parts = True, []
            self._is_number = attributes.get("Type") == "Number"
        elif name == "Row":
            self.builder.open_row(attributes.get("Index"))
            self._next_column, self._span = 0, attributes.get("Span")
        elif name == "Worksheet":
            self.builder.open_sheet(attributes.get("Name", ""))
        elif name == "Comment":
            self._in_comment = True

    def end(self, name: str) -> None:
        if name == "Data" and self._in_text:
            text = "".join(self._parts)
            self.builder.put(self._column, number_text(text) if self._is_number else text)
            self._in_text = False
        elif name == "Row":
            self.builder.close_row()
            if self._span is not None:
                self.builder.skip_rows(self.builder.number(self._span, "span of rows"))
        elif name == "Comment":
            self._in_comment = False

    def _open_cell(self, attributes: Mapping[str, str]) -> None:
        index, merged = attributes.get("Index"), attributes.get("MergeAcross")
        if index is not None:
            self._next_column = self.builder.number(index, "column") - 1
        self._column = self._next_column
        # A merged cell stands in its first column and takes up the others.
        self._next_column += 1 + (0 if merged is None else self.builder.number(merged, "column"))
