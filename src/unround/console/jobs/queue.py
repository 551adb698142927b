"""Queueing of checks and runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from unround.console.access.log import note
from unround.console.access.permissions import Viewer, lock_conference
from unround.console.errors import Refusal
from unround.console.jobs.job import files_of
from unround.console.jobs.supervisor import Supervisor
from unround.console.schemas.conferences import FileInfo
from unround.console.schemas.runs import NewCheck, NewRun
from unround.console.storage.database import Database
from unround.console.storage.orm import (
    UNFINISHED,
    CheckRow,
    FileRow,
    RunRow,
    new_id,
    now,
)
from unround.formats.importer import checked_options

MOST_WAITING = 50
REPLACED = "You started another check of this conference. Check again if you need this one."
JobRow = TypeVar("JobRow", CheckRow, RunRow)


def enqueue(
    database: Database,
    supervisor: Supervisor,
    table: type[JobRow],
    conference: str,
    request: NewCheck,
    viewer: Viewer,
) -> JobRow:
    """Check a request, write its row as queued and hand it to the supervisor.

    A person has one check of a conference at a time: a new one ends those before it.
    Raises Refusal or UnroundError for a request that cannot be carried out; then nothing is written.
    """
    with database.writing() as session:
        lock_conference(session, conference)
        files = files_of(session, conference, request.files)
        _check_room(session, table, conference)
        checked_options(request.reading.options())
        request.settings()  # raises UsageError for a setting that makes no sense
        row = table(
            id=new_id(),
            conference=conference,
            status="queued",
            created=now(),
            request=request.model_dump(mode="json"),
            **_run_columns(request, files),
        )
        before = CheckRow.conference == conference, CheckRow.status.in_(UNFINISHED)
        own = supervisor.jobs_of(viewer.link)
        earlier = [id for id in session.scalars(select(CheckRow.id).where(*before)) if id in own]
        session.add(row)
        if isinstance(request, NewRun):
            note(session, conference, viewer.label, "started a run", request.name.strip())
        else:
            note(
                session, conference, viewer.label, "checked", ", ".join(file.name for file in files)
            )
    for check in earlier if table is CheckRow else ():
        supervisor.cancel("check", check, REPLACED)
    supervisor.submit(table.kind, row.id, viewer.link)
    return row


def _run_columns(request: NewCheck, files: Sequence[FileRow]) -> dict[str, Any]:
    """Return the columns that a run has and a check has not."""
    if not isinstance(request, NewRun):
        return {}
    inputs = [FileInfo.model_validate(file).model_dump(mode="json") for file in files]
    return {"name": request.name.strip(), "shared": False, "inputs": inputs}


def _check_room(session: Session, table: type[CheckRow] | type[RunRow], conference: str) -> None:
    waiting = session.scalar(
        select(func.count())
        .select_from(table)
        .where(table.conference == conference, table.status.in_(UNFINISHED))
    )
    if (waiting or 0) >= MOST_WAITING:
        raise Refusal(409, f"{waiting} {table.kind}s are waiting already. Cancel some, or wait.")
