"""Chair-only routes: anybody else gets 404."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from unround.console.access.permissions import require_chair


class ChairRoute(APIRoute):
    """A route that refuses area chairs before any of the request's body is read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler behind the check."""
        handler = super().get_route_handler()

        async def for_chairs(request: Request) -> Response:
            require_chair(request.state.viewer)
            return await handler(request)

        return for_chairs
