"""What route modules share: the console, the viewer and ids of a request, chair-only routes, responses."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Coroutine
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, Path, Request, Response
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool

from unround.console.access.permissions import Viewer, require_chair, require_own_conference
from unround.console.context import Console
from unround.console.errors import Absent
from unround.console.schemas.base import ErrorBody, Id


# Coroutines, though they wait for nothing: FastAPI runs plain functions in a thread each.
async def _console(request: Request) -> Console:
    console: Console = request.app.state.console
    return console


async def _viewer(request: Request) -> Viewer:
    viewer: Viewer = request.state.viewer
    return viewer


ConsoleDep = Annotated[Console, Depends(_console)]
ViewerDep = Annotated[Viewer, Depends(_viewer)]
PathId = Annotated[Id, Path()]


class ChairRoute(APIRoute):
    """A route that answers 404 to whom it is not for, before any of the request's body is read.

    A chair may use it for ids of their own conference; without such an id in its path it is for the
    server's owner.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler behind the check."""
        handler = super().get_route_handler()

        async def for_chairs(request: Request) -> Response:
            require_chair(request.state.viewer)
            await run_in_threadpool(_require_own_conference, request)
            return await handler(request)

        return for_chairs


class AreaChairRoute(APIRoute):
    """A route for area chairs of the conference in its path; it answers 404 to all others at once."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler behind the check."""
        handler = super().get_route_handler()

        async def for_area_chairs(request: Request) -> Response:
            viewer: Viewer = request.state.viewer
            if not viewer.area_chair or viewer.conference != request.path_params["conference"]:
                raise Absent
            return await handler(request)

        return for_area_chairs


def _require_own_conference(request: Request) -> None:
    console: Console = request.app.state.console
    with console.database.reading() as session:
        require_own_conference(session, request.state.viewer, request.path_params)


def error_responses(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Describe the errors that every route can give, and these."""
    return {code: {"model": ErrorBody} for code in (401, 404, 422, 503, *codes)}


def attachment(content: bytes, name: str, media_type: str) -> Response:
    """Return a file to be saved, never opened in the console's own origin."""
    plain = "".join(letter if letter.isascii() else "-" for letter in name)
    headers = {"Content-Disposition": f'attachment; filename="{plain}"'}
    if plain != name:
        headers["Content-Disposition"] += f"; filename*=UTF-8''{quote(name)}"
    return Response(content, media_type=media_type, headers=headers)


def packed_csv_response(packed: bytes | None, name: str) -> Response:
    """Return a stored CSV file, or raise 404 where there is none."""
    if packed is None:
        raise Absent
    return attachment(gzip.decompress(packed), name, "text/csv")


def file_responses(*media_types: str) -> dict[int | str, dict[str, Any]]:
    """Describe the responses of a route that gives files of these types."""
    binary = {"schema": {"type": "string", "format": "binary"}}
    contents = {name: {} if name == "application/json" else binary for name in media_types}
    return {**error_responses(409), 200: {"content": contents}}
