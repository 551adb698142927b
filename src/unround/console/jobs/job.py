"""A job: what a worker receives, the files that it reads, and the states of its row.

A row is queued, then running, then ended: done, refused, failed or cancelled. Only the worker that was given
`attempt` may end a running job.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, CursorResult, and_, or_, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from unround.console.access.log import note
from unround.console.errors import (
    DATABASE_AWAY,
    DATABASE_CROWDED,
    DATABASE_STARTS,
    storage_error,
)
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.orm import TABLES, UNFINISHED, FileRow, JobKind, now
from unround.console.storage.run_files import store_files
from unround.errors import UnroundError
from unround.progress import StageProgress

Value = TypeVar("Value")
TEMPORARY = (DATABASE_AWAY, DATABASE_STARTS, DATABASE_CROWDED)
PATIENCE, RETRY = 60.0, 0.5  # seconds
ABANDONED = (
    "The server or its database failed while this job was starting or ending. Nothing was saved; "
    "start it again."
)


@dataclass(frozen=True)
class JobResult:
    """How a job ended: its status, the columns of its row, and the gzipped files of a run by name."""

    status: str
    columns: Mapping[str, Any]
    files: Mapping[str, bytes] = field(default_factory=dict)


class Superseded(Exception):
    """The job was cancelled, deleted or given to another worker: its result is dropped."""


@dataclass(frozen=True)
class Job:
    """One job for one worker, which receives it as JSON on its standard input."""

    kind: JobKind
    id: str
    attempt: str
    data: str
    database: str
    busy_seconds: float

    def line(self) -> str:
        """Return the job as one line of JSON."""
        return json.dumps(asdict(self)) + "\n"


# Computes a job's result from its request as JSON, and its files as rows and as paths.
Compute = Callable[[dict[str, Any], Sequence[FileRow], Sequence[Path], StageProgress], JobResult]


def perform(job: Job, compute: Compute, progress: StageProgress) -> None:
    """Carry out a job: read its request, compute, and store the result whole or not at all."""
    database = Database(job.database, job.busy_seconds)
    request, files = retry(lambda: _request(database, job))
    settings = ConsoleSettings(Path(job.data))
    folder = settings.work / job.attempt  # the server removes it, however the worker ended
    folder.mkdir(parents=True)
    tempfile.tempdir = str(folder)  # archives are unpacked there too
    result = compute(request, files, link_files(folder, settings.uploads, files), progress)
    progress("saving", 0, 1)

    def save() -> None:
        with database.writing(durable=True) as session:
            if finish(session, job, result.status, **result.columns):
                store_files(session, job.id, result.files)

    retry(save)
    progress("saving", 1, 1)


def _request(database: Database, job: Job) -> tuple[dict[str, Any], list[FileRow]]:
    with database.reading() as session:
        table = TABLES[job.kind]
        query = select(table.conference, table.request).where(table.id == job.id)
        conference, request = session.execute(query).one()
        return request, files_of(session, conference, request["files"])


def retry(act: Callable[[], Value]) -> Value:
    """Repeat a transaction for a minute while the database is away or starting.

    A locked database is not retried: the driver has waited already.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return act()
        except DBAPIError as error:
            storage = storage_error(error)
            if storage is None or storage[1] not in TEMPORARY or time.monotonic() > deadline:
                raise
            time.sleep(RETRY)


def files_of(session: Session, conference: str, ids: Sequence[str]) -> list[FileRow]:
    """Return files of a conference in the order of these ids. Raises UnroundError if one is missing."""
    query = select(FileRow).where(FileRow.conference == conference, FileRow.id.in_(ids))
    files = {file.id: file for file in session.scalars(query)}
    if not files.keys() >= set(ids):
        raise UnroundError("One of the files is not there any more. Choose the files again.")
    return [files[id] for id in ids]


def link_files(folder: Path, uploads: Path, files: Sequence[FileRow]) -> list[Path]:
    """Link files under their names, which messages show, each in a folder of its own.

    Two may have the same name. Names were cleaned when the files were uploaded.
    """
    paths = [folder / str(number) / file.name for number, file in enumerate(files)]
    for path, file in zip(paths, files, strict=True):
        path.parent.mkdir()
        path.symlink_to(uploads.absolute() / file.id)
    return paths


def begin(database: Database, kind: JobKind, id: str, attempt: str) -> bool:
    """Mark a job as running; False if it was cancelled in the queue.

    May be repeated, because the response to the first commit can be lost with the connection.
    """
    table = TABLES[kind]
    ours = and_(table.status == "running", table.attempt == attempt)
    waiting = or_(table.status == "queued", ours)
    return _move(database, kind, id, waiting, status="running", attempt=attempt)


def finish(session: Session, job: Job, status: str, **values: Any) -> bool:
    """Write the end of a job. Raises Superseded.

    False if the same worker has written it before: the response to that commit was lost.
    """
    table = TABLES[job.kind]
    done = select(table.status).where(table.id == job.id, table.attempt == job.attempt)
    if session.scalar(done) == status:
        return False
    ended = session.execute(
        update(table)
        .where(table.id == job.id, table.status == "running", table.attempt == job.attempt)
        .values(status=status, finished=now(), **values)
    )
    if not isinstance(ended, CursorResult) or ended.rowcount != 1:
        raise Superseded
    return True


def fail(database: Database, kind: JobKind, id: str, attempt: str, reason: str) -> bool:
    """Mark a job as failed; False if it has ended already, or another attempt runs it."""
    table = TABLES[kind]
    ours = and_(table.status == "running", table.attempt == attempt)
    values = {"status": "failed", "reason": reason, "finished": now()}
    return _move(database, kind, id, ours, **values)


def cancel(database: Database, kind: JobKind, id: str, reason: str | None = None) -> bool:
    """Mark a job as cancelled; False if it has ended already."""
    unfinished = TABLES[kind].status.in_(UNFINISHED)
    values = {"status": "cancelled", "reason": reason, "finished": now()}
    return _move(database, kind, id, unfinished, **values)


def unfinished_jobs(
    session: Session, conference: str | None = None
) -> dict[tuple[JobKind, str], list[str]]:
    """Return the files of each job, of one conference or all, whose row is queued or running."""
    found: dict[tuple[JobKind, str], list[str]] = {}
    for kind, table in TABLES.items():
        query = select(table.id, table.request).where(table.status.in_(UNFINISHED))
        if conference is not None:
            query = query.where(table.conference == conference)
        found |= {(kind, id): request["files"] for id, request in session.execute(query)}
    return found


def fail_abandoned(session: Session, jobs: Collection[tuple[JobKind, str]], reason: str) -> None:
    """Mark jobs without a worker as failed, and note it in the log of their conference."""
    for kind, id in sorted(jobs):
        table = TABLES[kind]
        values = {"status": "failed", "reason": reason, "finished": now()}
        conference = session.scalar(
            update(table)
            .where(table.id == id, table.status.in_(UNFINISHED))
            .values(**values)
            .returning(table.conference)
        )
        if conference is not None:
            note(session, conference, "server", f"found a broken {kind}", reason)


def _move(
    database: Database, kind: JobKind, id: str, where: ColumnElement[bool], **values: object
) -> bool:
    table = TABLES[kind]
    with database.writing() as session:
        moved = session.execute(update(table).where(table.id == id, where).values(**values))
        return isinstance(moved, CursorResult) and moved.rowcount == 1
