"""The built front end. Every address that is not a file is a page of the console."""

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
    """Return routes for the files that are in the folder now.

    Files are read once: no request reaches the disk, and a front end that is built while the server
    runs does not mix with this one.
    """
    folder = front_end / FOLDER
    paths = [path for path in folder.rglob("*") if path.is_file()]
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    router = APIRouter(include_in_schema=False)

    @router.get("/{path:path}")
    def page(path: str) -> Response:
        if path == "api" or path.startswith("api/"):
            raise Absent
        if path.startswith(ASSETS) and path not in files:
            raise Absent
        if path in files and path != INDEX:
            return _file(path, files[path], immutable=path.startswith(ASSETS))
        if INDEX in files:
            return _file(INDEX, files[INDEX], immutable=False)
        return Response(NOT_BUILT, media_type="text/html", headers={"Cache-Control": "no-store"})

    return router


def _file(name: str, content: bytes, *, immutable: bool) -> Response:
    """Return a file. Assets have their hash in their name and never change."""
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    caching = "public, max-age=31536000, immutable" if immutable else "no-cache"
    return Response(content, media_type=media_type, headers={"Cache-Control": caching})
