"""Conferences and their uploaded files."""

from __future__ import annotations

from secrets import token_hex
from typing import Annotated, Any

from fastapi import Query, Request
from sqlalchemy import func, select
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from unround.console.access.permissions import (
    find_row,
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
from unround.console.api.routing import Closed, Reading, Writing, error_responses, new_router
from unround.console.context import Visit
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
def list_conferences(visit: Reading, viewer: Staff) -> list[ConferenceSummary]:
    """List all conferences; for an area chair their own."""
    conferences = visible_conferences(viewer).order_by(
        ConferenceRow.created.desc(), ConferenceRow.id
    )
    runs = visible_runs(viewer).subquery()
    counting = select(runs.c.conference, func.count()).group_by(runs.c.conference)
    counts: dict[str, int] = {row[0]: row[1] for row in visit.session.execute(counting)}
    return [
        ConferenceSummary(id=row.id, name=row.name, created=row.created, runs=counts.get(row.id, 0))
        for row in visit.session.scalars(conferences)
    ]


@router.get("/{conference}")
def get_conference(visit: Reading, conference: ShownConference) -> ConferenceDetail:
    """Return a conference; for an area chair its name and shared runs."""
    return _conference(visit, conference)


def _conference(visit: Visit, row: ConferenceRow) -> ConferenceDetail:
    """Return a conference; for an area chair only its name and shared runs."""
    session, viewer = visit.session, visit.viewer
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
    conference.system_hosts = sorted(visit.console.settings.system_hosts)
    return conference


@router.post("", status_code=201)
def make_conference(visit: Writing, viewer: Owner, request: NewConference) -> ConferenceDetail:
    """Make a conference."""
    row = ConferenceRow(id=new_id(), name=request.name.strip(), created=now(), key=token_hex(32))
    visit.session.add(row)
    visit.session.flush()
    visit.note(row.id, "made the conference", row.name)
    return _conference(visit, row)


@router.patch("/{conference}")
def change_conference(
    visit: Writing, conference: OwnConference, change: ConferenceChange
) -> ConferenceDetail:
    """Rename a conference, or choose what area chairs see."""
    values = change.model_dump(exclude_none=True)
    for name, value in values.items():
        setattr(conference, name, value.strip() if isinstance(value, str) else value)
    conference.edition += 1
    detail = ", ".join(f"{name}: {value}" for name, value in values.items())
    visit.note(conference.id, "changed the conference", detail)
    visit.session.flush()
    return _conference(visit, conference)


@router.get("/{conference}/contents")
def get_contents(visit: Reading, conference: OwnConference) -> dict[str, int]:
    """Count what would be deleted with a conference."""
    return contents(visit.session, conference.id)


@router.delete("/{conference}", status_code=204)
def delete_conference(visit: Reading, conference: OwnConference) -> None:
    """Put a conference into the bin: its links open nothing, and what it computes is cancelled."""
    with visit.change(conference.id) as change:
        row = change.session.get_one(ConferenceRow, conference.id)
        unfinished = unfinished_jobs(change.session, row.id)
        row.deleted, row.deleted_by = now(), visit.viewer.label
        change.note(None, "deleted a conference", row.name)
    for job in unfinished:
        visit.console.supervisor.cancel(job)


bin_router = new_router("conferences", "/bin")


@bin_router.get("")
def list_bin(visit: Reading, viewer: Owner) -> list[DeletedConference]:
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
        for row in visit.session.scalars(deleted.where(ConferenceRow.deleted.is_not(None)))
        if row.deleted is not None
    ]


@bin_router.post("/{deleted}/restore", status_code=204)
def restore_conference(visit: Writing, deleted: BinnedConference) -> None:
    """Take a conference out of the bin, as it was."""
    deleted.deleted = deleted.deleted_by = None
    visit.note(None, "restored a conference", deleted.name)


@bin_router.delete("/{deleted}", status_code=204)
def delete_for_good(visit: Reading, deleted: BinnedConference) -> None:
    """Delete a conference in the bin now, with everything in it."""
    uploads = visit.console.settings.uploads
    with visit.change() as change:
        name = lock_conference(change.session, deleted.id, in_bin=True).name
        change.note(None, "deleted a conference for good", name)
        files = bin.delete_for_good(change.session, uploads, [deleted.id])
    remove(uploads, files)


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
    visit: Closed,
    request: Request,
    conference: OwnConference,
    name: Annotated[str, Query(max_length=1000)],
    for_ballots: bool = False,
) -> FileInfo:
    """Add a file to a conference: the body is its content."""
    try:
        file = await receive(visit.console.settings.uploads, name, request.stream())
    except ClientDisconnect:
        raise Refusal(400, "The upload was broken off.") from None
    with removed_unless_listed(file):
        return await run_in_threadpool(_add_row, visit, conference.id, file, for_ballots)


@files_router.delete("/{file}", status_code=204, responses=error_responses(409))
def delete_file(visit: Reading, file: FileOfConference) -> None:
    """Delete a file. Finished runs keep its name and hash."""
    uploads = visit.console.settings.uploads
    with visit.change(file.conference) as change:
        row = find_row(change.session, FileRow, file.id)
        unfinished = unfinished_jobs(change.session, row.conference)
        if any(row.id in read for read in unfinished.values()):
            raise Refusal(409, f"{row.name} is being read. Wait, or cancel the run that reads it.")
        begin_removal(uploads, [row.id])
        change.session.delete(row)
        change.note(row.conference, "deleted a file", row.name)
    remove(uploads, [file.id])


def _add_row(visit: Visit, conference: str, file: NewFile, for_ballots: bool) -> FileInfo:
    """Add the row of a file, now that its bytes are on the disk."""
    with visit.change(conference) as change:
        row = file.row(conference)
        row.for_ballots = for_ballots
        change.session.add(row)
        change.note(conference, "uploaded", row.name)
        return FileInfo.model_validate(row)
