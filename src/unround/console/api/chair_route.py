"""Routes that only chairs find: for everybody else they are not there."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from unround.console.errors import Absent


class ChairRoute(APIRoute):
    """Turns area chairs away before anything of the request is read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, behind the gate."""
        handler = super().get_route_handler()

        async def for_chairs(request: Request) -> Response:
            if not request.state.who.is_chair:
                raise Absent
            return await handler(request)

        return for_chairs
