"""The outermost layer of a served application: counts every request, and logs it where that is asked."""

from __future__ import annotations

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from unround.console.api import health
from unround.console.api.middleware import API
from unround.console.logs import REQUESTS
from unround.console.metrics import Metrics

logger = logging.getLogger(REQUESTS)
PAGES = "pages"  # every path that is no route of the API


class Watched:
    """Passes requests on, and notes how they were answered."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.monotonic(), "broken off"

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, noting)
        finally:
            self._note(scope, status, time.monotonic() - began)

    def _note(self, scope: Scope, status: str, seconds: float) -> None:
        route, method = route_of(scope), scope["method"]
        self.metrics.count("unround_requests_total", route=route, method=method, status=status)
        self.metrics.time("unround_request_seconds", seconds, route=route)
        if logger.isEnabledFor(logging.INFO):
            fields = {"method": method, "route": route, "status": status}
            logger.info("request", extra={"fields": {**fields, "ms": round(1000 * seconds, 1)}})


def route_of(scope: Scope) -> str:
    """Return the pattern of the path that a request was for: the path itself holds ids."""
    if scope["path"] in health.PATHS:
        return str(scope["path"])
    if not scope["path"].startswith(API):
        return PAGES
    # Some versions of FastAPI give the pattern without the prefix that its router was included by.
    pattern = getattr(scope.get("route"), "path", "")
    return API.rstrip("/") + pattern.removeprefix(API.rstrip("/"))
