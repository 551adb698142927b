"""Slow, plain readings of files, and what an import must agree with."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from unround.formats.model import FileContent, Sheet

_PLACE = re.compile(r"(?:line|row) ([0-9]+)$")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]+)?|[.][0-9]+)(?:[eE][+-]?[0-9]+)?")
_LEFT_OUT = re.compile(r"([0-9]+) [^0-9;]*?(?:left out|passed over|not ranked)")
_ABOVE = re.compile(r"[0-9]+ rows? above the header")
_DELIMITER_LINE = re.compile(r'\A"?sep=[^\r\n"]"?', re.IGNORECASE)
_OVERRULED = re.compile(r"(?:^|: )([0-9]+) lines? overruled")
Records = Mapping[int, list[str]]


class Differs(Exception):
    """An import that the plain reading does not bear out."""


def delimited_records(data: bytes, delimiter: str, encoding: str) -> dict[int, list[str]]:
    """Return the records of a text by the line that each starts on, blank ones left out."""
    try:
        text = data.decode("utf-16" if encoding == "utf-16" else "utf-8")
    except UnicodeError:
        text = data.decode(encoding, "replace")
    text = _DELIMITER_LINE.sub("", text.removeprefix("\ufeff"))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    records: dict[int, list[str]] = {}
    begins = 1
    for row in reader:
        if any(cell.strip() for cell in row):
            records[begins] = [cell.strip() for cell in row]
        begins = reader.line_num + 1
    return records


def told(notes: Iterable[str], above: bool = False) -> int:
    """Return how many records the notes say were left out; `above` the header, if asked for."""
    return sum(
        int(match.group(1))
        for note in notes
        if above or not _ABOVE.search(note)
        for match in (*_LEFT_OUT.finditer(note), *_OVERRULED.finditer(note))
    )


def check_rows(sheet: Sheet, records: Records, names: Iterable[str], number: str = "") -> None:
    """Check that every row's values stand in the record it is said to come from.

    Ids must stand in one and the same column throughout, where that column exists at all; the number
    (a score or a rank) in one and the same column always.
    """
    columns: dict[str, set[int]] = {}
    for row, values in enumerate(sheet.table.iter_rows(named=True)):
        cells = _record(sheet.place(row), records)
        for name in names:
            same = _places(cells, values[name], name == number)
            if not same:
                raise Differs(f"{sheet.place(row)} holds {cells}, not the {name} {values[name]!r}")
            columns[name] = columns.get(name, same) & same
    if number and number in columns and not columns[number]:
        raise Differs(f"the {number} of different rows comes from different columns")


def _record(place: str, records: Records) -> list[str]:
    found = _PLACE.search(place)
    if found is None or int(found.group(1)) not in records:
        raise Differs(f"the file has no record at {place!r}")
    return records[int(found.group(1))]


def _places(cells: list[str], value: object, is_number: bool) -> set[int]:
    return {
        at
        for at, cell in enumerate(cells)
        if (same_number(cell, value) if is_number else same_id(cell, value))
    }


def same_id(cell: str, value: object) -> bool:
    """Return whether a cell holds an id, with or without ASCII separators that only Python strips."""
    return str(value if value is not None else "").strip() == cell.strip() or (
        isinstance(value, str) and value != "" and value == " ".join(cell.split())
    )


def same_number(cell: object, value: object) -> bool:
    """Return whether a score or rank is the one in a cell, never cut short."""
    text, score = str(cell).strip().replace("\ud800", "\ufffd"), str(value).strip()
    if text == score:
        return True
    try:
        wanted = float(score)
    except ValueError:
        return score in text
    return any(float(number.replace(",", ".")) == wanted for number in _NUMBER.findall(text))


def check_count(records: int, read: int, content: FileContent) -> None:
    """Check that every record was read, or told as left out."""
    left = told(content.notes)
    if records != read + left:
        raise Differs(f"{records} records, {read} read, {left} told as left out: {content.notes}")


def objects_in(document: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a JSON document, wherever they stand."""
    inner = document.values() if isinstance(document, dict) else document
    found = [document] if isinstance(document, dict) else []
    nested = (value for value in inner if isinstance(value, dict | list))
    return found + [one for value in nested for one in objects_in(value)]


def holds(value: Mapping[str, Any], claim: Mapping[str, object]) -> bool:
    """Return whether an object has these values, each under a key that begins so, or below it."""
    return all(
        any(_same(one, wanted) for one in _under(value, key)) for key, wanted in claim.items()
    )


def _same(one: object, wanted: object) -> bool:
    return str(one) == wanted if isinstance(one, dict | list) else same_number(one, wanted)


def _under(value: Any, key: str) -> Iterator[object]:
    """Yield the values under a key, however deep; under every key if it is empty."""
    if not key:
        yield value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _under(inner, "" if str(name).startswith(key) else key)
    elif isinstance(value, list):
        for inner in value:
            yield from _under(inner, key)
