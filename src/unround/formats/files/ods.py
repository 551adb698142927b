"""Read OpenDocument spreadsheets as they stream. Equal neighbours are written once, with a count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unround.formats.files.grid_row import GridRow, RowBuilder, number_text
from unround.formats.files.package import ZIP_MARK, open_package
from unround.formats.files.safe_xml import xml_events
from unround.formats.files.source import Source
from unround.formats.model import ImportRefused

CONTENT = "content.xml"
_MIMETYPE = b"application/vnd.oasis.opendocument.spreadsheet"
# Empty rows are repeated to the end of a sheet; rows with cells are repeated a few times at most.
MOST_EQUAL_ROWS = 1_000
_NUMBERS = ("float", "percentage", "currency")


def is_ods(source: Source) -> bool:
    """Tell whether a file is an OpenDocument spreadsheet."""
    return source.head.startswith(ZIP_MARK) and _MIMETYPE in source.head[:200]


def ods_rows(source: Source) -> Iterator[GridRow]:
    """Yield the rows of all sheets as they are read."""
    with open_package(source, "OpenDocument") as package:
        if CONTENT not in package.namelist():
            raise ImportRefused(
                f"{source.name} is not a readable OpenDocument file: {CONTENT} is missing"
            )
        content = _Content(source.name)
        with package.open(CONTENT) as file:
            for _ in xml_events(source.name, file, content):
                yield from content.builder.taken()


class _Content:
    """Follows a document down to the text of its cells."""

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
