"""What everybody asks when they enter, answered without FastAPI's routing.

When hundreds of people open their links in one minute, matching routes and resolving parameters takes
longer than the answers. The functions called here are those of the routes, which document them and
answer everything that looks unusual: a query, a body that is not as expected, an odd id.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import Request, Response
from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from unround.console.api.routes import conferences, results, session
from unround.console.context import Console
from unround.console.schemas import Enter

ID = "([0-9a-f]{32})"
JSON = "application/json"


@dataclass(frozen=True)
class _Express:
    """A request that is answered at once: by the id in its path, if it has one."""

    method: str
    path: str  # as the route has it, for the metrics
    pattern: re.Pattern[str]
    answer: Callable[[Console, Request, str], Awaitable[BaseModel | Response]]


class Express:
    """Answers the requests that come in crowds, and passes all others on."""

    def __init__(self, app: ASGIApp, console: Console) -> None:
        self.app, self.console = app, console

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        found = _found(scope)
        if found is None:
            await self.app(scope, receive, send)
            return
        express, id = found
        request = Request(scope, receive)
        try:
            answer = await express.answer(self.console, request, id)
        except ValidationError:
            await self.app(scope, _again(await request.body()), send)
            return
        except ClientDisconnect:
            return
        scope["route"] = express
        if isinstance(answer, BaseModel):
            answer = Response(answer.model_dump_json(by_alias=True), media_type=JSON)
        await answer(scope, receive, send)


def _found(scope: Scope) -> tuple[_Express, str] | None:
    if scope["type"] == "http" and not scope["query_string"]:
        for express in CROWDED:
            if scope["method"] == express.method and (
                match := express.pattern.fullmatch(scope["path"])
            ):
                return express, match[1] if match.re.groups else ""
    return None


def _again(body: bytes) -> Receive:
    """Return a `receive` that gives a body which was read before."""

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def _enter(console: Console, request: Request, _: str) -> Response:
    wanted = request.headers.get("content-type") == JSON
    credentials = Enter.model_validate_json(await request.body() if wanted else b"")
    return await session.enter(request, console, credentials)


async def _me(_: Console, request: Request, __: str) -> BaseModel:
    return await session.me(request.state.viewer)


async def _conference(console: Console, request: Request, id: str) -> BaseModel:
    return await conferences.get_conference(console, request.state.viewer, id)


async def _view(console: Console, request: Request, id: str) -> Response:
    return await results.get_view(request, console, request.state.viewer, id)


CROWDED = tuple(
    _Express(method, f"/api{path}", re.compile("/api" + re.sub(r"\{\w+\}", ID, path)), answer)
    for method, path, answer in (
        ("POST", "/enter", _enter),
        ("GET", "/me", _me),
        ("GET", "/conferences/{conference}", _conference),
        ("GET", "/runs/{run}/view", _view),
    )
)
