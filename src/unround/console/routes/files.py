"""Uploaded files of a conference."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from unround.console.asking import Asking, Here, PathId, answers
from unround.console.gate import ChairRoute
from unround.console.schema import FileInfo

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
    raise NotImplementedError


@router.delete("/{file}", status_code=204, responses=answers(409))
def delete_file(here: Here, who: Asking, conference: PathId, file: PathId) -> Response:
    """Delete a file. Finished runs keep its name and hash."""
    raise NotImplementedError
