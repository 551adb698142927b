"""The rows of jobs as the server writes them: begun, failed, and left by everybody."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ColumnElement, CursorResult, and_, or_, select, update
from sqlalchemy.orm import Session

from unround.console.access.audit import note
from unround.console.storage.database import Database
from unround.console.storage.orm import TABLES, UNFINISHED, JobKind, now

LEFT = "The server or its database stopped while this was started or ended. Nothing was kept; start again."


def begin(database: Database, kind: JobKind, id: str, attempt: str) -> bool:
    """Mark a job as running; False if it was cancelled in the queue.

    May be repeated: the answer to the first commit can be lost with the connection.
    """
    table = TABLES[kind]
    ours = and_(table.status == "running", table.attempt == attempt)
    waiting = or_(table.status == "queued", ours)
    return _move(database, kind, id, waiting, status="running", attempt=attempt)


def fail(database: Database, kind: JobKind, id: str, attempt: str, reason: str) -> bool:
    """Mark a job as failed; False if it has ended already, or is no longer this attempt's."""
    table = TABLES[kind]
    ours = and_(table.status == "running", table.attempt == attempt)
    values = {"status": "failed", "reason": reason, "finished": now()}
    return _move(database, kind, id, ours, **values)


def cancel(database: Database, kind: JobKind, id: str) -> bool:
    """Mark a job as cancelled; False if it has ended already."""
    unfinished = TABLES[kind].status.in_(UNFINISHED)
    return _move(database, kind, id, unfinished, status="cancelled", finished=now())


def unfinished_jobs(session: Session) -> set[tuple[JobKind, str]]:
    """Return the jobs that are queued or running by their rows."""
    return {
        (kind, id)
        for kind, table in TABLES.items()
        for id in session.scalars(select(table.id).where(table.status.in_(UNFINISHED)))
    }


def fail_left(session: Session, jobs: Collection[tuple[JobKind, str]], reason: str) -> None:
    """Mark jobs that nobody works on as failed, and note it in the log of their conference."""
    for kind, id in sorted(jobs):
        table = TABLES[kind]
        values = {"status": "failed", "reason": reason, "finished": now()}
        left = table.id == id, table.status.in_(UNFINISHED)
        conference = session.scalar(
            update(table).where(*left).values(**values).returning(table.conference)
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
