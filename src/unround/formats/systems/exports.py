"""The tables of a system's exports, each known by the titles of its columns; and decisions to export back.

Systems write workbooks with a sheet per track or per kind of record; people save them again as XLSX
or CSV, with or without the rows above the header.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from unround.errors import UsageError
from unround.formats.cells import left_out_note, listed, on_one_line
from unround.formats.files.source import Source, once_per_source
from unround.formats.files.tables import Table, possible_headers, read_tables, title_of
from unround.formats.model import (
    Context,
    FileContent,
    Gives,
    ImportRefused,
    Options,
    PaperBuilder,
    Reader,
    Sheet,
)
from unround.wording import SYSTEMS

REVIEWS = "reviews"


@dataclass(frozen=True)
class ExportKind:
    """A kind of table: its name, what people call it, and the titles of its columns."""

    name: str
    title: str
    has: Collection[str]  # titles that such a table has,
    any_of: Collection[str] = ()  # of which it has one at least,
    lacks: Collection[str] = ()  # and that it does not have


class Exports:
    """The kinds of tables that a system exports: the first that fits a table is its kind.

    `title` turns the names of columns into the titles of the kinds.
    """

    def __init__(
        self, system: str, *kinds: ExportKind, title: Callable[[str], str] = title_of
    ) -> None:
        self._system, self._kinds, self._title = system, kinds, title
        self.kind_in = once_per_source(self._kind_in)

    def _kind_in(self, source: Source) -> str:
        """Return the first kind that any table of a file has; none if no table has one."""
        found: set[str] = set()
        for cells in possible_headers(source):
            found.add(self._kind(cells))
            if REVIEWS in found:
                return REVIEWS
        return next((kind.name for kind in self._kinds if kind.name in found), "")

    def reader(
        self,
        read: Callable[[Source, Options, Context], FileContent],
        gives: Gives,
        *names: str,
    ) -> Reader:
        """Return the reader for files of the first of these kinds; the others look alike."""
        title = next(kind.title for kind in self._kinds if kind.name == names[0])
        name = f"{self._system}-{names[0]}"
        return Reader(name, title, gives, lambda file: self.kind_in(file) in names, read)

    def unused(self, *names: str) -> Reader:
        """Return the reader for files of these kinds, which says that they are not used."""

        def read(source: Source, options: Options, context: Context) -> FileContent:
            kind = next(kind for kind in self._kinds if kind.name == self.kind_in(source))
            return FileContent(f"{kind.title}: scores are those of reviewers")

        return self.reader(read, Gives.PAPERS, *names)

    def papers(self, name: str, add: Callable[[PaperBuilder, Table, Options], None]) -> Reader:
        """Return the reader for lists of papers; `add` adds those of a table."""

        def read(source: Source, options: Options, context: Context) -> FileContent:
            papers, notes = PaperBuilder(), list[str]()
            for _, table in self.tables(source, name, notes=notes):
                add(papers, table, options)
            return FileContent(
                recognised=f"{SYSTEMS[self._system].title} {name}",
                papers=papers.papers(),
                withdrawn=papers.withdrawn,
                notes=tuple(notes),
            )

        return self.reader(read, Gives.PAPERS, name)

    def tables(
        self,
        source: Source,
        *names: str,
        notes: list[str],
        wanted: Callable[[str], bool] = lambda name: True,
    ) -> Iterator[tuple[str, Table]]:
        """Yield the tables of some kinds; `notes` get the rows and sheets that are left out."""
        for table in read_tables(source, wanted, lambda cells: self._kind(cells) != ""):
            kind = self._kind([*table.header, *table.repeated])
            if kind in names:
                rest, repeated = table.without_repeated_headers(table.data.columns)
                notes += (*_rows_above(table), *_columns_twice(table), *repeated)
                yield kind, rest
            elif kind or table.above or table.data.height:
                notes.append(f"sheet '{table.sheet}' left out: it holds no {names[0]}")

    def _kind(self, header: Sequence[str]) -> str:
        has = set(map(self._title, header))
        fitting = (
            kind.name
            for kind in self._kinds
            if has.issuperset(kind.has) and has.isdisjoint(kind.lacks)
            if not (kind.any_of and has.isdisjoint(kind.any_of))
        )
        return next(fitting, "")


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
