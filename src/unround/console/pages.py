"""The front end's files. Every address that is no file is a page of the console."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import APIRouter, Response

from unround.console.refusals import Absent

FOLDER = "console"
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>unround</title>
<h1>The console's pages have not been built</h1>
<p>The server runs. In a checkout of the project, <code>make web</code> builds the pages; then start
<code>unround serve</code> again. An installed package has them already.</p></html>
"""


def pages(front_end: Path) -> APIRouter:
    """Routes for what lies in the folder now: no address is ever looked up on the disk."""
    folder = front_end / FOLDER
    known = {
        path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
    }
    router = APIRouter(include_in_schema=False)

    @router.get("/{path:path}")
    def page(path: str) -> Response:
        if path == "api" or path.startswith("api/"):
            raise Absent
        if path in known and path != "index.html":
            return _file(known[path], lasting=path.startswith("assets/"))
        if "index.html" in known:
            return _file(known["index.html"], lasting=False)
        return Response(NOT_BUILT, media_type="text/html", headers={"Cache-Control": "no-store"})

    return router


def _file(path: Path, *, lasting: bool) -> Response:
    """A file; assets have their hash in their name and never change."""
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    kept = "public, max-age=31536000, immutable" if lasting else "no-cache"
    return Response(path.read_bytes(), media_type=kind, headers={"Cache-Control": kept})
