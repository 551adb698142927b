"""What routes share: the console, the viewer and ids in the path, and the check of chair-only routes."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import Depends, Path, Request, Response
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool

from unround.console.access.permissions import Viewer, require_chair, require_own_conference
from unround.console.context import Console
from unround.console.schemas.base import Id


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
            viewer = request.state.viewer
            require_chair(viewer)
            if not viewer.is_owner:
                await run_in_threadpool(_require_own_conference, request)
            return await handler(request)

        return for_chairs


def _require_own_conference(request: Request) -> None:
    console: Console = request.app.state.console
    with console.database.reading() as session:
        require_own_conference(session, request.state.viewer, request.path_params)
