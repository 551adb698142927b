"""The tables of a system's exports, each known by the titles of its columns; and decisions to export back.

Systems write workbooks with a sheet per track or per kind of record; people save them again as XLSX
or CSV, with or without the rows above the header.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Generic, TypeVar

import polars as pl

from unround.errors import UsageError
from unround.formats.cells import left_out_note, listed, on_one_line
from unround.formats.files.source import Source, once_per_source
from unround.formats.files.tables import Table, possible_headers, read_tables, title_of
from unround.formats.model import Context, FileContent, Gives, ImportRefused, Options, Reader, Sheet

Kind = TypeVar("Kind", bound=Enum)


class Exports(Generic[Kind]):
    """The kinds of tables that a system exports, the most important first, each with its title."""

    def __init__(
        self, system: str, kinds: type[Kind], kind_of: Callable[[set[str]], Kind | None]
    ) -> None:
        self._system, self._kinds, self._kind_of = system, kinds, kind_of
        self.kind_in = once_per_source(self._kind_in)

    def _kind_in(self, source: Source) -> Kind | None:
        """Return the kind of the most important table of a file."""
        first, *_ = self._kinds
        found: set[Kind | None] = set()
        for cells in possible_headers(source):
            found.add(self._kind(cells))
            if first in found:
                break
        return next((kind for kind in self._kinds if kind in found), None)

    def reader(
        self,
        read: Callable[[Source, Options, Context], FileContent],
        gives: Gives,
        *kinds: Kind,
        refuses: bool = False,
    ) -> Reader:
        """Return the reader for files of the first of these kinds; the others look alike."""
        name = f"{self._system}-{kinds[0].name.lower().replace('_', '-')}"
        title = kinds[0].value
        return Reader(name, title, gives, lambda file: self.kind_in(file) in kinds, read, refuses)

    def tables(
        self,
        source: Source,
        *kinds: Kind,
        notes: list[str],
        wanted: Callable[[str], bool] = lambda name: True,
    ) -> Iterator[tuple[Kind, Table]]:
        """Yield the tables of some kinds; `notes` get the rows and sheets that are left out."""
        for table in read_tables(source, wanted, lambda cells: self._kind(cells) is not None):
            kind = self._kind([*table.header, *table.repeated])
            if kind is not None and kind in kinds:
                rest, repeated = table.without_repeated_headers(table.data.columns)
                notes += (*_rows_above(table), *_columns_twice(table), *repeated)
                yield kind, rest
            elif kind is not None or table.above or table.data.height:
                what = kinds[0].name.lower()
                notes.append(f"sheet '{table.sheet}' left out: it holds no {what}")

    def _kind(self, header: Sequence[str]) -> Kind | None:
        return self._kind_of(set(map(title_of, header)))


def _rows_above(table: Table) -> tuple[str, ...]:
    """Note the rows above the header that have more cells than a title with a comma has."""
    count = sum(sum(bool(cell.strip()) for cell in cells) > 2 for cells in table.above)
    return left_out_note(count, "row above the header")


def _columns_twice(table: Table) -> tuple[str, ...]:
    if not table.repeated:
        return ()
    names = listed([repr(on_one_line(name)) for name in table.repeated])
    return (f"of columns of one name only the first is read: {names}",)


def column_of(table: Table, title: str) -> str:
    """Return the name of the column with this title; refuse a table that has none."""
    column = table.find(title)
    if column is None:
        names = ", ".join(map(on_one_line, table.header))
        raise ImportRefused(f"{table.where} has no column {title!r}; found: {names}")
    return column


def columns_by_title(table: Table, titles: Mapping[str, str], options: Options) -> dict[str, str]:
    """Return the columns of a table by our names: those that the user named, or with usual titles."""
    found = {ours: table.find(options.columns.get(ours, title)) for ours, title in titles.items()}
    columns = {ours: column for ours, column in found.items() if column is not None}
    return columns | {"paper": column_of(table, options.columns.get("paper", titles["paper"]))}


def sheet_of(table: Table, columns: Mapping[str, str]) -> Sheet:
    """Return some of a table's columns as text, by our names."""
    cells = {name: table.texts(column) for name, column in columns.items()}
    return Sheet(pl.DataFrame(cells, schema=dict.fromkeys(cells, pl.String)), table.place)


def decided_papers(papers: pl.DataFrame) -> list[tuple[object, object]]:
    """Return the papers with a decision, and the decisions; refuse if there is none."""
    if "decision" in papers.columns:
        decided = papers.filter(pl.col("decision").fill_null("") != "")
        if decided.height:
            return decided.select("paper", "decision").rows()
    raise UsageError("no paper has a decision yet; decide on papers first, or leave decisions out")
