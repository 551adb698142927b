"""Uploaded files of a conference."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from unround.console.access.audit import note
from unround.console.access.permissions import Viewer, get_of_conference, get_or_404
from unround.console.api.dependencies import ChairRoute, ConsoleDep, PathId, ViewerDep
from unround.console.api.responses import error_responses
from unround.console.context import Console
from unround.console.errors import Refusal
from unround.console.schemas.runs import FileInfo
from unround.console.serializers import file_info
from unround.console.storage.orm import TABLES, UNFINISHED, ConferenceRow, FileRow
from unround.console.storage.uploads import NewFile, receive

router = APIRouter(tags=["files"], prefix="/conferences/{conference}/files", route_class=ChairRoute)
# Described by hand: the route reads the body from the stream.
CONTENT: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.post(
    "", status_code=201, openapi_extra=CONTENT, responses=error_responses(400, 408, 413, 507)
)
async def upload_file(
    request: Request,
    console: ConsoleDep,
    viewer: ViewerDep,
    conference: PathId,
    name: Annotated[str, Query(max_length=1000)],
) -> FileInfo:
    """Add a file to a conference: the body is its content."""
    await run_in_threadpool(_check_conference, console, conference)
    try:
        file = await receive(console.settings.uploads, name, request.stream())
    except ClientDisconnect:
        raise Refusal(400, "The upload was broken off.") from None
    try:
        return await run_in_threadpool(_add_row, console, viewer, conference, file)
    except BaseException:
        file.discard()
        raise


@router.delete("/{file}", status_code=204, responses=error_responses(409))
def delete_file(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, file: PathId
) -> Response:
    """Delete a file. Finished runs keep its name and hash."""
    with console.database.writing() as session:
        row = get_of_conference(session, FileRow, file, conference)
        if file in _in_use(session, conference):
            raise Refusal(409, f"{row.name} is being read. Wait, or cancel the run that reads it.")
        session.execute(delete(FileRow).where(FileRow.id == file))
        note(session, conference, viewer.label, "deleted a file", row.name)
    (console.settings.uploads / file).unlink(missing_ok=True)
    return Response(status_code=204)


def _check_conference(console: Console, conference: str) -> None:
    with console.database.reading() as session:
        get_or_404(session, ConferenceRow, conference)


def _add_row(console: Console, viewer: Viewer, conference: str, file: NewFile) -> FileInfo:
    """Add the row of a file, now that its bytes are on the disk."""
    with console.database.writing() as session:
        get_or_404(session, ConferenceRow, conference)
        row = file.row(conference)
        session.add(row)
        note(session, conference, viewer.label, "uploaded", row.name)
        return file_info(row)


def _in_use(session: Session, conference: str) -> set[str]:
    """Return the ids of files that a queued or running job reads."""
    return {
        file
        for table in TABLES.values()
        for request in session.scalars(
            select(table.request).where(
                table.conference == conference, table.status.in_(UNFINISHED)
            )
        )
        for file in request["files"]
    }
