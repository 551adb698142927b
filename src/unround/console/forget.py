"""Forgetting a person or a conference: what `unround forget` does to a console's data.

Names of a person are replaced wherever the database holds them: in text, JSON and packed files. Every column
of every table is looked at, so that a table that is added later is not overlooked.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any
from unicodedata import normalize
from urllib.parse import quote
from zipfile import ZipFile, is_zipfile

from sqlalchemy import (
    JSON,
    ColumnElement,
    LargeBinary,
    Table,
    Text,
    delete,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.orm import InstrumentedAttribute, Session, undefer

from unround.console.access.log import note
from unround.console.ballots.collections import find_conference
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.open_data import BEFORE_UPGRADE
from unround.console.storage.orm import (
    AreaChairRow,
    BallotRow,
    Base,
    CollectionRow,
    ConferenceRow,
    FileRow,
    JobRow,
    LinkRow,
    RunFileRow,
    RunRow,
)
from unround.console.storage.run_files import run_table
from unround.console.storage.uploads import remove
from unround.errors import UsageError
from unround.formats.files.source import Source
from unround.runs.tables import SCORES

SHORTEST = 4
MOST_SHOWN = 100  # letters of a longer word
MOST_READ = 1 << 28  # bytes of a packed file
NAMES = ("reviewer", "reviewer_name")  # columns of scores.csv


@dataclass
class Forgotten:
    """What would be deleted, shown before it is confirmed."""

    counts: Counter[str] = field(default_factory=Counter)
    files: list[str] = field(default_factory=list)  # uploads to be deleted
    conferences: Counter[str] = field(default_factory=Counter)  # their uploads, by name
    also_known_as: list[str] = field(default_factory=list)
    within: list[str] = field(default_factory=list)  # longer words in which a name is replaced

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not self.counts and not self.files


def forget_conference(session: Session, named: str) -> Forgotten:
    """Delete a conference, by its id or name, with everything in it."""
    row = find_conference(session, named, in_bin=True)
    if row is None:
        raise UsageError(f"there is no conference {named}")
    files, name = _files(session, FileRow.conference == row.id), row.name
    session.execute(delete(ConferenceRow).where(ConferenceRow.id == row.id))
    note(session, None, "owner", "forgot a conference")
    return Forgotten(Counter(conferences=1), files, Counter({name: len(files)}))


def forget_person(session: Session, names: Sequence[str], settings: ConsoleSettings) -> Forgotten:
    """Replace a person's names everywhere, and delete their ballots, links and uploads that name them.

    Uploads of every conference that names the person go: finished runs do not need them.
    """
    _check_names(names)
    erasure = Erasure(names, f"forgotten-{token_hex(4)}")
    forgotten = Forgotten(also_known_as=_also_known_as(session, erasure))
    _delete_access(session, erasure, forgotten)
    erasure.conferences |= _delete_ballots(session, erasure, forgotten)
    erasure.apply(session)
    forgotten.counts.update(erasure.counts)
    forgotten.files = _files(session, FileRow.conference.in_(erasure.conferences))
    forgotten.files += [
        id
        for id in _files(session, FileRow.conference.not_in(erasure.conferences))
        if erasure.is_in(settings.uploads / id)
    ]
    forgotten.within = sorted(erasure.within)
    owners = select(ConferenceRow.name).join(FileRow, FileRow.conference == ConferenceRow.id)
    forgotten.conferences.update(session.scalars(owners.where(FileRow.id.in_(forgotten.files))))
    session.execute(delete(FileRow).where(FileRow.id.in_(forgotten.files)))
    if not forgotten.is_empty:
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


def _also_known_as(session: Session, person: Erasure) -> list[str]:
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
        for other in session.scalars(select(two).where(person.is_named(session, one)).distinct())
        if other
    }
    found |= _also_known_in_runs(session, person)
    return sorted(other for other in found if not person.is_name(other))


def _also_known_in_runs(session: Session, person: Erasure) -> set[str]:
    """Return the ids and names that the results of runs hold for the same reviewer."""
    found: set[str] = set()
    for run in session.scalars(select(RunFileRow.run).where(RunFileRow.name == SCORES)).all():
        reviews = run_table(session, run, SCORES)
        if NAMES[1] in reviews.columns:
            pairs = reviews.select(NAMES).unique().rows()
            same = (pair for pair in pairs if any(name and person.is_name(name) for name in pair))
            found.update(name for pair in same for name in pair if name)
    return found


def _delete_access(session: Session, person: Erasure, forgotten: Forgotten) -> None:
    """Delete the person as an area chair and as a chair, with links and sessions."""
    columns = (AreaChairRow.name, AreaChairRow.email)
    is_person = or_(*(person.is_named(session, column) for column in columns))
    people = session.scalars(select(AreaChairRow.id).where(is_person)).all()
    own = or_(LinkRow.area_chair.in_(people), person.is_named(session, LinkRow.label))
    links = session.scalars(select(LinkRow.id).where(own)).all()
    session.execute(delete(LinkRow).where(LinkRow.id.in_(links)))
    session.execute(delete(AreaChairRow).where(AreaChairRow.id.in_(people)))
    forgotten.counts += Counter({"area_chairs": len(people), "links": len(links)})
    changed = select(ConferenceRow).where(ConferenceRow.former.is_not(None))
    for conference in session.scalars(changed.options(undefer(ConferenceRow.former))):
        former = conference.former or {"people": []}
        others = [
            one for one in former["people"] if not any(map(person.is_name, filter(None, one[:2])))
        ]
        conference.former = former | {"people": others}
    session.flush()


def _delete_ballots(session: Session, person: Erasure, forgotten: Forgotten) -> set[str]:
    """Delete the person's ballots with versions, links and sessions; return the conferences."""
    columns = (BallotRow.reviewer, BallotRow.name, BallotRow.email)
    is_person = or_(*(person.is_named(session, column) for column in columns))
    own = select(BallotRow.id, CollectionRow.conference).join(
        CollectionRow, CollectionRow.id == BallotRow.collection
    )
    found = {row.id: row.conference for row in session.execute(own.where(is_person))}
    session.execute(delete(BallotRow).where(BallotRow.id.in_(found)))
    forgotten.counts += Counter({"ballots": len(found)})
    return set(found.values())


