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
from functools import lru_cache
from itertools import groupby, islice
from pathlib import PurePosixPath

from unround.formats.files.archives import MOST_UNPACKED, open_package
from unround.formats.files.source import FIRST_ROWS, LONGEST_CELL, Source, once_per_source
from unround.formats.files.xml_sheets import (
    FORMULA,
    Event,
    GridRow,
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


def head_rows(source: Source) -> Iterator[GridRow]:
    """Yield the first rows of every sheet that is not empty."""
    in_parts = source.is_zip and not is_ods(source)  # the sheets need not be read to their ends
    rows = xlsx_rows(source, FIRST_ROWS) if in_parts else grid_rows(source)
    for _, of_sheet in groupby(rows, key=lambda row: row.sheet):
        yield from islice(of_sheet, FIRST_ROWS)


@once_per_source
def first_rows(source: Source) -> list[GridRow]:
    """Return the first rows of a workbook, as far as it is readable; of another file, none."""
    rows: list[GridRow] = []
    with suppress(ImportRefused):  # its reader reports what is wrong
        if is_workbook(source):
            rows.extend(islice(grid_rows(source), FIRST_ROWS))
    return rows


WORKBOOK, RELATIONS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_REFERENCE = re.compile(r"([A-Z]{1,3})[0-9]{1,7}")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def xlsx_rows(source: Source, most: int | None = None) -> Iterator[GridRow]:
    """Yield the rows of all worksheets as they are read, at most so many of each."""
    with open_package(source, "XLSX") as package:
        sheets = _elements(source, package, WORKBOOK, "sheet")
        relations = _elements(source, package, RELATIONS, "Relationship")
        texts = [one for one in relations if one.get("Type", "").endswith("/sharedStrings")]
        shared = _SharedTexts(source, package, _target(texts[-1]) if texts else "")
        parts = {
            one.get("Id", ""): _target(one)
            for one in relations
            if one.get("Type", "").endswith("/worksheet")
        }
        for sheet in sheets:
            if sheet.get("id", "") in parts:  # a chart has no rows
                hidden = sheet.get("state", "visible") != "visible"
                rows = RowBuilder(source.name, sheet.get("name", ""), hidden=hidden)
                events = _events(source, package, parts[sheet.get("id", "")])
                yield from islice(_sheet_rows(rows, events, shared), most)


def _target(relation: Mapping[str, str]) -> str:
    """Return the part that a relation of the workbook leads to."""
    target = relation.get("Target", "")
    return str(PurePosixPath(target.lstrip("/") if target.startswith("/") else f"xl/{target}"))


def _events(source: Source, package: zipfile.ZipFile, part: str) -> Iterator[Event]:
    """Yield the elements of one part of a package; refuse a package without it."""
    try:
        file = package.open(part)
    except KeyError:
        advice = "open it in a spreadsheet and save it again"
        raise _unreadable(source, f"{part} is missing; {advice}") from None
    with file:
        yield from xml_events(source.name, file)


def _elements(
    source: Source, package: zipfile.ZipFile, part: str, wanted: str
) -> list[Mapping[str, str]]:
    """Return the attributes of all elements of one name in a small part."""
    events = (event for event in _events(source, package, part) if not isinstance(event, str))
    return [attributes for name, attributes in events if name == wanted and attributes is not None]


def _unreadable(source: Source, reason: str) -> ImportRefused:
    return ImportRefused(f"{source.name} is not a readable XLSX file: {reason}")


class _SharedTexts:
    """The shared texts by number, read only as far as needed."""

    def __init__(self, source: Source, package: zipfile.ZipFile, part: str) -> None:
        self._source = source
        self._known: list[str] = []
        self._given = 0
        events = _events(source, package, part) if part in package.namelist() else iter(())
        self._more = _texts(source, events)

    def text(self, number: str) -> str:
        """Return the text of a cell; refuse a file whose cells repeat long texts beyond the limit."""
        wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else -1
        while len(self._known) <= wanted and (text := next(self._more, None)) is not None:
            self._known.append(text)
        if not 0 <= wanted < len(self._known):
            raise _unreadable(self._source, f"text {number[:40]} is missing")
        self._given += len(self._known[wanted])
        if self._given > MOST_UNPACKED:
            raise ImportRefused(
                f"{self._source.name} would unpack to more than {MOST_UNPACKED // 1_000_000} MB: refused"
            )
        return self._known[wanted]


def _texts(source: Source, events: Iterator[Event]) -> Iterator[str]:
    """Yield the shared texts: <si> elements whose <t> may be split into runs."""
    texts: list[str] = []
    length = 0
    in_text = in_reading_aid = False
    for event in events:
        if isinstance(event, str):
            if in_text:
                length += len(event)
                texts.append(event)
            if length > LONGEST_CELL:
                raise ImportRefused(
                    f"{source.name} holds a text of more than {LONGEST_CELL // 1_000_000} MB"
                )
            continue
        name, attributes = event
        if name == "t":
            in_text = attributes is not None and not in_reading_aid
        elif name == "rPh":
            in_reading_aid = attributes is not None
        elif name == "si" and attributes is None:
            yield _unescaped("".join(texts))
        elif name == "si":
            texts, length = [], 0


def _sheet_rows(
    rows: RowBuilder, events: Iterator[Event], shared: _SharedTexts
) -> Iterator[GridRow]:
    """Yield the rows of one worksheet."""
    column = next_column = 0
    kind = "n"
    in_text = has_formula = False  # a formula that must have a value
    for event in events:
        if isinstance(event, str):
            if in_text:
                rows.add_text(event)
            continue
        name, attributes = event
        if name in ("v", "t"):
            in_text = attributes is not None
        elif name == "c" and attributes is not None:
            reference = _REFERENCE.fullmatch(attributes.get("r", ""))
            column = _column(reference.group(1)) if reference else next_column
            next_column = column + 1
            kind, has_formula = attributes.get("t", "n"), False
            rows.open_cell()
        elif name == "c":
            if rows.texts:
                rows.put(column, _value(kind, rows.text, shared))
            elif has_formula:
                rows.put(column, FORMULA)
        elif name == "f" and attributes is not None:
            has_formula = kind != "str"  # the value of a formula may be an empty text
        elif name == "row" and attributes is not None:
            rows.open_row(attributes.get("r"))
            next_column = 0
        elif name == "row":
            yield from rows.close_row()


def _value(kind: str, text: str, shared: _SharedTexts) -> str:
    if kind == "s":
        return shared.text(text)
    if kind == "n":
        return number_text(text)
    return _unescaped(text) if kind in ("str", "inlineStr") else text


@lru_cache(maxsize=1024)
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
