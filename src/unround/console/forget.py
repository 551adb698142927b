"""Forgetting a person or a conference: what `unround forget` does to a console's data.

Names of a person are replaced wherever the database holds them: in text, JSON and packed files. Every column
of every table is looked at, so that a table that is added later is not overlooked.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

import polars as pl
from sqlalchemy import (
    JSON,
    ColumnElement,
    LargeBinary,
    Table,
    Text,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session

from unround.console.access.log import note
from unround.console.ballots.collections import find_conference
from unround.console.settings import ConsoleSettings
from unround.console.storage.open_data import BEFORE_UPGRADE
from unround.console.storage.orm import (
    AreaChairRow,
    BallotRow,
    Base,
    CollectionRow,
    ConferenceRow,
    FileRow,
    FormerAreaChairsRow,
    LinkRow,
    RunFileRow,
    RunRow,
)
from unround.console.storage.run_files import run_table
from unround.console.storage.uploads import remove
from unround.errors import UsageError
from unround.runs.tables import SCORES

SHORTEST = 4
NAMES = ("reviewer", "reviewer_name")  # columns of scores.csv


@dataclass
class Forgotten:
    """What would be deleted, shown before it is confirmed."""

    counts: Counter[str] = field(default_factory=Counter)
    files: list[str] = field(default_factory=list)  # uploads to be deleted
    also_known_as: list[str] = field(default_factory=list)


def forget_conference(session: Session, named: str) -> Forgotten:
    """Delete a conference, by its id or name, with everything in it."""
    row = find_conference(session, named, in_bin=True)
    if row is None:
        raise UsageError(f"there is no conference {named}")
    files = _files(session, FileRow.conference == row.id)
    session.execute(delete(ConferenceRow).where(ConferenceRow.id == row.id))
    note(session, None, "owner", "forgot a conference")
    return Forgotten(Counter(conferences=1), files)


def forget_person(session: Session, names: Sequence[str], settings: ConsoleSettings) -> Forgotten:
    """Replace a person's names everywhere, and delete their ballots, links and uploads that name them.

    Uploads of every conference that names the person go: finished runs do not need them.
    """
    _check_names(names)
    forgotten = Forgotten(also_known_as=_also_known_as(session, names))
    _delete_access(session, names, forgotten)
    erasure = Erasure(names, f"forgotten-{token_hex(4)}")
    erasure.conferences |= _delete_ballots(session, names, forgotten)
    erasure.apply(session)
    forgotten.counts.update(erasure.counts)
    forgotten.files = _files(session, FileRow.conference.in_(erasure.conferences))
    forgotten.files += [
        id
        for id in _files(session, FileRow.conference.not_in(erasure.conferences))
        if _holds(settings, id, erasure)
    ]
    session.execute(delete(FileRow).where(FileRow.id.in_(forgotten.files)))
    if forgotten.counts or forgotten.files:
        note(session, None, "owner", "forgot a person")
    return forgotten


def remove_files(settings: ConsoleSettings, files: Collection[str]) -> None:
    """Remove uploads and backups of upgrades, once the database has forgotten them."""
    remove(settings.uploads, files)
    for backup in settings.data.glob(f"{BEFORE_UPGRADE}*.backup"):
        backup.unlink(missing_ok=True)


def _check_names(names: Sequence[str]) -> None:
    for name in names:
        if len(name.strip()) < SHORTEST or name.strip().isdecimal():
            raise UsageError(
                f"{name!r} could be part of other text: name the person by full name or e-mail, "
                f"{SHORTEST} characters or more"
            )


def _also_known_as(session: Session, names: Sequence[str]) -> list[str]:
    """Return other names of the same reviewer or area chair, which were not given."""
    pairs = [
        (AreaChairRow.name, AreaChairRow.email),
        (BallotRow.reviewer, BallotRow.name),
        (BallotRow.reviewer, BallotRow.email),
        (BallotRow.name, BallotRow.email),
    ]
    found = {
        other
        for one, two in (*pairs, *((two, one) for one, two in pairs))
        for other in session.scalars(select(two).where(_is_any(one, names)).distinct())
        if other
    }
    found |= _also_known_in_runs(session, names)
    given = {name.casefold() for name in names}
    return sorted(other for other in found if other.casefold() not in given)


def _also_known_in_runs(session: Session, names: Sequence[str]) -> set[str]:
    """Return the ids and names that the results of runs hold for the same reviewer."""
    found: set[str] = set()
    given = [name.lower() for name in names]
    for run in session.scalars(select(RunFileRow.run).where(RunFileRow.name == SCORES)).all():
        reviews = run_table(session, run, SCORES)
        if NAMES[1] in reviews.columns:
            lower = pl.col(*NAMES).str.to_lowercase()
            same = reviews.filter(pl.any_horizontal(lower.is_in(given)))
            found.update(name for column in NAMES for name in same[column] if name)
    return found


def _delete_access(session: Session, names: Sequence[str], forgotten: Forgotten) -> None:
    """Delete the person as an area chair and as a chair, with links and sessions."""
    is_person = or_(_is_any(AreaChairRow.name, names), _is_any(AreaChairRow.email, names))
    people = session.scalars(select(AreaChairRow.id).where(is_person)).all()
    own = or_(LinkRow.area_chair.in_(people), _is_any(LinkRow.label, names))
    links = session.scalars(select(LinkRow.id).where(own)).all()
    session.execute(delete(LinkRow).where(LinkRow.id.in_(links)))
    session.execute(delete(AreaChairRow).where(AreaChairRow.id.in_(people)))
    forgotten.counts += Counter({"area_chairs": len(people), "links": len(links)})
    given = {name.casefold() for name in names}
    for former in session.scalars(select(FormerAreaChairsRow)):
        former.people = [
            person
            for person in former.people
            if not given & {person[0].casefold(), (person[1] or "").casefold()}
        ]
    session.flush()


def _delete_ballots(session: Session, names: Sequence[str], forgotten: Forgotten) -> set[str]:
    """Delete the person's ballots with versions, links and sessions; return the conferences."""
    columns = (BallotRow.reviewer, BallotRow.name, BallotRow.email)
    is_person = or_(*(_is_any(column, names) for column in columns))
    own = select(BallotRow.id, CollectionRow.conference).join(
        CollectionRow, CollectionRow.id == BallotRow.collection
    )
    found = {row.id: row.conference for row in session.execute(own.where(is_person))}
    session.execute(delete(BallotRow).where(BallotRow.id.in_(found)))
    forgotten.counts += Counter({"ballots": len(found)})
    return set(found.values())