def _files(session: Session, where: ColumnElement[bool]) -> list[str]:
    return list(session.scalars(select(FileRow.id).where(where)))


# A name ends where letters and digits end; one may also begin after a letter that writes another
# character, as n in \\n, 0 in %20 and \\u00a0.
START = r"(?:(?<![^\W_])|(?<=\\[nrt])|(?<=%[0-9a-f]{2})|(?<=\\u[0-9a-f]{4}))"
END = r"(?![^\W_])"
BLANKS = r"(?:[\s+._-]|%20|%0[9ad]|%c2%a0|%e2%80%[89a].|%e3%80%80|\\[nrt]|\\u(?:00a0|20..|3000))+"
JOINED = re.compile(r"[\w@.+%-]")  # signs that join a longer word


@dataclass
class Erasure:
    """Names of one person and what stands for them from now on; counts what was replaced."""

    names: Sequence[str]
    stand_in: str
    counts: Counter[str] = field(default_factory=Counter)  # values per table
    conferences: set[str] = field(default_factory=set)  # where the person was named
    within: set[str] = field(default_factory=set)  # longer words that held a name

    def __post_init__(self) -> None:
        texts = {normalize(form, name) for name in self.names for form in ("NFC", "NFD")}
        words = "|".join(_pattern(text) for text in sorted(texts, key=len, reverse=True))
        self._pattern = re.compile(f"{START}(?:{words}){END}", re.IGNORECASE)
        # Most texts hold no name: a search for a part of it is a hundred times as quick.
        runs = (re.findall("[a-z0-9]+", text.lower()) or [""] for text in texts)
        self._parts = {max(one, key=len) for one in runs}

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
        lowered = value.lower()
        if not any(part in lowered for part in self._parts):
            return value
        return self._pattern.sub(self._replaced, value)

    def _replaced(self, found: re.Match[str]) -> str:
        text, (first, last) = found.string, found.span()
        while first and JOINED.match(text[first - 1]):
            first -= 1
        while last < len(text) and JOINED.match(text[last]):
            last += 1
        beside = text[first : found.start()] + text[found.end() : last]
        if re.search(r"[^\W_]", beside):
            self.within.add(text[first:last][:MOST_SHOWN])
        return self.stand_in

    def is_name(self, value: str) -> bool:
        """Return whether a text is one of the names and nothing else."""
        return self._pattern.fullmatch(value.strip()) is not None

    def is_named(self, session: Session, column: InstrumentedAttribute[Any]) -> ColumnElement[bool]:
        """Return the condition that a column is one of the names."""
        values = session.scalars(select(column).where(column.is_not(None)).distinct())
        return column.in_([value for value in values if self.is_name(value)])

    def is_in(self, path: Path) -> bool:
        """Return whether a file, or one that is packed in it, holds a name as text."""
        return path.is_file() and any(self.text(one) != one for one in _texts_in(path))

    def _replace_texts(self, session: Session, table: Table, column: Any) -> None:
        """Replace texts that are equal at once: a reviewer stands in thousands of rows."""
        given = set[str]()
        for old in session.scalars(select(column).where(column.is_not(None)).distinct()).all():
            new = self.text(old)
            if new == old:
                continue
            if column.primary_key and new in given:  # two spellings of one tag
                new += f"-{len(given)}"
            given.add(new)
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
        elif "job" in table.columns:
            jobs = select(table.columns.job).where(*where)
            query = select(JobRow.conference).where(JobRow.id.in_(jobs))
        elif "run" in table.columns:
            runs = select(table.columns.run).where(*where)
            query = select(RunRow.conference).where(RunRow.id.in_(runs))
        else:
            return
        self.conferences |= {id for id in session.scalars(query.distinct()) if id is not None}


