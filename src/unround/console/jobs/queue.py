"""Queueing of jobs: checks and runs that a chair starts, and what is worked out about a finished run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import delete, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from unround.console.access.log import note
from unround.console.access.permissions import IN_BIN, RunAccess, Viewer, lock_conference
from unround.console.errors import Refusal
from unround.console.jobs.job import files_of
from unround.console.jobs.supervisor import Supervisor
from unround.console.schemas.conferences import FileInfo
from unround.console.schemas.runs import NewCheck, NewRun
from unround.console.storage.database import Database
from unround.console.storage.orm import (
    UNFINISHED,
    ConferenceRow,
    JobFileRow,
    JobRow,
    RunRow,
    new_id,
    now,
)
from unround.formats.importer import checked_options

MOST_WAITING = 50
Queued = TypeVar("Queued", JobRow, RunRow)
REPLACED = "You started another check of this conference. Check again if you need this one."


def enqueue(
    database: Database,
    supervisor: Supervisor,
    table: type[Queued],
    conference: str,
    request: NewCheck,
    viewer: Viewer,
) -> Queued:
    """Queue a check or, for a NewRun, a run, and return its row.

    A person has one check of a conference at a time: a new one ends those before it.
    Raises Refusal or UnroundError for a request that cannot be carried out; then nothing is written.
    """
    row = _new_row(table, conference, request)
    own = supervisor.jobs_of(viewer.link)
    with _submitted(supervisor, row, viewer.link), database.writing() as session:
        lock_conference(session, conference)
        files = files_of(session, conference, request.files)
        waiting = _waiting(session, row)
        checked_options(request.reading.options())
        request.settings()  # raises UsageError for a setting that makes no sense
        if isinstance(row, RunRow):
            row.inputs = [FileInfo.model_validate(one).model_dump(mode="json") for one in files]
            note(session, conference, viewer.label, "started a run", row.name)
        else:
            names = ", ".join(file.name for file in files)
            note(session, conference, viewer.label, "checked", names)
        session.add(row)
    for check in own.intersection(waiting) if isinstance(row, JobRow) else ():
        supervisor.cancel(check, REPLACED)
    return row


def _new_row(table: type[Queued], conference: str, request: NewCheck) -> Queued:
    columns: dict[str, Any] = (
        {"name": request.name.strip(), "shared": False}
        if isinstance(request, NewRun)
        else {"kind": "check"}
    )
    return table(
        **columns,
        id=new_id(),
        conference=conference,
        status="queued",
        created=now(),
        request=request.model_dump(mode="json"),
    )


def _waiting(session: Session, row: Queued) -> list[str]:
    """Return the jobs like this one that have not ended. Raises Refusal where they are too many."""
    table = type(row)
    query = select(table.id).where(table.conference == row.conference, table.status.in_(UNFINISHED))
    if isinstance(row, JobRow):
        query = query.where(JobRow.kind == row.kind)
    waiting = list(session.scalars(query))
    if len(waiting) >= MOST_WAITING:
        raise Refusal(409, f"{len(waiting)} {row.kind}s are waiting already. Cancel some, or wait.")
    return waiting


@contextmanager
def _submitted(supervisor: Supervisor, row: Queued, person: str = "") -> Iterator[None]:
    """Submit a job whose row the block writes, also where the database did not say whether it did."""
    id, kind = row.id, row.kind
    try:
        yield
    except DBAPIError:
        supervisor.submit(kind, id, person)
        raise
    supervisor.submit(kind, id, person)


def ask(
    database: Database, supervisor: Supervisor, kind: str, run: RunRow, request: dict[str, Any]
) -> JobRow:
    """Return the job of this kind about a finished run, started where none has this request.

    A run keeps one job of each kind: a new one replaces that before it.
    """
    like = JobRow.run == run.id, JobRow.kind == kind
    with database.reading() as session:
        for row in session.scalars(select(JobRow).where(*like)):
            if row.request == request:
                return row
    row = JobRow(
        id=new_id(),
        kind=kind,
        run=run.id,
        conference=run.conference,
        status="queued",
        created=now(),
        request=request,
    )
    with _submitted(supervisor, row), database.writing() as session:
        lock_conference(session, run.conference)
        earlier = session.scalars(delete(JobRow).where(*like).returning(JobRow.id)).all()
        session.add(row)
    for job in earlier:
        supervisor.stop(job)
    return row


def answer(
    database: Database, supervisor: Supervisor, kind: str, run: RunRow, request: dict[str, Any]
) -> dict[str, Any] | None:
    """Return what a job has found about a finished run; None while it works.

    Raises Refusal, once, if it came to nothing: whoever asks again starts it again.
    """
    row = ask(database, supervisor, kind, run, request)
    if row.status in UNFINISHED or row.status == "done":
        return row.found
    with database.writing() as session:
        session.execute(delete(JobRow).where(JobRow.id == row.id))
    raise Refusal(409, row.reason or "This was stopped. Ask again.")


def ask_for_views(database: Database, supervisor: Supervisor) -> None:
    """Have the views of area chairs made again, of the shared runs of which they have changed."""
    shared = (
        select(RunRow, ConferenceRow.edition)
        .join(ConferenceRow, ConferenceRow.id == RunRow.conference)
        .where(RunRow.shared, RunRow.status == "done", RunRow.conference.not_in(IN_BIN))
    )
    with database.reading() as session:
        runs = session.execute(shared).all()
    for run, edition in runs:
        ask(database, supervisor, "views", run, _shown(run, edition))


def _shown(run: RunRow, edition: int) -> dict[str, Any]:
    """Return what the views of a run depend on beside its results."""
    return {"name": run.name, "edition": edition}


def made_view(session: Session, access: RunAccess) -> bytes | None:
    """Return the gzipped view that a job has made for an area chair; None where it is outdated."""
    if access.area_chair is None:
        return None
    made = (
        select(JobFileRow.content, JobRow.request)
        .join(JobRow, JobRow.id == JobFileRow.job)
        .where(
            JobRow.run == access.run.id,
            JobRow.kind == "views",
            JobFileRow.name == access.area_chair.id,
        )
    )
    shown = _shown(access.run, access.conference.edition)
    return next((view for view, request in session.execute(made) if request == shown), None)
