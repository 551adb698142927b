"""Read SpreadsheetML 2003, the XML that systems name .xls. Rows and cells may state their index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unround.formats.files.grid_row import GridRow, RowBuilder, number_text
from unround.formats.files.safe_xml import xml_events
from unround.formats.files.source import Source

NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"


def is_spreadsheetml(source: Source) -> bool:
    """Tell whether a file is such a workbook."""
    return source.looks_like_xml and NAMESPACE in source.head_text


def spreadsheetml_rows(source: Source) -> Iterator[GridRow]:
    """Yield the rows of all worksheets as they are read."""
    workbook = _Workbook(source.name)
    with source.bytes_in() as file:
        for _ in xml_events(source.name, file, workbook):
            yield from workbook.builder.taken()


class _Workbook:
    """Follows a document down to the text of its cells."""

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
