"""Build the rows of a sheet from cells that may leave gaps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from unround.formats.files.source import LONGEST_CELL, MOST_COLUMNS
from unround.formats.model import ImportRefused

MOST_ROWS = 2_000_000
WHOLE = 2.0**53


class GridRow(NamedTuple):
    """A row that is not empty."""

    sheet: str  # "" where the file has no sheets
    number: int  # as the user sees it: the row of a sheet, the line of a text
    cells: Mapping[int, str]  # by column, counted from 0
    width: int = 0  # how many cells were written; 0 where empty ones need not be


class RowBuilder:
    """Collects rows cell by cell and refuses what no sheet can hold."""

    def __init__(self, file: str) -> None:
        self._file, self._sheet, self._number = file, "", 0
        self._cells: dict[int, str] = {}
        self._held = 0
        self.rows: list[GridRow] = []

    def open_sheet(self, name: str) -> None:
        """Begin another sheet."""
        self._sheet, self._number = name, 0

    def open_row(self, index: str | None) -> None:
        """Begin the row with this index, or the next one."""
        number = self._number + 1 if index is None else self._index(index, "row")
        if not self._number < number <= MOST_ROWS:
            raise ImportRefused(f"{self._place} is followed by row {number}: the file is broken")
        self._number, self._cells, self._held = number, {}, 0

    def skip_rows(self, count: str) -> None:
        """Leave out so many rows."""
        self._number += self._index(count, "span of rows")

    def count(self, text: str) -> int:
        """Return how often something is repeated."""
        return self._index(text, "repetition")

    def column(self, index: str) -> int:
        """Return a column's place for its stated index."""
        return self._index(index, "column") - 1

    def put(self, column: int, text: str) -> None:
        """Set a cell's text."""
        if not 0 <= column < MOST_COLUMNS:
            raise ImportRefused(
                f"{self._place} has a cell in column {column + 1}; at most {MOST_COLUMNS} are read"
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
        """Complete a row that stands so many times, and tell whether it has cells."""
        cells, self._cells = self._cells, {}
        if cells:
            last = self._number + count - 1
            numbers = range(self._number, last + 1)
            self.rows.extend(GridRow(self._sheet, number, cells) for number in numbers)
            self._number = last
        return bool(cells)

    def taken(self) -> list[GridRow]:
        """Return the rows completed since the last call."""
        rows, self.rows = self.rows, []
        return rows

    @property
    def _place(self) -> str:
        return f"{self._file}, sheet '{self._sheet}', row {self._number}"

    def _index(self, text: str, what: str) -> int:
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
