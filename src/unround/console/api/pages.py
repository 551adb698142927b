"""The front end's files. Every address that is no file is a page of the console."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import APIRouter, Response

from unround.console.errors import Absent

FOLDER, INDEX, ASSETS = "console", "index.html", "assets/"
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>unround</title>
<h1>The console's pages have not been built</h1>
<p>The server runs. In a checkout of the project, <code>make web</code> builds the pages; then start
<code>unround serve</code> again. An installed package has them already.</p></html>
"""


def pages(front_end: Path) -> APIRouter:
    """Routes for what lies in the folder now: no address is ever looked up on the disk, and a front
    end that is built anew meanwhile does not mix with this one.
    """
    folder = front_end / FOLDER
    files = [path for path in folder.rglob("*") if path.is_file()]
    known = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    router = APIRouter(include_in_schema=False)

    @router.get("/{path:path}")
    def page(path: str) -> Response:
        if path == "api" or path.startswith("api/"):
            raise Absent
        if path.startswith(ASSETS) and path not in known:
            raise Absent
        if path in known and path != INDEX:
            return _file(path, known[path], lasting=path.startswith(ASSETS))
        if INDEX in known:
            return _file(INDEX, known[INDEX], lasting=False)
        return Response(NOT_BUILT, media_type="text/html", headers={"Cache-Control": "no-store"})

    return router


def _file(name: str, content: bytes, *, lasting: bool) -> Response:
    """A file; assets have their hash in their name and never change."""
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    kept = "public, max-age=31536000, immutable" if lasting else "no-cache"
    return Response(content, media_type=kind, headers={"Cache-Control": kept})