def _pattern(name: str) -> str:
    """Return a pattern for a name as texts, JSON, CSV and addresses write it."""
    return BLANKS.join("".join(map(_letter, word)) for word in name.split())


def _letter(letter: str) -> str:
    forms = {letter, quote(letter, safe=""), json.dumps(letter)[1:-1], letter.replace('"', '""')}
    return "(?:" + "|".join(re.escape(form) for form in sorted(forms)) + ")"


def _texts_in(path: Path) -> Iterator[str]:
    """Yield the text of a file, or of the files that are packed in it."""
    source = Source(path)
    if source.is_zip and is_zipfile(path):
        with ZipFile(path) as archive:
            for name in archive.namelist():
                with suppress(Exception), archive.open(name) as file:  # damaged, or with a password
                    yield file.read(MOST_READ).decode("utf-8", "replace")
    elif source.is_gzip:
        with suppress(OSError, EOFError), gzip.open(path) as packed:
            yield packed.read(MOST_READ).decode("utf-8", "replace")
    else:
        yield path.read_bytes().decode(source.encoding, "replace")


PLANNER = """SELECT tablename || '.' || attname, most_common_vals::text, histogram_bounds::text
FROM pg_stats WHERE schemaname = current_schema()"""


def remaining(database: Database, settings: ConsoleSettings, names: Sequence[str]) -> list[str]:
    """Return the tables and files of a console that hold a person's names."""
    person = Erasure(names, "forgotten")
    with database.reading() as session:  # what is replaced here is rolled back
        person.apply(session)
        found = [f"the table {table}" for table in person.counts]
        if not database.is_sqlite:
            for column, *values in session.execute(text(PLANNER)):
                held = "\n".join(filter(None, values))
                found += [f"PostgreSQL's statistics of {column}"] * (person.text(held) != held)
    files = sorted(path for path in settings.data.rglob("*") if person.is_in(path))
    return found + [str(path) for path in files]
