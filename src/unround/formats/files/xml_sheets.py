"""Read rows of cells from XML that is not trusted: OpenDocument, SpreadsheetML, and parts of XLSX.

A document type is refused: without one there are no entities to expand and no files or addresses to
fetch, so the usual attacks on XML parsers do not apply.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import IO, NamedTuple
from xml.parsers import expat

from unround.formats.files.archives import open_package
from unround.formats.files.source import LONGEST_CELL, MOST_COLUMNS, Source
from unround.formats.model import ImportRefused

BLOCK = 32_768
LONGEST_TAG = 1_000_000
DEEPEST = 200
# An element that begins, with its attributes; one that ends, with None; or some of a text, not always all
# of it at once. Names come without their prefix.
Event = tuple[str, Mapping[str, str] | None] | str


def xml_events(name: str, file: IO[bytes]) -> Iterator[Event]:
    """Return the elements and texts of a document, parsed a block at a time."""
    return chain.from_iterable(_parsed(name, file))


def _parsed(name: str, file: IO[bytes]) -> Iterator[list[Event]]:
    events: list[Event] = []
    parser = _parser(name, events)
    read = 0
    try:
        while block := file.read(BLOCK):
            parser.Parse(block, False)
            read += len(block)
            if read - parser.CurrentByteIndex > LONGEST_TAG:
                raise ImportRefused(f"{name}, line {parser.CurrentLineNumber} has an endless tag")
            yield events
            events.clear()
        parser.Parse(b"", True)
        yield events
    except ImportRefused:
        raise
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise ImportRefused(
            f"{name} is not readable XML ({error}); it may be cut off: export it again, or open "
            "it in a spreadsheet and save it as CSV (UTF-8)"
        ) from error


def _parser(name: str, events: list[Event]) -> expat.XMLParserType:
    """Return a parser that appends to some events."""
    parser, append = expat.ParserCreate(), events.append
    parser.buffer_text = True  # without it, every & and line end would come as a call of its own
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise ImportRefused(f"{name} has elements nested more than {DEEPEST} deep: refused")
        if attributes:
            named = {_local(key): value for key, value in attributes.items()}
            append((_local(tag), named))
        else:  # as most elements, of which there are millions
            append(_bare(tag))

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        append(_end(tag))

    def refuse(*_: object) -> None:
        raise ImportRefused(f"{name} declares a document type, which no export has: refused")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = append
    parser.StartDoctypeDeclHandler = refuse
    return parser


@lru_cache(maxsize=1024)
def _local(name: str) -> str:
    return name.rpartition(":")[2]


@lru_cache(maxsize=1024)
def _bare(tag: str) -> Event:
    return _local(tag), {}


@lru_cache(maxsize=1024)
def _end(tag: str) -> Event:
    return _local(tag), None


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
    """Collects the rows of a sheet cell by cell, and refuses what no sheet can hold."""

    def __init__(self, file: str, sheet: str = "", *, hidden: bool = False) -> None:
        self._file, self._sheet, self._number, self._hidden = file, sheet, 0, hidden
        self._cells: dict[int, str] = {}
        self._held = 0
        self.texts: list[str] = []  # of the cell that is being read

    def open_row(self, index: str | None) -> None:
        """Begin the row with this index, or the next one."""
        number = self._number + 1 if index is None else self.number(index, "row")
        if not self._number < number <= MOST_ROWS:
            raise ImportRefused(f"{self._place} is followed by row {number}: the file is broken")
        self._number, self._cells, self._held = number, {}, 0

    def skip_rows(self, count: int) -> None:
        """Skip rows."""
        self._number += count

    def open_cell(self) -> None:
        """Begin the text of a cell."""
        if self.texts:
            self.texts = []

    def add_text(self, text: str) -> None:
        """Add to the text of the cell."""
        self.hold(len(text))
        self.texts.append(text)

    @property
    def text(self) -> str:
        """The text of the cell."""
        return "".join(self.texts)

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

    def close_row(self, count: int = 1) -> Iterator[GridRow]:
        """Yield the row, if it has cells, as often as it is repeated."""
        if self._cells:
            first, cells = self._number, self._cells
            self._number, self._cells = first + count - 1, {}
            for number in range(first, first + count):
                yield GridRow(self._sheet, number, cells, self._hidden)

    @property
    def is_empty(self) -> bool:
        """Whether the row has no cells."""
        return not self._cells

    @property
    def _place(self) -> str:
        return f"{self._file}, sheet '{self._sheet}', row {self._number}"

    def number(self, text: str, what: str) -> int:
        """Return the number that the file states for a row, a column or a repetition."""
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ImportRefused(f"{self._place} states the {what} {text[:40]!r}: not a number")
        return int(text)


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
_CELLS = ("table-cell", "covered-table-cell")
NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"


def is_ods(source: Source) -> bool:
    """Return whether a file is an OpenDocument spreadsheet."""
    return source.is_zip and _MIMETYPE in source.head[:200]


def ods_rows(source: Source) -> Iterator[GridRow]:
    """Yield the rows of all sheets as they are read. Equal neighbours are written once, with a count."""
    with open_package(source, "OpenDocument") as package:
        if CONTENT not in package.namelist():
            raise ImportRefused(
                f"{source.name} is not a readable OpenDocument file: {CONTENT} is missing"
            )
        with package.open(CONTENT) as file:
            yield from _ods_rows(source.name, xml_events(source.name, file))


def _ods_rows(file: str, events: Iterator[Event]) -> Iterator[GridRow]:
    rows = RowBuilder(file)
    cell: Mapping[str, str] = {}
    repeated, style, hidden_styles = "1", "", set[str]()
    column = notes = 0
    in_text = False
    for event in events:
        if isinstance(event, str):
            if in_text:
                rows.add_text(event)
            continue
        name, attributes = event
        if name in _CELLS:
            if attributes is None:
                column = _close_ods_cell(rows, cell, column)
            else:
                cell = attributes
                rows.open_cell()
        elif name == "p":
            in_text = attributes is not None and not notes
            if in_text and rows.texts:
                rows.add_text("\n")
        elif name == "annotation":
            notes += -1 if attributes is None else 1
        elif name == "table-row":
            if attributes is None:
                yield from _close_ods_row(file, rows, repeated)
            else:
                rows.open_row(None)
                repeated, column = attributes.get("number-rows-repeated", "1"), 0
        elif name == "table" and attributes is not None:
            hidden = attributes.get("style-name") in hidden_styles
            rows = RowBuilder(file, attributes.get("name", ""), hidden=hidden)
        elif name == "style" and attributes is not None:
            style = attributes.get("name", "")
        elif name == "table-properties" and attributes and attributes.get("display") == "false":
            hidden_styles.add(style)


def _close_ods_cell(rows: RowBuilder, cell: Mapping[str, str], column: int) -> int:
    """Set a cell and its equal neighbours; return the column after them."""
    count = rows.number(cell.get("number-columns-repeated", "1"), "repetition")
    text = rows.text
    if cell.get("value-type") in _NUMBERS and "value" in cell:
        text = number_text(cell["value"])
    if not text.strip() and "formula" in cell and "value-type" not in cell:
        text = FORMULA
    if text.strip():
        rows.hold(len(text) * (count - 1))
        for at in range(column, column + count):
            rows.put(at, text)
    return column + count


def _close_ods_row(file: str, rows: RowBuilder, repeated: str) -> Iterator[GridRow]:
    count = rows.number(repeated, "repetition")
    if rows.is_empty:
        rows.skip_rows(count - 1)
    elif count > MOST_EQUAL_ROWS:
        raise ImportRefused(f"{file} repeats a row with cells {count} times: refused")
    yield from rows.close_row(count)


def is_spreadsheetml(source: Source) -> bool:
    """Return whether a file is SpreadsheetML 2003, the XML that systems name .xls."""
    return source.looks_like_xml and NAMESPACE in source.head_text


def spreadsheetml_rows(source: Source) -> Iterator[GridRow]:
    """Yield the rows of all worksheets as they are read. Rows and cells may state their index."""
    rows = RowBuilder(source.name)
    column = next_column = 0
    span: str | None = None
    in_data = in_comment = is_number = False
    with source.open_bytes() as file:
        for event in xml_events(source.name, file):
            if isinstance(event, str):
                if in_data:
                    rows.add_text(event)
                continue
            name, attributes = event
            if name == "Data" and attributes is None and in_data:
                rows.put(column, number_text(rows.text) if is_number else rows.text)
                in_data = False
            elif name == "Data" and attributes is not None and not in_comment:
                in_data, is_number = True, attributes.get("Type") == "Number"
                rows.open_cell()
            elif name == "Comment":
                in_comment = attributes is not None
            elif name == "Row" and attributes is None:
                yield from rows.close_row()
                if span is not None:
                    rows.skip_rows(rows.number(span, "span of rows"))
            elif name == "Row" and attributes is not None:
                rows.open_row(attributes.get("Index"))
                next_column, span = 0, attributes.get("Span")
            elif name == "Cell" and attributes is not None:
                index, merged = attributes.get("Index"), attributes.get("MergeAcross", "0")
                column = next_column if index is None else rows.number(index, "column") - 1
                # A merged cell stands in its first column and takes up the others.
                next_column = column + 1 + rows.number(merged, "column")
            elif name == "Worksheet" and attributes is not None:
                rows = RowBuilder(source.name, attributes.get("Name", ""))
