"""Read rows of numbered cells from workbooks: SpreadsheetML, XLSX, ODS.

XLSX is parsed here, with the guards of the other two, because libraries can be made to fill the memory by
files of 50 kB, which no limit on the size of the archive prevents. python-calamine 0.9 allocates every cell
up to the last one in use (550 GB for one at XFD1048576) and copies a shared text into every cell (4.9 GB).
openpyxl 3.1, read-only, keeps a row until its end, and what it does not know for good: 3.7 GB for a row of
twelve million empty cells, 1 GB for as many unknown elements. `TestHostile` of XLSX has these files.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import groupby, islice
from pathlib import PurePosixPath

from unround.formats.files.archives import MOST_UNPACKED, open_package
from unround.formats.files.source import FIRST_ROWS, LONGEST_CELL, Source, once_per_source
from unround.formats.files.xml_sheets import (
    FORMULA,
    CellHandler,
    GridRow,
    Handler,
    RowBuilder,
    is_ods,
    is_spreadsheetml,
    number_text,
    ods_rows,
    spreadsheetml_rows,
    xml_events,
)
from unround.formats.model import ImportRefused


def is_workbook(source: Source) -> bool:
    """Return whether a file is a workbook: XLSX, OpenDocument or SpreadsheetML."""
    return source.is_zip or is_spreadsheetml(source)


def grid_rows(source: Source) -> Iterator[GridRow]:
    """Yield the rows of every sheet of a workbook that are not empty."""
    if is_ods(source):
        return ods_rows(source)
    return xlsx_rows(source) if source.is_zip else spreadsheetml_rows(source)


def sheet_heads(source: Source) -> Iterator[tuple[str, list[GridRow]]]:
    """Yield the first rows of every sheet that is not empty."""
    in_parts = source.is_zip and not is_ods(source)  # the sheets need not be read to their ends
    rows = xlsx_rows(source, FIRST_ROWS) if in_parts else grid_rows(source)
    for sheet, of_sheet in groupby(rows, key=lambda row: row.sheet):
        yield sheet, list(islice(of_sheet, FIRST_ROWS))


@once_per_source
def first_rows(source: Source) -> list[GridRow]:
    """Return the first rows of a workbook, as far as it is readable; of another file, none."""
    rows: list[GridRow] = []
    with suppress(ImportRefused):  # its reader reports what is wrong
        if is_workbook(source):
            rows.extend(islice(grid_rows(source), FIRST_ROWS))
    return rows


WORKBOOK = "xl/workbook.xml"
_REFERENCE = re.compile(r"([A-Z]{1,3})[0-9]{1,7}")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def xlsx_rows(source: Source, most: int | None = None) -> Iterator[GridRow]:
    """Yield the rows of all worksheets as they are read, at most so many of each."""
    with open_package(source, "XLSX") as package:
        yield from _Book(source.name, package).rows(most)


class _Book:
    """An open XLSX package: its worksheets and their shared texts."""

    def __init__(self, file: str, package: zipfile.ZipFile) -> None:
        self._file, self._package = file, package
        self._names = set(package.namelist())
        self._sheets = self._elements(WORKBOOK, "sheet")
        self._targets, shared = self._related()
        self._strings = _Strings(self._file, package, shared if shared in self._names else None)

    def rows(self, most: int | None) -> Iterator[GridRow]:
        """Yield the rows of each worksheet in the workbook's order."""
        for sheet in self._sheets:
            part = self._targets.get(sheet.get("id", ""))
            if part is not None:  # a chart has no rows
                hidden = sheet.get("state", "visible") != "visible"
                yield from islice(self._sheet_rows(sheet.get("name", ""), part, hidden), most)

    def _sheet_rows(self, title: str, part: str, hidden: bool) -> Iterator[GridRow]:
        builder = RowBuilder(self._file)
        builder.open_sheet(title, hidden=hidden)
        with self._package.open(self._checked(part)) as file:
            for _ in xml_events(self._file, file, _Sheet(builder, self._strings)):
                yield from builder.taken()

    def _related(self) -> tuple[dict[str, str], str | None]:
        """Return the worksheets' parts by relation, and the part with the shared texts."""
        sheets, shared = {}, None
        for relation in self._elements("xl/_rels/workbook.xml.rels", "Relationship"):
            kind, target = relation.get("Type", ""), relation.get("Target", "")
            part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            if kind.endswith("/worksheet"):
                sheets[relation.get("Id", "")] = str(PurePosixPath(part))
            elif kind.endswith("/sharedStrings"):
                shared = str(PurePosixPath(part))
        return sheets, shared

    def _elements(self, part: str, name: str) -> list[Mapping[str, str]]:
        """Return the attributes of all elements of one name in a small part."""
        elements = _Elements(name)
        with self._package.open(self._checked(part)) as file:
            for _ in xml_events(self._file, file, elements):
                pass
        return elements.found

    def _checked(self, part: str) -> str:
        if part not in self._names:
            raise ImportRefused(
                f"{self._file} is not a readable XLSX file: {part} is missing; open it in a spreadsheet "
                "and save it again"
            )
        return part


