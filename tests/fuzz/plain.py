"""Slow, plain readings of files, and what an import must agree with."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from tests.fuzz.mutations import Table
from unround.formats.model import Sheet

OWN_REVIEWER = "reviewer of its own"  # where the file names none
_PLACE = re.compile(r"(?:line|row) ([0-9]+)$")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]+)?|[.][0-9]+)(?:[eE][+-]?[0-9]+)?")
_COUNT = re.compile(r"([0-9]+) [^0-9;]*?(?:left (?:out|unranked)|passed over|not ranked|overruled)")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_DELIMITER_LINE = re.compile(r'\A"?sep=[^\r\n"]"?[,;\t]*(?=\r?\n)', re.IGNORECASE)
Records = Mapping[int, list[str]]


class Differs(Exception):
    """An import that the plain reading does not bear out."""


def delimited_records(data: bytes, table: Table) -> dict[int, list[str]]:
    """Return the records of a text by the line that each starts on, blank ones left out."""
    try:
        text = data.decode("utf-16" if table.encoding == "utf-16" else "utf-8")
    except UnicodeError:
        text = data.decode(table.encoding, "replace")
    text = _DELIMITER_LINE.sub("", text.lstrip("\ufeff"))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=table.delimiter)
    records: dict[int, list[str]] = {}
    begins = 1
    for row in reader:
        if any(cell.strip() for cell in row):
            records[begins] = [cell.strip() for cell in row]
        begins = reader.line_num + 1
    return records


def record_at(place: str, records: Records) -> list[str]:
    """Return the record at a place such as "file.csv, line 3"."""
    found = _PLACE.search(place)
    if found is None or int(found.group(1)) not in records:
        raise Differs(f"the file has no record at {place!r}")
    return records[int(found.group(1))]


def check_rows(sheet: Sheet, records: Records, names: Iterable[str], number: str = "") -> None:
    """Check that every row's values stand in the record it is said to come from.

    Each must stand in one and the same column of all records, but for reviewers, who go by their e-mail
    or else by their name.
    """
    columns: dict[str, set[int]] = {}
    for row, values in enumerate(sheet.table.iter_rows(named=True)):
        cells = [*record_at(sheet.place(row), records), ""]  # a row may end before its last cells
        for name in names:
            same = same_number if name == number else same_id
            places = {at for at, cell in enumerate(cells) if same(cell, values[name])}
            if not places:
                raise Differs(f"{sheet.place(row)} holds {cells}, not the {name} {values[name]!r}")
            if values[name] not in ("", None):
                columns[name] = columns.get(name, places) & places
            if not columns.get(name, places) and name != "reviewer":
                raise Differs(f"the {name} of different rows comes from different columns")


def same_id(cell: str, value: object) -> bool:
    """Return whether a cell holds an id, with or without ASCII separators that only Python strips.

    A member's number may stand behind the id, a tag's name behind the cell's, which may lack the host.
    """
    wanted = str(value if value is not None else "").partition(" (member ")[0].strip()
    whole, found = cell.strip(), cell.strip().removesuffix("~rank")
    return wanted in (whole, found, " ".join(found.split())) or wanted.startswith(f"{found}@")


def same_number(cell: object, value: object) -> bool:
    """Return whether a score or rank is the one in a cell, never cut short."""
    if isinstance(cell, dict | list):
        return False
    text, score = str(cell).strip(), str(value).strip()
    if text == score:
        return True
    try:
        wanted = float(score)
    except ValueError:
        return score in text
    return any(float(number.replace(",", ".")) == wanted for number in _NUMBER.findall(text))


def check_count(records: int, read: int, notes: Iterable[str]) -> None:
    """Check that every record was read, or is said to be left out."""
    notes = list(notes)
    counts = (_COUNT.findall(_IN_BRACKETS.sub("", note)) for note in notes)
    left_out = sum(int(count) for found in counts for count in found)
    if records != read + left_out:
        raise Differs(f"{records} records, {read} read, {left_out} said to be left out: {notes}")


def records_in(
    document: Any, key: str, around: Mapping[str, Any] = MappingProxyType({})
) -> list[dict[str, Any]]:
    """Return the objects listed under a key, however deep, each with what stands around its list."""
    if isinstance(document, list):
        return [one for inner in document for one in records_in(inner, key, around)]
    if not isinstance(document, dict):
        return []
    found = document.get(key)
    listed = found if isinstance(found, list) else []
    others = {name: value for name, value in document.items() if name != key}
    values = {name: value for name, value in others.items() if not isinstance(value, dict | list)}
    below = (records_in(inner, key, {**around, **values}) for inner in document.values())
    own = [{**around, **others, **one} for one in listed if isinstance(one, dict)]
    return own + [one for several in below for one in several]


def holds(record: Mapping[str, Any], claim: Mapping[str, object]) -> bool:
    """Return whether a record has these values, each under a key that begins so, or below it."""
    return all(
        any(str(one) == wanted or same_number(one, wanted) for one in under(record, key))
        for key, wanted in claim.items()
    )


def under(value: Any, key: str) -> Iterator[Any]:
    """Yield the values under a key, however deep; under every key if it is empty."""
    if not key:
        yield value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from under(inner, "" if str(name).startswith(key) else key)
    elif isinstance(value, list):
        for inner in value:
            yield from under(inner, key)
