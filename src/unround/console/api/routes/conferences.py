"""Conferences and their uploaded files."""

from __future__ import annotations

from secrets import token_hex
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from unround.console.access.log import note
from unround.console.access.permissions import (
    Viewer,
    get_of_conference,
    get_or_404,
    lock_conference,
    open_conference,
    visible_conferences,
    visible_runs,
)
from unround.console.api.routing import ChairRoute, ConsoleDep, PathId, ViewerDep, error_responses
from unround.console.context import Console
from unround.console.errors import Refusal
from unround.console.jobs.job import unfinished_jobs
from unround.console.schemas.conferences import (
    ConferenceChange,
    ConferenceDetail,
    ConferenceSummary,
    DeletedConference,
    FileInfo,
    NewConference,
    RunSummary,
)
from unround.console.storage import bin
from unround.console.storage.bin import KEPT, contents
from unround.console.storage.orm import (
    ConferenceRow,
    FileRow,
    RunRow,
    new_id,
    now,
)
from unround.console.storage.uploads import (
    NewFile,
    begin_removal,
    receive,
    remove,
    removed_unless_listed,
)

router = APIRouter(tags=["conferences"], prefix="/conferences")
chairs = APIRouter(tags=["conferences"], prefix="/conferences", route_class=ChairRoute)
# Settings of what area chairs see, which they are not told.
SHOWN = ("show_stars", "show_names", "show_line", "show_decisions", "disclosure")


@router.get("", responses=error_responses())
def list_conferences(console: ConsoleDep, viewer: ViewerDep) -> list[ConferenceSummary]:
    """List all conferences; for an area chair their own."""
    with console.database.reading() as session:
        return _summaries(session, viewer)


@router.get("/{conference}", responses=error_responses())
def get_conference(console: ConsoleDep, viewer: ViewerDep, conference: PathId) -> ConferenceDetail:
    """Return a conference; for an area chair its name and shared runs."""
    with console.database.reading() as session:
        row = open_conference(session, viewer, conference)
        return _conference(console, session, viewer, row)


def _summaries(session: Session, viewer: Viewer) -> list[ConferenceSummary]:
    """List the conferences that the viewer may open, newest first."""
    conferences = visible_conferences(viewer).order_by(
        ConferenceRow.created.desc(), ConferenceRow.id
    )
    runs = visible_runs(viewer).subquery()
    counting = select(runs.c.conference, func.count()).group_by(runs.c.conference)
    counts: dict[str, int] = {row[0]: row[1] for row in session.execute(counting)}
    return [
        ConferenceSummary(id=row.id, name=row.name, created=row.created, runs=counts.get(row.id, 0))
        for row in session.scalars(conferences)
    ]


def _conference(
    console: Console, session: Session, viewer: Viewer, row: ConferenceRow
) -> ConferenceDetail:
    """Return a conference; for an area chair only its name and shared runs."""
    runs = session.scalars(
        visible_runs(viewer)
        .where(RunRow.conference == row.id)
        .order_by(RunRow.created.desc(), RunRow.id)
    )
    conference = ConferenceDetail(
        id=row.id,
        name=row.name,
        created=row.created,
        runs=[RunSummary.model_validate(run) for run in runs],
        files=[],
        system_hosts=[],
        **{name: getattr(row, name) if viewer.is_chair else None for name in SHOWN},
    )
    if not viewer.is_chair:
        for run in conference.runs:
            run.lam = run.conflicts = run.finished = None
            # Noon, which is the same day in most time zones.
            run.created = run.created.replace(hour=12, minute=0, second=0, microsecond=0)
        return conference
    files = select(FileRow).where(FileRow.conference == row.id)
    conference.files = [
        FileInfo.model_validate(file)
        for file in session.scalars(files.order_by(FileRow.uploaded, FileRow.id))
    ]
    conference.system_hosts = sorted(console.settings.system_hosts)
    return conference


@chairs.post("", status_code=201, responses=error_responses())
def make_conference(
    console: ConsoleDep, viewer: ViewerDep, request: NewConference
) -> ConferenceDetail:
    """Make a conference."""
    with console.database.writing() as session:
        row = ConferenceRow(
            id=new_id(), name=request.name.strip(), created=now(), key=token_hex(32)
        )
        session.add(row)
        session.flush()
        note(session, row.id, viewer.label, "made the conference", row.name)
        return _conference(console, session, viewer, row)


@chairs.patch("/{conference}", responses=error_responses())
def change_conference(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, change: ConferenceChange
) -> ConferenceDetail:
    """Rename a conference, or choose what area chairs see."""
    with console.database.writing() as session:
        row = lock_conference(session, conference)
        values = change.model_dump(exclude_none=True)
        for name, value in values.items():
            setattr(row, name, value.strip() if isinstance(value, str) else value)
        row.edition += 1
        detail = ", ".join(f"{name}: {value}" for name, value in values.items())
        note(session, row.id, viewer.label, "changed the conference", detail)
        session.flush()
        return _conference(console, session, viewer, row)