class _Elements(Handler):
    """Collects the attributes of the elements of one name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.found: list[Mapping[str, str]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == self._name:
            self.found.append(attributes)


class _Strings:
    """The shared texts by number, read only as far as needed."""

    def __init__(self, file: str, package: zipfile.ZipFile, part: str | None) -> None:
        self._file = file
        self._known: list[str] = []
        self._given = 0
        self._more = self._read(package, part) if part is not None else iter(())

    def shared(self, number: int) -> str:
        """Return the text of a cell; refuse a file whose cells repeat long texts beyond the limit."""
        text = self._text(number)
        self._given += len(text)
        if self._given > MOST_UNPACKED:
            raise ImportRefused(
                f"{self._file} would unpack to more than {MOST_UNPACKED // 1_000_000} MB: refused"
            )
        return text

    def _text(self, number: int) -> str:
        while len(self._known) <= number:
            text = next(self._more, None)
            if text is None:
                raise ImportRefused(
                    f"{self._file} is not a readable XLSX file: text {number} is missing"
                )
            self._known.append(text)
        return self._known[number]

    def _read(self, package: zipfile.ZipFile, part: str) -> Iterator[str]:
        texts = _Texts(self._file)
        with package.open(part) as file:
            for _ in xml_events(self._file, file, texts):
                yield from texts.complete
                texts.complete.clear()


class _Texts(Handler):
    """Gathers shared texts: <si> elements whose <t> may be split into runs."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._in_text = self._in_reading_aid = False
        self._parts: list[str] = []
        self._held = 0
        self.complete: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "si":
            self._parts, self._held = [], 0
        elif name == "t":
            self._in_text = not self._in_reading_aid
        elif name == "rPh":
            self._in_reading_aid = True

    def text(self, text: str) -> None:
        if self._in_text:
            self._held += len(text)
            if self._held > LONGEST_CELL:
                raise ImportRefused(
                    f"{self._file} holds a text of more than {LONGEST_CELL // 1_000_000} MB"
                )
            self._parts.append(text)

    def end(self, name: str) -> None:
        if name == "t":
            self._in_text = False
        elif name == "rPh":
            self._in_reading_aid = False
        elif name == "si":
            self.complete.append(_unescaped("".join(self._parts)))


class _Sheet(CellHandler):
    """Reads one worksheet."""

    def __init__(self, builder: RowBuilder, strings: _Strings) -> None:
        super().__init__(builder)
        self._strings = strings
        self._kind = ""
        self._formula = False  # whether the cell holds a formula that must have a value

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "c":
            reference = _REFERENCE.fullmatch(attributes.get("r", ""))
            self._column = _column(reference.group(1)) if reference else self._next_column
            self._next_column = self._column + 1
            self._kind, self._parts, self._formula = attributes.get("t", "n"), [], False
        elif name == "row":
            self.builder.open_row(attributes.get("r"))
            self._next_column = 0
        elif name in ("v", "t"):
            self._in_text = True
        elif name == "f":
            self._formula = self._kind != "str"  # the value of a formula may be an empty text

    def end(self, name: str) -> None:
        if name in ("v", "t"):
            self._in_text = False
        elif name == "c" and self._parts:
            self.builder.put(self._column, self._value("".join(self._parts)))
        elif name == "c" and self._formula:
            self.builder.put(self._column, FORMULA)
        elif name == "row":
            self.builder.close_row()

    def _value(self, text: str) -> str:
        if self._kind == "s":
            return self._strings.shared(int(text))
        if self._kind == "n":
            return number_text(text)
        return _unescaped(text) if self._kind in ("str", "inlineStr") else text


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _unescaped(text: str) -> str:
    """Return a text with the characters that a package spells as _x000D_."""
    return _ESCAPED.sub(lambda code: _character(code), text) if "_x" in text else text


def _character(code: re.Match[str]) -> str:
    number = int(code.group(1), 16)
    return code.group(0) if number == 0 or 0xD800 <= number <= 0xDFFF else chr(number)
