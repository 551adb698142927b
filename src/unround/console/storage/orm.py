"""The tables of the database. Ids are 32 random hex digits; secrets are stored only as SHA-256.

Results (run_files) are written once, when the run ends, and never changed: they are deleted only with
their run.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

from unround.disclosure.scope import DEFAULT


def new_id() -> str:
    """Return a random id that cannot be guessed from others."""
    return secrets.token_hex(16)


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class Utc(TypeDecorator[datetime]):
    """A time in UTC, whatever the database does with time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Store UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return an aware time in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """The base class of all rows."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: Text(),
        datetime: Utc(),
        dict[str, Any]: JSON(),
        list[Any]: JSON(),
    }


def id_column() -> Mapped[str]:
    """Return the primary key: 32 random hex digits."""
    return mapped_column(String(32), primary_key=True)


def owner_column(table: str, *, key: bool = False, index: bool = False) -> Mapped[Any]:
    """Return a foreign key to the row that owns this one and is deleted with it."""
    parent = ForeignKey(f"{table}.id", ondelete="CASCADE")
    return mapped_column(String(32), parent, primary_key=key, index=index)


class ConferenceRow(Base):
    """A conference. `edition` counts changes of who sees what; `key` seeds pseudonyms.

    `line` is the chairs' line (an AcceptanceLine), which all runs share. `former` are the area chairs that
    the last import replaced: when, by whom, and their names, e-mails and papers. `deleted` is when
    somebody put the conference into the bin, where nobody opens it, and `deleted_by` who.
    """

    __tablename__ = "conferences"
    id: Mapped[str] = id_column()
    name: Mapped[str]
    created: Mapped[datetime]
    show_stars: Mapped[bool] = mapped_column(default=True)
    show_names: Mapped[bool] = mapped_column(default=False)
    show_line: Mapped[bool] = mapped_column(default=False)
    show_decisions: Mapped[bool] = mapped_column(default=False)
    disclosure: Mapped[str] = mapped_column(String(16), default=DEFAULT)
    edition: Mapped[int] = mapped_column(default=0)
    key: Mapped[str] = mapped_column(String(64))
    line: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    former: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True), deferred=True)
    deleted: Mapped[datetime | None]
    deleted_by: Mapped[str | None]


class FileRow(Base):
    """An uploaded file; its bytes are in the data folder, named by its id."""

    __tablename__ = "files"
    id: Mapped[str] = id_column()
    conference: Mapped[str] = owner_column("conferences", index=True)
    name: Mapped[str]
    size: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))
    uploaded: Mapped[datetime]
    for_ballots: Mapped[bool] = mapped_column(default=False)


class Job(Base):
    """A job: queued, then running, then ended, that is done, refused, failed or cancelled."""

    __abstract__ = True
    id: Mapped[str] = id_column()
    conference: Mapped[str] = owner_column("conferences", index=True)
    status: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None]
    created: Mapped[datetime]
    finished: Mapped[datetime | None]
    request: Mapped[dict[str, Any]]


class JobRow(Job):
    """A job whose result is a document and files: a check, or what is worked out about a finished run.

    `kind` is a key of `JOBS`; `run` is the finished run.
    """

    __tablename__ = "jobs"
    kind: Mapped[str] = mapped_column(String(16))
    run: Mapped[str | None] = owner_column("runs", index=True)
    found: Mapped[dict[str, Any] | None] = mapped_column(JSON)


class JobFileRow(Base):
    """A file that a job has made, gzipped."""

    __tablename__ = "job_files"
    job: Mapped[str] = owner_column("jobs", key=True)
    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class RunRow(Job):
    """A run; its results are in its files."""

    kind: ClassVar[str] = "run"

    __tablename__ = "runs"
    name: Mapped[str]
    shared: Mapped[bool] = mapped_column(default=False)
    inputs: Mapped[list[Any]]
    issues: Mapped[dict[str, Any] | None] = mapped_column(JSON)  # of a refused run
    lam: Mapped[str | None]  # the one that was used
    archived: Mapped[bool] = mapped_column(default=False)

    @property
    def conflicts(self) -> str:
        """The policy on conflicts that was requested."""
        return str(self.request["method"]["conflicts"])


class RunFileRow(Base):
    """A file of a run, gzipped."""

    __tablename__ = "run_files"
    run: Mapped[str] = owner_column("runs", key=True)
    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class MarkColumns:
    """Columns of the chairs' marks on papers. A paper has its id as text, the same in every run."""

    conference: Mapped[str] = owner_column("conferences", key=True)
    paper: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]
    who: Mapped[str]
    at: Mapped[datetime]


class DecisionRow(MarkColumns, Base):
    """The chairs' decision on a paper."""

    __tablename__ = "decisions"


class NoteRow(MarkColumns, Base):
    """The chairs' note on a paper."""

    __tablename__ = "notes"


class TagRow(MarkColumns, Base):
    """A tag that the chairs gave to a paper."""

    __tablename__ = "tags"
    value: Mapped[str] = mapped_column(primary_key=True)


class PaperChangeRow(Base):
    """What one change did to one paper. Changes made at once share `batch`."""

    __tablename__ = "paper_changes"
    id: Mapped[int] = mapped_column(primary_key=True)
    conference: Mapped[str] = owner_column("conferences")
    batch: Mapped[str] = mapped_column(String(32), index=True)
    at: Mapped[datetime]
    who: Mapped[str]
    paper: Mapped[str]
    field: Mapped[str] = mapped_column(String(16))
    before: Mapped[str | None]
    after: Mapped[str | None]
    __table_args__ = (Index("paper_changes_by_paper", "conference", "paper"),)


