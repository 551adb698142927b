"""Read EasyChair's submissions: titles, tracks and decisions of papers."""

from __future__ import annotations

import polars as pl

from unround.formats.cells import counted
from unround.formats.files.source import Source
from unround.formats.model import FileContent, Options, Sheet
from unround.formats.systems.easychair.exports import LAYOUTS, Export
from unround.formats.systems.sheet_tables import Places, SheetTable, tables

TITLES = {"paper": "#", "title": "title", "track": "track name", "decision": "decision"}
META_REVIEWS = (
    "EasyChair meta-reviews, which are not used: scores are those of reviewers; give review.csv"
)


class Submissions:
    """The submissions read so far."""

    def __init__(self, file: str) -> None:
        self._file, self._places = file, Places(file)
        self._cells: dict[str, list[str | None]] = {name: [] for name in TITLES}
        self._deleted = 0

    def add(self, table: SheetTable) -> None:
        """Add the rows of a table."""
        columns = {name: table.find(title) for name, title in TITLES.items()}
        deleted = table.find("deleted?")
        for row in table.records():
            for name, column in columns.items():
                text = row.cells.get(-1 if column is None else column, "").strip()
                self._cells[name].append(text or None)
            self._places.add(row)
            marked = row.cells.get(-1 if deleted is None else deleted, "").strip().casefold()
            self._deleted += marked in ("yes", "✔")

    def sheet(self) -> Sheet | None:
        """Return the papers, if there are any."""
        if not self._cells["paper"]:
            return None
        filled = {name: cells for name, cells in self._cells.items() if any(cells)}
        return Sheet(pl.DataFrame(filled, schema=dict.fromkeys(filled, pl.String)), self._places)

    def notes(self) -> tuple[str, ...]:
        """Say that submissions are marked as deleted, if so."""
        if not self._deleted:
            return ()
        return (
            f"{self._file}: {counted(self._deleted, 'submission')} marked as deleted; their reviews "
            "count as long as the reviews hold them",
        )


def read_submissions(source: Source, _: Options) -> FileContent:
    """Read one row per paper."""
    submissions = Submissions(source.name)
    for kind, table in tables(source, LAYOUTS):
        if kind is Export.SUBMISSIONS:
            submissions.add(table)
    return FileContent(
        recognised=f"{source.name}: EasyChair submissions",
        papers=submissions.sheet(),
        notes=submissions.notes(),
    )


def pass_over_meta_reviews(source: Source, _: Options) -> FileContent:
    """Take nothing from meta-reviews, and say so."""
    return FileContent(recognised=f"{source.name}: {META_REVIEWS}")
