"""Conferences and their uploaded files."""

from __future__ import annotations

from secrets import token_hex
from typing import Annotated, Any

from fastapi import Query, Request, Response
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from unround.console.access.log import note
from unround.console.access.permissions import (
    Viewer,
    get_of_conference,
    lock_conference,
    visible_conferences,
    visible_runs,
)
from unround.console.api.guards import (
    BinnedConference,
    FileOfConference,
    OwnConference,
    Owner,
    ShownConference,
    Staff,
)
from unround.console.api.routing import (
    ConsoleDep,
    SessionDep,
    ViewerDep,
    WriteDep,
    error_responses,
    new_router,
)
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
    ShownToAreaChairs,
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

router = new_router("conferences", "/conferences")
SHOWN = tuple(ShownToAreaChairs.model_fields)  # settings that area chairs are not told


@router.get("")
def list_conferences(session: SessionDep, viewer: Staff) -> list[ConferenceSummary]:
    """List all conferences; for an area chair their own."""
    return _summaries(session, viewer)


@router.get("/{conference}")
def get_conference(
    console: ConsoleDep, session: SessionDep, viewer: ViewerDep, conference: ShownConference
) -> ConferenceDetail:
    """Return a conference; for an area chair its name and shared runs."""
    return _conference(console, session, viewer, conference)


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


@router.post("", status_code=201)
def make_conference(
    console: ConsoleDep, session: WriteDep, viewer: Owner, request: NewConference
) -> ConferenceDetail:
    """Make a conference."""
    row = ConferenceRow(id=new_id(), name=request.name.strip(), created=now(), key=token_hex(32))
    session.add(row)
    session.flush()
    note(session, row.id, viewer.label, "made the conference", row.name)
    return _conference(console, session, viewer, row)


@router.patch("/{conference}")
def change_conference(
    console: ConsoleDep,
    session: WriteDep,
    viewer: ViewerDep,
    conference: OwnConference,
    change: ConferenceChange,
) -> ConferenceDetail:
    """Rename a conference, or choose what area chairs see."""
    values = change.model_dump(exclude_none=True)
    for name, value in values.items():
        setattr(conference, name, value.strip() if isinstance(value, str) else value)
    conference.edition += 1
    detail = ", ".join(f"{name}: {value}" for name, value in values.items())
    note(session, conference.id, viewer.label, "changed the conference", detail)
    session.flush()
    return _conference(console, session, viewer, conference)


@router.get("/{conference}/contents")
def get_contents(session: SessionDep, conference: OwnConference) -> dict[str, int]:
    """Count what would be deleted with a conference."""
    return contents(session, conference.id)


@router.delete("/{conference}", status_code=204)
def delete_conference(
    console: ConsoleDep, viewer: ViewerDep, conference: OwnConference
) -> Response:
    """Put a conference into the bin: its links open nothing, and what it computes is cancelled."""
    with console.database.writing() as session:
        row = lock_conference(session, conference.id)
        unfinished = unfinished_jobs(session, row.id)
        row.deleted, row.deleted_by = now(), viewer.label
        note(session, None, viewer.label, "deleted a conference", row.name)
    for kind, job in unfinished:
        console.supervisor.cancel(kind, job)
    return Response(status_code=204)


bin_router = new_router("conferences", "/bin")


@bin_router.get("")
def list_bin(session: SessionDep, viewer: Owner) -> list[DeletedConference]:
    """List the deleted conferences that can be restored, the newest first. For the server's owner."""
    deleted = select(ConferenceRow).order_by(ConferenceRow.deleted.desc())
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


@bin_router.post("/{deleted}/restore", status_code=204)
def restore_conference(session: WriteDep, viewer: ViewerDep, deleted: BinnedConference) -> Response:
    """Take a conference out of the bin, as it was."""
    deleted.deleted = deleted.deleted_by = None
    note(session, None, viewer.label, "restored a conference", deleted.name)
    return Response(status_code=204)


@bin_router.delete("/{deleted}", status_code=204)
def delete_for_good(console: ConsoleDep, viewer: ViewerDep, deleted: BinnedConference) -> Response:
    """Delete a conference in the bin now, with everything in it."""
    with console.database.writing() as session:
        name = lock_conference(session, deleted.id, in_bin=True).name
        note(session, None, viewer.label, "deleted a conference for good", name)
        files = bin.delete_for_good(session, console.settings.uploads, [deleted.id])
    remove(console.settings.uploads, files)
    return Response(status_code=204)


files_router = new_router("files", "/conferences/{conference}/files")
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
    conference: OwnConference,
    name: Annotated[str, Query(max_length=1000)],
    for_ballots: bool = False,
) -> FileInfo:
    """Add a file to a conference: the body is its content."""
    try:
        file = await receive(console.settings.uploads, name, request.stream())
    except ClientDisconnect:
        raise Refusal(400, "The upload was broken off.") from None
    with removed_unless_listed(file):
        return await run_in_threadpool(_add_row, console, viewer, conference.id, file, for_ballots)


@files_router.delete("/{file}", status_code=204, responses=error_responses(409))
def delete_file(console: ConsoleDep, viewer: ViewerDep, file: FileOfConference) -> Response:
    """Delete a file. Finished runs keep its name and hash."""
    with console.database.writing() as session:
        lock_conference(session, file.conference)
        row = get_of_conference(session, FileRow, file.id, file.conference)
        if any(row.id in read for read in unfinished_jobs(session, row.conference).values()):
            raise Refusal(409, f"{row.name} is being read. Wait, or cancel the run that reads it.")
        begin_removal(console.settings.uploads, [row.id])
        session.execute(delete(FileRow).where(FileRow.id == row.id))
        note(session, row.conference, viewer.label, "deleted a file", row.name)
    remove(console.settings.uploads, [file.id])
    return Response(status_code=204)


def _add_row(
    console: Console, viewer: Viewer, conference: str, file: NewFile, for_ballots: bool
) -> FileInfo:
    """Add the row of a file, now that its bytes are on the disk."""
    with console.database.writing() as session:
        row = file.row(lock_conference(session, conference).id)
        row.for_ballots = for_ballots
        session.add(row)
        note(session, conference, viewer.label, "uploaded", row.name)
        return FileInfo.model_validate(row)
