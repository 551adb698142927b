"""Find the tables of an export by the titles of their columns, on any sheet and below any title row.

Systems write workbooks with a sheet per track or per kind of record; people save them again as XLSX
or CSV, with or without the rows above the header.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Generic, TypeVar

from unround.formats.cells import counted
from unround.formats.files.grid import first_rows, grid_rows, is_workbook
from unround.formats.files.grid_row import GridRow
from unround.formats.files.source import Source
from unround.formats.model import ImportRefused

HEADER_WITHIN = 10  # rows
Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Layouts(Generic[Kind]):
    """How a system's tables are told by their titles, which are in lower case here."""

    kind_of: Callable[[set[str]], Kind | None]
    telling: tuple[str, ...]  # titles of which every header line has one


@dataclass(frozen=True)
class SheetTable:
    """The header and the rows (still to be read) of a worksheet or a text file."""

    file: str
    sheet: str
    header: Mapping[str, int]  # column by title; titles without line ends and double spaces
    width: int
    rows: Iterator[GridRow]
    above: int = 0  # rows above the header that are more than a title
    repeated: list[int] = field(default_factory=list)  # rows below it that repeat it

    @property
    def place(self) -> str:
        """The file and sheet, for messages."""
        return f"{self.file}, sheet '{self.sheet}'" if self.sheet else self.file

    def notes(self) -> tuple[str, ...]:
        """Say, when all rows were read, which were passed over as a header or as above it."""
        counts = (self.above, "above the header"), (len(self.repeated), "repeating the header")
        return tuple(
            f"{counted(count, 'row')} {where} left out" for count, where in counts if count
        )

    def find(self, title: str) -> int | None:
        """Return the column with this title, in any case."""
        spelled = on_one_line(title).casefold()
        return next((at for name, at in self.header.items() if name.casefold() == spelled), None)

    def records(self) -> Iterator[GridRow]:
        """Yield the rows; refuse a row of a text file that is cut off."""
        for row in self.rows:
            if row.width not in (0, self.width):
                raise ImportRefused(
                    f"{self.file}, line {row.number} has {row.width} cells but the header has "
                    f"{self.width}; the file may be cut off or need quotation marks"
                )
            if self.header == _columns(row):  # files put one after the other
                self.repeated.append(row.number)
            else:
                yield row


class Places:
    """The place that each row of a sheet came from."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._rows: list[tuple[str, int]] = []

    def add(self, row: GridRow) -> None:
        """Add the next row's place."""
        self._rows.append((row.sheet, row.number))

    def __call__(self, row: int) -> str:
        """Return a row's place in words."""
        return place_of(self._file, *self._rows[row])


def place_of(file: str, sheet: str, number: int) -> str:
    """Return a place in words."""
    return f"{file}, sheet '{sheet}', row {number}" if sheet else f"{file}, line {number}"


def kinds_in(source: Source, layouts: Layouts[Kind]) -> list[Kind]:
    """Return the kinds of the tables at the beginning of a file."""
    rows = first_rows(source).rows if is_workbook(source) else _head_rows(source, layouts)
    kinds = (layouts.kind_of(_titles(row)) for row in rows)
    return [kind for kind in kinds if kind is not None]


def tables(
    source: Source, layouts: Layouts[Kind], passed_over: list[str] | None = None
) -> Iterator[tuple[Kind, SheetTable]]:
    """Yield every table with its kind; add the other sheets that are not empty to `passed_over`."""
    rows = grid_rows(source, _delimiter(source, layouts))
    for sheet, of_sheet in groupby(rows, key=lambda row: row.sheet):
        below = iter(of_sheet)
        found, above = _header(below, layouts)
        if found is not None:
            kind, header = found
            columns, width = _columns(header), header.width
            skipped = sum(_is_more_than_a_title(row) for row in above)
            yield kind, SheetTable(source.name, sheet, columns, width, below, skipped)
        elif len(above) > 1 and passed_over is not None:
            passed_over.append(sheet)


def on_one_line(text: str) -> str:
    """Return text without line ends and double spaces: titles may have several lines."""
    return " ".join(text.split())


def _header(
    rows: Iterator[GridRow], layouts: Layouts[Kind]
) -> tuple[tuple[Kind, GridRow] | None, list[GridRow]]:
    """Return the row with the titles and its kind, and the rows above it."""
    above: list[GridRow] = []
    while len(above) < HEADER_WITHIN and (row := next(rows, None)) is not None:
        kind = layouts.kind_of(_titles(row))
        if kind is not None:
            return (kind, row), above
        above.append(row)
    return None, above


def _is_more_than_a_title(row: GridRow) -> bool:
    """Return whether a row has more cells than a title with a comma has."""
    return sum(bool(cell.strip()) for cell in row.cells.values()) > 2


def _columns(header: GridRow) -> dict[str, int]:
    """Return the first column of each title."""
    columns: dict[str, int] = {}
    for column, title in sorted(header.cells.items()):
        columns.setdefault(on_one_line(title), column)
    return columns


def _titles(row: GridRow) -> set[str]:
    return {on_one_line(title).casefold() for title in row.cells.values()}


def _head_rows(source: Source, layouts: Layouts[Kind]) -> list[GridRow]:
    """Return the first rows of a text file."""
    records = source.head_records(_delimiter(source, layouts))[:HEADER_WITHIN]
    return [GridRow("", line, dict(enumerate(cells))) for line, cells in records]


def _delimiter(source: Source, layouts: Layouts[Kind]) -> str:
    """Return the delimiter of the line with the titles; the line above may be a name with commas."""
    lines = source.head_text.casefold().splitlines()[:HEADER_WITHIN]
    titled = (line for line in lines if any(title in line for title in layouts.telling))
    line = next(titled, None)
    return source.delimiter if line is None else max(",\t;", key=line.count)
