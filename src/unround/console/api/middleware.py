"""What every request passes before a route sees it, and what every answer carries.

Host names that are not ours are turned away (DNS rebinding), requests that change something must
come from our own pages, bodies are limited in size and time, and nobody gets past without a session.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from unround.console.access.viewer import Who
from unround.console.context import Console
from unround.console.errors import Refusal
from unround.console.settings import Settings
from unround.console.storage.database import trouble

logger = logging.getLogger("unround.console")
SAFE = ("GET", "HEAD", "OPTIONS")
API, ENTER = "/api/", "/api/enter"
MARK = "x-unround"  # a header that no form and no other site's page can send
UPLOAD = re.compile(r"/api/conferences/[^/]*/files")
EVERYWHERE = {
    "Content-Security-Policy": (
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
        "object-src 'none'; img-src 'self' data:; connect-src 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
UNEXPECTED = "Something went wrong on the server. Its terminal shows what; nothing was changed."


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, console: Console) -> None:
        self.app, self.console = app, console
        self.hosts = known_hosts(console.settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sending = _Sending(scope, send)
        try:
            await self._admit(scope, Headers(scope=scope))
            await self.app(scope, self._limited(scope, receive), sending)
        except Refusal as refusal:
            await sending.refuse(refusal)
        except Exception as problem:
            known = trouble(problem)
            if known is None and not sending.started:
                logger.exception("%s %s failed", scope["method"], scope["path"])
            if not sending.started:
                await sending.refuse(Refusal(*(known or (500, UNEXPECTED))))

    async def _admit(self, scope: Scope, headers: Headers) -> None:
        if _host(headers.get("host", "")) not in self.hosts:
            raise Refusal(
                421, "This console does not go by that name. Use the link that it printed."
            )
        if scope["method"] not in SAFE:
            self._check_origin(headers)
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._limits(scope)[0]:
            raise _too_large(self._limits(scope)[0])
        if scope["path"].startswith(API) and scope["path"] != ENTER:
            scope.setdefault("state", {})["who"] = await self._who(headers)

    def _check_origin(self, headers: Headers) -> None:
        """A change must be asked for by our own page, or by no page at all."""
        host, origin = headers.get("host", ""), headers.get("origin")
        ours = {f"http://{host}", f"https://{host}", self.console.settings.url}
        if (
            headers.get(MARK) != "1"
            or (origin is not None and origin not in ours)
            or headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
        ):
            raise Refusal(403, "This request did not come from the console's own pages.")

    async def _who(self, headers: Headers) -> Who:
        cookie = cookie_parser(headers.get("cookie", "")).get(self.console.settings.cookie)
        sessions = self.console.sessions
        found = sessions.known(cookie) if cookie else None
        if cookie and found is None:
            found = await run_in_threadpool(sessions.look_up, cookie)
        if found is None:
            raise Refusal(401, "Open the console by your link.")
        return found

    def _limits(self, scope: Scope) -> tuple[int, float]:
        """The largest body, and the longest time that it may take to come."""
        chosen = self.console.settings
        if UPLOAD.fullmatch(scope["path"]):
            return chosen.most_upload, chosen.upload_seconds
        return chosen.most_body, chosen.body_seconds

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        most, seconds = self._limits(scope)
        deadline = asyncio.get_running_loop().time() + seconds
        taken, complete = 0, False

        async def limited() -> Message:
            nonlocal taken, complete
            if complete:
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise Refusal(408, f"The data did not arrive within {seconds:g} seconds.") from None
            taken += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if taken > most:
                raise _too_large(most)
            return message

        return limited


class _Sending:
    """Passes an answer on, with the headers that every answer has."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._api, self._send, self.started = scope["path"].startswith(API), send, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in EVERYWHERE.items():
                headers[name] = value
            if self._api:
                headers.setdefault("Cache-Control", "no-store")
        await self._send(message)

    async def refuse(self, refusal: Refusal) -> None:
        """Answer with a refusal."""
        body = json.dumps({"detail": refusal.detail}, ensure_ascii=False).encode()
        headers = {
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **(refusal.headers or {}),
        }
        start: dict[str, Any] = {
            "type": "http.response.start",
            "status": refusal.status_code,
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        await self(start)
        await self._send({"type": "http.response.body", "body": body})


def known_hosts(
    settings: Settings, own_name: Callable[[], str] = socket.gethostname
) -> frozenset[str]:
    """The names that the console goes by."""
    hosts = {"localhost", "127.0.0.1", "::1", settings.host.lower()}
    if settings.host in ("0.0.0.0", "::"):  # noqa: S104
        hosts.add(own_name().lower())
    if settings.public_url:
        hosts.add(_host(urlsplit(settings.public_url).netloc))
    return frozenset(hosts)


def _host(header: str) -> str:
    """The host without its port."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""


def _too_large(most: int) -> Refusal:
    return Refusal(413, f"That is too large: at most {most / 1_000_000:g} MB are taken.")
