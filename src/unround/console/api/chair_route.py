"""Chair-only routes: anybody else, and chairs of another conference, get 404."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool

from unround.console.access.permissions import require_chair, require_own_conference
from unround.console.context import Console


class ChairRoute(APIRoute):
    """A route that refuses whom it is not for, before any of the request's body is read.

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
                await run_in_threadpool(_check, request)
            return await handler(request)

        return for_chairs


def _check(request: Request) -> None:
    console: Console = request.app.state.console
    with console.database.reading() as session:
        require_own_conference(session, request.state.viewer, request.path_params)
