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
from unround.console.access.permissions import found
from unround.console.access.viewer import Who
from unround.console.api.chair_route import ChairRoute
from unround.console.api.dependencies import Asking, Here, PathId, answers
from unround.console.context import Console
from unround.console.errors import Absent, Refusal
from unround.console.schemas import FileInfo
from unround.console.serializers import file_info
from unround.console.storage import orm as tables
from unround.console.storage.ids import now
from unround.console.storage.orm import UNFINISHED
from unround.console.storage.uploads import Received, receive

router = APIRouter(tags=["files"], prefix="/conferences/{conference}/files", route_class=ChairRoute)
# Written by hand: the body is read from the stream, not by the framework.
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
    "", status_code=201, openapi_extra=MULTIPART, responses=answers(400, 408, 413, 415, 507)
)
async def upload_files(
    request: Request, here: Here, who: Asking, conference: PathId
) -> list[FileInfo]:
    """Add files to a conference: all of them or none."""
    await run_in_threadpool(_check_conference, here, conference)
    kind = request.headers.get("content-type", "")
    try:
        writing = await receive(kind, request.stream(), here.settings.uploads)
    except ClientDisconnect:
        raise Refusal(400, "The upload was broken off.") from None
    try:
        return await run_in_threadpool(_kept, here, who, conference, writing.received)
    except BaseException:
        writing.discard()
        raise


@router.delete("/{file}", status_code=204, responses=answers(409))
def delete_file(here: Here, who: Asking, conference: PathId, file: PathId) -> Response:
    """Delete a file. Finished runs keep its name and hash."""
    with here.database.writing() as session:
        row = found(session, tables.File, file)
        if row.conference != conference:
            raise Absent
        if file in _in_use(session, conference):
            raise Refusal(409, f"{row.name} is being read. Wait, or cancel what reads it.")
        session.execute(delete(tables.File).where(tables.File.id == file))
        note(session, conference, who.label, "deleted a file", row.name)
    (here.settings.uploads / file).unlink(missing_ok=True)
    return Response(status_code=204)


def _check_conference(here: Console, conference: str) -> None:
    with here.database.reading() as session:
        found(session, tables.Conference, conference)


def _kept(here: Console, who: Who, conference: str, files: Sequence[Received]) -> list[FileInfo]:
    """The files as rows, now that their bytes are safe."""
    with here.database.writing() as session:
        found(session, tables.Conference, conference)
        rows = [
            tables.File(
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
        note(session, conference, who.label, "uploaded", names)
        return [file_info(row) for row in rows]


def _in_use(session: Session, conference: str) -> set[str]:
    """Files that a job still has to read."""
    return {
        file
        for table in (tables.Check, tables.Run)
        for request in session.scalars(
            select(table.request).where(
                table.conference == conference, table.status.in_(UNFINISHED)
            )
        )
        for file in request["files"]
    }