class SavedViewRow(Base):
    """A named view of the table of papers: the query of its address."""

    __tablename__ = "saved_views"
    id: Mapped[str] = id_column()
    conference: Mapped[str] = owner_column("conferences", index=True)
    name: Mapped[str]
    query: Mapped[str]
    who: Mapped[str]
    at: Mapped[datetime]


class AreaChairRow(Base):
    """An area chair of a conference. A removed one keeps their links, which open nothing."""

    __tablename__ = "area_chairs"
    id: Mapped[str] = id_column()
    conference: Mapped[str] = owner_column("conferences", index=True)
    name: Mapped[str]
    email: Mapped[str | None]
    removed: Mapped[datetime | None]


class AssignmentRow(Base):
    """A paper of an area chair, by its id as text, in every run of the conference."""

    __tablename__ = "assignments"
    area_chair: Mapped[str] = owner_column("area_chairs", key=True)
    paper: Mapped[str] = mapped_column(primary_key=True)


class RecommendationRow(Base):
    """An area chair's recommendation on a paper of theirs, and their note to the chairs."""

    __tablename__ = "recommendations"
    area_chair: Mapped[str] = owner_column("area_chairs", key=True)
    paper: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str | None]
    note: Mapped[str | None]
    at: Mapped[datetime]


class LinkRow(Base):
    """A link: of an area chair, of a reviewer for one ballot, of a chair, or of the server's owner.

    `printed` marks the owner's link that every start of the server prints anew.
    """

    __tablename__ = "links"
    id: Mapped[str] = id_column()
    conference: Mapped[str | None] = owner_column("conferences", index=True)
    area_chair: Mapped[str | None] = owner_column("area_chairs", index=True)
    ballot: Mapped[str | None] = owner_column("ballots", index=True)
    printed: Mapped[bool] = mapped_column(default=False)
    secret: Mapped[str] = mapped_column(String(64), unique=True)  # SHA-256
    label: Mapped[str]
    created: Mapped[datetime]
    expires: Mapped[datetime | None]
    revoked: Mapped[datetime | None]
    opened: Mapped[datetime | None]

    @property
    def role(self) -> str:
        """The role of whoever enters by this link."""
        return "area_chair" if self.area_chair else "reviewer" if self.ballot else "chair"


class SessionRow(Base):
    """A session that was opened with a link."""

    __tablename__ = "sessions"
    id: Mapped[str] = id_column()
    link: Mapped[str] = owner_column("links", index=True)
    secret: Mapped[str] = mapped_column(String(64), unique=True)  # SHA-256
    created: Mapped[datetime]
    expires: Mapped[datetime]


class LogRow(Base):
    """A line of the log."""

    __tablename__ = "log"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    conference: Mapped[str | None] = owner_column("conferences", index=True)
    who: Mapped[str]
    action: Mapped[str] = mapped_column(String(40))
    detail: Mapped[str]


class CollectionRow(Base):
    """One call for rankings in a conference. `levels` are the scale's, worst first."""

    __tablename__ = "collections"
    id: Mapped[str] = id_column()
    conference: Mapped[str] = owner_column("conferences", index=True)
    created: Mapped[datetime]
    title: Mapped[str]
    instructions: Mapped[str]
    rules: Mapped[dict[str, Any]]  # ties, top_k, may_skip, mode
    show_scores: Mapped[bool]
    levels: Mapped[list[Any]]
    source: Mapped[str]  # in words
    state: Mapped[str] = mapped_column(String(16), default="open")
    deadline: Mapped[datetime | None]


class BallotRow(Base):
    """One reviewer's ballot. `version` is the newest; 0 while nothing is saved."""

    __tablename__ = "ballots"
    id: Mapped[str] = id_column()
    collection: Mapped[str] = owner_column("collections", index=True)
    reviewer: Mapped[str]
    name: Mapped[str | None]
    email: Mapped[str | None]
    papers: Mapped[list[Any]]  # paper, title, score, level
    opened: Mapped[datetime | None]  # the first time
    version: Mapped[int] = mapped_column(default=0)
    saved: Mapped[datetime | None]
    submitted: Mapped[datetime | None]  # the last time
    submitted_version: Mapped[int | None]
    tally: Mapped[dict[str, Any] | None] = mapped_column(JSON)  # counts of the newest version


class BallotVersionRow(Base):
    """One saved state of a ballot: never changed, and deleted only with the ballot.

    `save_id` is the client's: the same one is saved once.
    """

    __tablename__ = "ballot_versions"
    ballot: Mapped[str] = owner_column("ballots", key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    save_id: Mapped[str] = mapped_column(String(36))
    saved: Mapped[datetime]
    submitted: Mapped[bool]
    content: Mapped[dict[str, Any]] = mapped_column(JSON)
    __table_args__ = (UniqueConstraint("ballot", "save_id", name="ballot_versions_by_save_id"),)


class IdentityRow(Base):
    """The random id of this database, in its only row. Its data folder holds the same id."""

    __tablename__ = "identity"
    id: Mapped[str] = id_column()


UNFINISHED = ("queued", "running")
