"""The ASGI application: routes, error handlers, middlewares and the built front end.

`python -m unround.console.app` prints the API's OpenAPI document; `make types` writes it for the front end.
"""

from __future__ import annotations

import json
import mimetypes
import sys
from pathlib import Path

from fastapi import APIRouter, FastAPI, Response

from unround import __version__
from unround.console.api import monitoring
from unround.console.api.middleware import Guard, RequestMetrics
from unround.console.api.routes import ROUTERS, session
from unround.console.api.routing import GuardedRoute
from unround.console.context import Console
from unround.console.errors import Absent, add_handlers

FOLDER, INDEX, ASSETS = "console", "index.html", "assets/"
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>unround</title>
<h1>The console's pages have not been built</h1>
<p>The server runs. In a checkout of the project, <code>make web</code> builds the pages; then start
<code>unround serve</code> again. An installed package has them already.</p></html>
"""


def make_app(console: Console) -> FastAPI:
    """Return the whole application of a console."""
    app = api()
    app.state.console = console
    app.include_router(monitoring.router)
    app.include_router(pages(console.settings.front_end))
    app.add_middleware(Guard, console=console)
    app.add_middleware(RequestMetrics, metrics=console.metrics)
    return app


def api() -> FastAPI:
    """Return the API alone. FastAPI's documentation pages load outside hosts, so they are off."""
    app = FastAPI(
        title="unround",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=lambda route: route.name,
        redirect_slashes=False,
    )
    for router in ROUTERS:
        check_guarded(router)
        app.include_router(router, prefix="/api")
    add_handlers(app)
    return app


def check_guarded(router: APIRouter) -> None:
    """Raise TypeError for a router with routes that do not say whom they are for."""
    for route in router.routes:
        if router is not session.door and not isinstance(route, GuardedRoute):
            raise TypeError(f"{route} needs a guard: make its router with `new_router`")


def pages(front_end: Path) -> APIRouter:
    """Return routes for the files that are in the folder now. Every other address is a page of the console.

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


def openapi_document() -> str:
    """Return the OpenAPI document with sorted keys, so that equal code gives equal text."""
    return json.dumps(api().openapi(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(openapi_document())
