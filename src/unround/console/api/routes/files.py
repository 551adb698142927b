"""Uploaded files of a conference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
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
from unround.console.schemas import FileInfo
from unround.console.serializers import file_info
from unround.console.storage.ids import now
from unround.console.storage.orm import TABLES, UNFINISHED, ConferenceRow, FileRow
from unround.console.storage.uploads import UploadedFile, receive

router = APIRouter(tags=["files"], prefix="/conferences/{conference}/files", route_class=ChairRoute)
# Written by hand: the body is read from the stream. The framework's own reader accepts a body that was
# cut off, with the files before the cut, and answers a full disk with 400.
MULTIPART: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {
                            "type": "array",
                            "minItems": 1,
                            "items": {"type": "string", "format": "binary"},
                        }
                    },
                }
            }
        },
    }
}


@router.post(
    "", status_code=201, openapi_extra=MULTIPART, responses=error_responses(400, 408, 413, 415, 507)
)
async def upload_files(
    request: Request, console: ConsoleDep, viewer: ViewerDep, conference: PathId
) -> list[FileInfo]:
    """Add files to a conference: all of them or none."""
    await run_in_threadpool(_check_conference, console, conference)
    content_type = request.headers.get("content-type", "")
    try:
        upload = await receive(content_type, request.stream(), console.settings.uploads)
    except ClientDisconnect:
        raise Refusal(400, "The upload was broken off.") from None
    try:
        return await run_in_threadpool(_add_rows, console, viewer, conference, upload.files)
    except BaseException:
        upload.discard()
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


def _add_rows(
    console: Console, viewer: Viewer, conference: str, files: Sequence[UploadedFile]
) -> list[FileInfo]:
    """Add a row per file, now that their bytes are on the disk."""
    with console.database.writing() as session:
        get_or_404(session, ConferenceRow, conference)
        rows = [
            FileRow(
                id=file.id,
                conference=conference,
                name=file.name,
                size=file.size,
                sha256=file.sha256,
                uploaded=now(),
            )
            for file in files
        ]
        session.add_all(rows)
        names = ", ".join(file.name for file in files)
        note(session, conference, viewer.label, "uploaded", names)
        return [file_info(row) for row in rows]


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