def _is_any(column: object, names: Sequence[str]) -> ColumnElement[bool]:
    return func.lower(column).in_([func.lower(name) for name in names])


def _files(session: Session, where: ColumnElement[bool]) -> list[str]:
    return list(session.scalars(select(FileRow.id).where(where)))


def _holds(settings: ConsoleSettings, file: str, erasure: Erasure) -> bool:
    """Whether an upload names the person as plain text. Packed files are not looked into."""
    path = settings.uploads / file
    if not path.is_file():
        return False
    text = path.read_bytes().decode("utf-8", "replace")
    return erasure.text(text) != text


# Names that end at another word's letters are other names: "Ada" is not in "Adam" or "ada@x.org".
START, END = r"(?<![\w@.+-])", r"(?![\w@+-]|\.\w)"


@dataclass
class Erasure:
    """Names of one person and what stands for them from now on; counts what was replaced."""

    names: Sequence[str]
    stand_in: str
    counts: Counter[str] = field(default_factory=Counter)  # values per table
    conferences: set[str] = field(default_factory=set)  # where the person was named

    def __post_init__(self) -> None:
        forms = sorted({form for name in self.names for form in _forms(name)}, key=len)
        words = "|".join(re.escape(form) for form in reversed(forms))
        self._pattern = re.compile(f"{START}(?:{words}){END}", re.IGNORECASE)

    def apply(self, session: Session) -> None:
        """Replace the names in every table."""
        for table in Base.metadata.sorted_tables:
            for column in table.columns:
                if isinstance(column.type, JSON | LargeBinary):
                    self._replace_values(session, table, column)
                elif isinstance(column.type, Text):  # ids and hashes are of other types
                    self._replace_texts(session, table, column)

    def text(self, value: str) -> str:
        """Return a text without the names."""
        return self._pattern.sub(self.stand_in, value)

    def _replace_texts(self, session: Session, table: Table, column: Any) -> None:
        """Replace texts that are equal at once: a reviewer stands in thousands of rows."""
        holds = or_(*(column.icontains(name, autoescape=True) for name in self.names))
        for old in session.scalars(select(column).where(holds).distinct()).all():
            new = self.text(old)
            if new == old:
                continue
            self._note_conferences(session, table, column == old)
            done: Any = session.execute(update(table).where(column == old).values({column: new}))
            self.counts[table.name] += done.rowcount

    def _replace_values(self, session: Session, table: Table, column: Any) -> None:
        """Replace inside JSON and packed files, one row at a time: they may be large."""
        keys = list(table.primary_key.columns)
        for row in session.execute(select(*keys).where(column.is_not(None))).all():
            this = [key == value for key, value in zip(keys, row, strict=True)]
            old = session.scalar(select(column).where(*this))
            new = self._packed(old) if isinstance(old, bytes) else self._json(old)
            if new == old:
                continue
            self._note_conferences(session, table, *this)
            session.execute(update(table).where(*this).values({column: new}))
            self.counts[table.name] += 1

    def _packed(self, packed: bytes) -> bytes:
        old = gzip.decompress(packed).decode("utf-8")
        new = self.text(old)
        return packed if new == old else gzip.compress(new.encode("utf-8"), mtime=0)

    def _json(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._json(one) for one in value]
        if isinstance(value, dict):
            return {self.text(key): self._json(one) for key, one in value.items()}
        return value

    def _note_conferences(self, session: Session, table: Table, *where: Any) -> None:
        """Remember the conferences of rows that name the person."""
        if "conference" in table.columns:
            query = select(table.columns.conference).where(*where)
        elif "run" in table.columns:
            runs = select(table.columns.run).where(*where)
            query = select(RunRow.conference).where(RunRow.id.in_(runs))
        else:
            return
        self.conferences |= {id for id in session.scalars(query.distinct()) if id is not None}


def _forms(name: str) -> set[str]:
    """Return a name as texts, JSON and CSV files write it."""
    return {
        name,
        json.dumps(name)[1:-1],
        json.dumps(name, ensure_ascii=False)[1:-1],
        name.replace('"', '""'),
    }
