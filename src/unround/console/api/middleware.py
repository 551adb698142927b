"""Checks that every request passes before a route sees it, and headers of every response.

In order: the host name must be ours (against DNS rebinding), a request that changes something must
come from our own pages, bodies are limited in size and time, and the API needs a session.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from unround.console.access.links import find_viewer
from unround.console.api import health
from unround.console.context import Console
from unround.console.errors import Absent, Refusal, refusal_of, refusal_response
from unround.console.settings import ConsoleSettings

SAFE = ("GET", "HEAD", "OPTIONS")
API, ENTER = "/api/", "/api/enter"
PIECE = 65_536  # bytes of a body that are sent at a time
OWN_HEADER = "x-unround"  # a header that no form and no other site's page can send
# All that a reviewer may use; for them, every other route does not exist.
FOR_REVIEWERS = ("/api/me", "/api/leave", "/api/ballot", "/api/ballot/versions")
UPLOAD = re.compile(r"/api/conferences/[^/]*/files")
SECURITY_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
        b"object-src 'none'; img-src 'self' data:; connect-src 'self'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, console: Console) -> None:
        self.app, self.console = app, console
        self.hosts = known_hosts(console.settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        response = _GuardedResponse(scope, send)
        if scope["method"] == "HEAD":  # answered wherever GET is, without the body
            scope = {**scope, "method": "GET"}
        try:
            limit = _BodyLimit(scope["path"], self.console.settings)
            await self._check(scope, Headers(scope=scope), limit)
            await self.app(scope, limit.applied(receive), response)
        except Exception as error:
            if not response.started:
                refusal = refusal_of(error, f"{scope['method']} {scope['path']}")
                await refusal_response(refusal)(scope, receive, response)

    async def _check(self, scope: Scope, headers: Headers, limit: _BodyLimit) -> None:
        settings = self.console.settings
        if scope["path"] in health.PATHS:
            return  # asked by whatever name or address a monitor knows; they tell no secret
        if _hostname(headers.get("host", "")) not in self.hosts:
            raise Refusal(
                421, "This console does not go by that name. Use the link that it printed."
            )
        if scope["method"] not in SAFE:
            _check_origin(headers, settings.url)
        limit.check_length(headers.get("content-length", ""))
        if scope["path"].startswith(API) and scope["path"] != ENTER:
            cookie = cookie_parser(headers.get("cookie", "")).get(settings.cookie)
            viewer = (
                await run_in_threadpool(find_viewer, self.console.database, cookie)
                if cookie
                else None
            )
            if viewer is None:
                raise Refusal(401, "Open the console by your link.")
            if viewer.ballot is not None and scope["path"] not in FOR_REVIEWERS:
                raise Absent
            scope.setdefault("state", {})["viewer"] = viewer


def _check_origin(headers: Headers, url: str) -> None:
    """Refuse a change that is requested by a page of another site."""
    host, origin = headers.get("host", ""), headers.get("origin")
    own_origins = {f"http://{host}", f"https://{host}", url}
    if (
        headers.get(OWN_HEADER) != "1"
        or (origin is not None and origin not in own_origins)
        or headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
    ):
        raise Refusal(403, "This request did not come from the console's own pages.")


class _BodyLimit:
    """The largest size of a request's body, and the longest time that it may take to arrive."""

    def __init__(self, path: str, settings: ConsoleSettings) -> None:
        upload = UPLOAD.fullmatch(path) is not None
        self.size = settings.most_upload if upload else settings.most_body
        self.seconds = settings.upload_seconds if upload else settings.body_seconds

    def check_length(self, announced: str) -> None:
        """Refuse a body whose announced length is too large."""
        if announced.isdecimal() and int(announced) > self.size:
            raise self._too_large()

    def applied(self, receive: Receive) -> Receive:
        """Return a `receive` that refuses what is too large or too slow."""
        deadline = asyncio.get_running_loop().time() + self.seconds
        taken, complete = 0, False

        async def limited() -> Message:
            nonlocal taken, complete
            if complete:
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise Refusal(
                    408, f"The data did not arrive within {self.seconds:g} seconds."
                ) from None
            taken += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if taken > self.size:
                raise self._too_large()
            return message

        return limited

    def _too_large(self) -> Refusal:
        return Refusal(413, f"That is too large: at most {self.size / 1_000_000:g} MB are taken.")


def in_pieces(message: Message) -> Iterator[Message]:
    """Yield a large body in pieces: the next one waits until the reader has taken the one before."""
    body = memoryview(message.get("body", b""))
    if len(body) <= PIECE:
        yield message
        return
    for start in range(0, len(body), PIECE):
        last = start + PIECE >= len(body)
        more = message.get("more_body", False) or not last
        yield {**message, "body": bytes(body[start : start + PIECE]), "more_body": more}


class _GuardedResponse:
    """Passes a response on, with the headers that every response has."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._api, self._send, self.started = scope["path"].startswith(API), send, False
        self._head, self._ended = scope["method"] == "HEAD", False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = [*message["headers"], *SECURITY_HEADERS]
            if self._api and not any(name.lower() == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        elif self._head:
            if self._ended:
                return
            self._ended, message = True, {"type": "http.response.body"}
        for piece in in_pieces(message):
            await self._send(piece)


def known_hosts(
    settings: ConsoleSettings, own_name: Callable[[], str] = socket.gethostname
) -> frozenset[str]:
    """Return the host names that the console answers to."""
    hosts = {"localhost", "127.0.0.1", "::1", settings.host.lower()}
    if settings.host in ("0.0.0.0", "::"):  # noqa: S104
        hosts.add(own_name().lower())
    if settings.public_url:
        hosts.add(_hostname(urlsplit(settings.public_url).netloc))
    return frozenset(hosts)


def _hostname(header: str) -> str:
    """Return the host without its port."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""