@chairs.get("/{conference}/contents", responses=error_responses())
def get_contents(console: ConsoleDep, conference: PathId) -> dict[str, int]:
    """Count what would be deleted with a conference."""
    with console.database.reading() as session:
        get_or_404(session, ConferenceRow, conference)
        return contents(session, conference)


@chairs.delete("/{conference}", status_code=204, responses=error_responses())
def delete_conference(console: ConsoleDep, viewer: ViewerDep, conference: PathId) -> Response:
    """Put a conference into the bin: its links open nothing, and what it computes is cancelled."""
    with console.database.writing() as session:
        row = lock_conference(session, conference)
        unfinished = unfinished_jobs(session, conference)
        row.deleted, row.deleted_by = now(), viewer.label
        note(session, None, viewer.label, "deleted a conference", row.name)
    for kind, job in unfinished:
        console.supervisor.cancel(kind, job)
    return Response(status_code=204)


bin_router = APIRouter(tags=["conferences"], prefix="/bin", route_class=ChairRoute)


@bin_router.get("", responses=error_responses())
def list_bin(console: ConsoleDep) -> list[DeletedConference]:
    """List the deleted conferences that can be restored, the newest first. For the server's owner."""
    deleted = select(ConferenceRow).order_by(ConferenceRow.deleted.desc())
    with console.database.reading() as session:
        return [
            DeletedConference(
                id=row.id,
                name=row.name,
                deleted=row.deleted,
                who=row.deleted_by or "",
                goes=row.deleted + KEPT,
            )
            for row in session.scalars(deleted.where(ConferenceRow.deleted.is_not(None)))
            if row.deleted is not None
        ]


@bin_router.post("/{deleted}/restore", status_code=204, responses=error_responses())
def restore_conference(console: ConsoleDep, viewer: ViewerDep, deleted: PathId) -> Response:
    """Take a conference out of the bin, as it was."""
    with console.database.writing() as session:
        row = lock_conference(session, deleted, in_bin=True)
        row.deleted = row.deleted_by = None
        note(session, None, viewer.label, "restored a conference", row.name)
    return Response(status_code=204)


@bin_router.delete("/{deleted}", status_code=204, responses=error_responses())
def delete_for_good(console: ConsoleDep, viewer: ViewerDep, deleted: PathId) -> Response:
    """Delete a conference in the bin now, with everything in it."""
    with console.database.writing() as session:
        name = lock_conference(session, deleted, in_bin=True).name
        note(session, None, viewer.label, "deleted a conference for good", name)
        files = bin.delete_for_good(session, console.settings.uploads, [deleted])
    remove(console.settings.uploads, files)
    return Response(status_code=204)


files_router = APIRouter(
    tags=["files"], prefix="/conferences/{conference}/files", route_class=ChairRoute
)
# Described by hand: the route reads the body from the stream.
CONTENT: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@files_router.post(
    "", status_code=201, openapi_extra=CONTENT, responses=error_responses(400, 413, 507)
)
async def upload_file(
    request: Request,
    console: ConsoleDep,
    viewer: ViewerDep,
    conference: PathId,
    name: Annotated[str, Query(max_length=1000)],
    for_ballots: bool = False,
) -> FileInfo:
    """Add a file to a conference: the body is its content."""
    await run_in_threadpool(_check_conference, console, conference)
    try:
        file = await receive(console.settings.uploads, name, request.stream())
    except ClientDisconnect:
        raise Refusal(400, "The upload was broken off.") from None
    with removed_unless_listed(file):
        return await run_in_threadpool(_add_row, console, viewer, conference, file, for_ballots)


@files_router.delete("/{file}", status_code=204, responses=error_responses(409))
def delete_file(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, file: PathId
) -> Response:
    """Delete a file. Finished runs keep its name and hash."""
    with console.database.writing() as session:
        lock_conference(session, conference)
        row = get_of_conference(session, FileRow, file, conference)
        if any(file in read for read in unfinished_jobs(session, conference).values()):
            raise Refusal(409, f"{row.name} is being read. Wait, or cancel the run that reads it.")
        begin_removal(console.settings.uploads, [file])
        session.execute(delete(FileRow).where(FileRow.id == file))
        note(session, conference, viewer.label, "deleted a file", row.name)
    remove(console.settings.uploads, [file])
    return Response(status_code=204)


def _check_conference(console: Console, conference: str) -> None:
    with console.database.reading() as session:
        get_or_404(session, ConferenceRow, conference)


def _add_row(
    console: Console, viewer: Viewer, conference: str, file: NewFile, for_ballots: bool
) -> FileInfo:
    """Add the row of a file, now that its bytes are on the disk."""
    with console.database.writing() as session:
        get_or_404(session, ConferenceRow, conference)
        row = file.row(conference)
        row.for_ballots = for_ballots
        session.add(row)
        note(session, conference, viewer.label, "uploaded", row.name)
        return FileInfo.model_validate(row)
