"""Recognise CMT's exports and find their tables: one per track, below a title.

CMT writes the conference's name into row 1 and the header into row 3 of each worksheet; people save
that again as XLSX or CSV, with or without the rows above the header.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby, islice

from unround.formats.files.grid import first_rows, grid_rows, is_workbook
from unround.formats.files.grid_row import GridRow
from unround.formats.files.source import Source, once_per_source
from unround.formats.model import ImportRefused

HEADER_WITHIN = 10  # rows
QUESTION = re.compile(r"(Q[0-9]+) ?\((.*)\)", re.IGNORECASE)
_REVIEWER = {"reviewer name", "reviewer email", "reviewer number"}
_META_REVIEWER = {"meta-reviewer name", "meta-reviewer email", "meta-reviewer number"}
_OF_A_SUBMISSION = {"track name", "primary contact author name", "primary subject area", "abstract"}


class Export(Enum):
    """The kinds of exports, in words."""

    REVIEWS = "reviews"
    META_REVIEWS = "meta-reviews"
    RATINGS = "ratings of reviews"
    COMPARISONS = "comparisons of papers"
    SUBMISSIONS = "submissions"


@dataclass(frozen=True)
class CmtTable:
    """The header and the rows (still to be read) of a worksheet or a text file."""

    file: str
    sheet: str
    header: Mapping[str, int]  # column by title; titles without line ends and double spaces
    width: int
    rows: Iterator[GridRow]

    @property
    def place(self) -> str:
        """The file and sheet, for messages."""
        return f"{self.file}, sheet '{self.sheet}'" if self.sheet else self.file

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


def recogniser(*exports: Export) -> Callable[[Source], bool]:
    """Return a function that tells whether a file is one of these exports."""
    return lambda source: export_of(source) in exports


@once_per_source
def export_of(source: Source) -> Export | None:
    """Return the kind of export, by the titles of its columns."""
    rows = first_rows(source).rows if is_workbook(source) else _head_rows(source)
    kinds = (_kind(_titles(row)) for row in rows)
    return next((kind for kind in kinds if kind), None)


def tables(
    source: Source, export: Export, passed_over: list[str] | None = None
) -> Iterator[CmtTable]:
    """Yield the tables of this kind; add the other sheets that are not empty to `passed_over`."""
    rows = grid_rows(source, _delimiter(source))
    for sheet, of_sheet in groupby(rows, key=lambda row: row.sheet):
        below = iter(of_sheet)
        header, above = _header(below, export)
        if header is not None:
            yield CmtTable(source.name, sheet, _columns(header), header.width, below)
        elif above > 1 and passed_over is not None:
            passed_over.append(sheet)


def _header(rows: Iterator[GridRow], export: Export) -> tuple[GridRow | None, int]:
    """Return the row with the titles, and the number of rows above it."""
    above = 0
    while above < HEADER_WITHIN and (row := next(rows, None)) is not None:
        if _kind(_titles(row)) is export:
            return row, above
        above += 1
    return None, above


def on_one_line(text: str) -> str:
    """Return text without line ends and double spaces: questions may have several lines."""
    return " ".join(text.split())


def _columns(header: GridRow) -> dict[str, int]:
    """Return the first column of each title."""
    columns: dict[str, int] = {}
    for column, title in sorted(header.cells.items()):
        columns.setdefault(on_one_line(title), column)
    return columns


def _titles(row: GridRow) -> set[str]:
    return {on_one_line(title).casefold() for title in row.cells.values()}


def _kind(titles: Collection[str]) -> Export | None:
    """Return the export with these titles; comparisons and ratings first, as they have no questions."""
    has = set(titles)
    if {"reviewer email", "left", "operator", "right"} <= has:
        return Export.COMPARISONS
    if {"reviewer email", "rating", "meta-reviewer email"} <= has:
        return Export.RATINGS
    if "paper id" not in has:
        return None
    asks = any(QUESTION.fullmatch(title) for title in has)
    if asks and has & _META_REVIEWER and not has & (_REVIEWER | _OF_A_SUBMISSION):
        return Export.META_REVIEWS
    if asks and (has & _REVIEWER or not has & _OF_A_SUBMISSION):
        return Export.REVIEWS
    if "paper title" in has and has & _OF_A_SUBMISSION:
        return Export.SUBMISSIONS
    return None


def _head_rows(source: Source) -> list[GridRow]:
    """Return the first rows of a text file."""
    if source.is_folder or source.is_binary or source.looks_like_json or source.looks_like_xml:
        return []
    text = io.StringIO(source.head_text, newline="")
    records: Iterable[Sequence[str]] = csv.reader(text, delimiter=_delimiter(source))
    try:
        first = list(islice(records, HEADER_WITHIN))
    except csv.Error:
        return []
    return [GridRow("", 0, dict(enumerate(cells))) for cells in first]


def _delimiter(source: Source) -> str:
    """Return the delimiter of the line with the titles; the line above may be a name with commas."""
    lines = source.head_text.casefold().splitlines()[:HEADER_WITHIN]
    titled = (line for line in lines if "paper id" in line or "reviewer email" in line)
    line = next(titled, None)
    return source.delimiter if line is None else max(",\t;", key=line.count)
