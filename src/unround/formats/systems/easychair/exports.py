"""Recognise EasyChair's tables by the titles of their columns; read its committee and submissions.

Tables are CSV files, or sheets of a workbook.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

import polars as pl

from unround.formats.cells import counted
from unround.formats.files.source import Source, once_per_source
from unround.formats.model import FileContent, ImportRefused, Options, Sheet
from unround.formats.systems.sheet_tables import Layouts, Places, SheetTable, kinds_in, tables

TITLES = {"paper": "#", "title": "title", "track": "track name", "decision": "decision"}
META_REVIEWS = (
    "EasyChair meta-reviews, which are not used: scores are those of reviewers; give review.csv"
)


class Export(Enum):
    """The kinds of tables, in words."""

    REVIEWS = "reviews"
    META_REVIEWS = "meta-reviews"
    COMMITTEE = "committee"
    SUBMISSIONS = "submissions"


def recogniser(*exports: Export) -> Callable[[Source], bool]:
    """Return a function that tells whether a file's most important table is one of these."""
    return lambda source: export_of(source) in exports


@once_per_source
def export_of(source: Source) -> Export | None:
    """Return the kind of the most important table at the beginning of a file."""
    kinds = kinds_in(source, LAYOUTS)
    return next((kind for kind in Export if kind in kinds), None)


def _kind(titles: set[str]) -> Export | None:
    if {"submission #", "member name"} <= titles:
        if "version" in titles and titles & {"scores", "total score"}:
            return Export.REVIEWS
        return Export.META_REVIEWS if "recommendation" in titles else None
    if {"#", "person #", "first name", "last name", "email", "role"} <= titles:
        return Export.COMMITTEE
    if {"#", "title", "authors", "decision"} <= titles:
        return Export.SUBMISSIONS
    return None


LAYOUTS = Layouts(_kind, ("submission #", "person #", "title"))


def member_key(number: str) -> str:
    """Return the key of a committee member in FileContent.members."""
    return f"EasyChair member {number}"


def person_key(number: str) -> str:
    """Return the key of a person, who need not be on the committee."""
    return f"EasyChair person {number}"


def read_committee(source: Source, _: Options) -> FileContent:
    """Read a committee file."""
    members: dict[str, str] = {}
    for kind, table in tables(source, LAYOUTS):
        if kind is Export.COMMITTEE:
            members |= members_in(table)
    if not members:
        raise ImportRefused(f"{source.name} (EasyChair committee) names nobody with an e-mail")
    people = sum(key.startswith(member_key("")) for key in members)
    return FileContent(
        recognised=f"{source.name}: EasyChair committee, {people} members and their e-mails",
        members=members,
    )


def members_in(table: SheetTable) -> dict[str, str]:
    """Return the e-mail of every member number and person number of a committee table."""
    columns = [(table.find("#"), member_key), (table.find("person #"), person_key)]
    email = table.find("email")
    members: dict[str, str] = {}
    for row in table.records():
        address = row.cells.get(-1 if email is None else email, "").strip()
        for column, key in columns:
            number = row.cells.get(-1 if column is None else column, "").strip()
            if address and number:
                members[key(number)] = address
    return members


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
