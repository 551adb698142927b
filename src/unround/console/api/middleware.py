"""The two layers around the routes: one counts and times requests, the other guards them.

The guard checks, in order: the host name must be ours (against DNS rebinding), a request that changes
something must come from our own pages, and bodies are limited in size. Whom a route is for says the route.
"""

from __future__ import annotations

import logging
import re
import socket
import time
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from unround.console.api import monitoring
from unround.console.context import Console
from unround.console.errors import Refusal, refusal_of, refusal_response
from unround.console.settings import ConsoleSettings
from unround.console.telemetry import REQUESTS, Metrics
from unround.wording import PAGE, written_for

request_log = logging.getLogger(REQUESTS)
PAGES = "pages"  # the route of every path outside the API
SAFE = ("GET", "HEAD", "OPTIONS")
API = "/api/"
OWN_HEADER = "x-unround"  # a header that no form and no other site's page can send
UPLOAD = re.compile(r"/api/conferences/[^/]*/files")
# Sent where the public address is https: browsers then never use http for a year.
TLS_ONLY = (b"strict-transport-security", b"max-age=31536000")
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


class RequestMetrics:
    """Counts and times every request, and logs it where that is wanted."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and note how it was answered."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.monotonic(), "broken off"

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        finally:
            self._note(scope, status, time.monotonic() - began)

    def _note(self, scope: Scope, status: str, seconds: float) -> None:
        route, method = route_of(scope), scope["method"]
        self.metrics.requests.labels(route, method, status).inc()
        self.metrics.request_seconds.labels(route).observe(seconds)
        fields = {"method": method, "route": route, "status": status}
        fields["ms"] = round(1000 * seconds, 1)
        request_log.info("request", extra={"fields": fields})


def route_of(scope: Scope) -> str:
    """Return the pattern of the path that a request was for: the path itself holds ids."""
    if scope["path"] in monitoring.PATHS:
        return str(scope["path"])
    if not scope["path"].startswith(API):
        return PAGES
    # Some versions of FastAPI give the pattern without the prefix that its router was included by.
    pattern = getattr(scope.get("route"), "path", "")
    return API.rstrip("/") + pattern.removeprefix(API.rstrip("/"))


class Guard:
    """Refuses what does not come from the console's own pages and people, and answers exceptions."""

    def __init__(self, app: ASGIApp, console: Console) -> None:
        self.app, self.console = app, console
        self.hosts = known_hosts(console.settings)
        self.headers = (*SECURITY_HEADERS, *([TLS_ONLY] if console.settings.is_secure else []))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        response = _GuardedResponse(scope, send, self.headers)
        if scope["method"] == "HEAD":  # answered wherever GET is; the server leaves the body out
            scope = {**scope, "method": "GET"}
        try:
            upload = UPLOAD.fullmatch(scope["path"]) is not None
            settings = self.console.settings
            most = settings.most_upload if upload else settings.most_body
            self._check(scope, Headers(scope=scope), most)
            with written_for(PAGE):
                await self.app(scope, _limited(receive, most), response)
        except Exception as error:
            refusal = refusal_of(error, f"{scope['method']} {scope['path']}")
            if not response.started:
                await refusal_response(refusal)(scope, receive, response)

    def _check(self, scope: Scope, headers: Headers, most: int) -> None:
        settings = self.console.settings
        if scope["path"] in monitoring.PATHS:
            return  # asked by whatever name or address a monitor knows; they tell no secret
        if len(headers.getlist("host")) > 1:
            raise Refusal(400, "The request names two hosts.")
        if _hostname(headers.get("host", "")) not in self.hosts:
            raise Refusal(
                421, "This console does not go by that name. Use the link that it printed."
            )
        if scope["method"] not in SAFE:
            _check_origin(headers, settings)
        announced = headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > most:
            raise _too_large(most)


def _check_origin(headers: Headers, settings: ConsoleSettings) -> None:
    """Refuse a change that is requested by a page of another site."""
    host, origin, own_origins = headers.get("host", ""), headers.get("origin"), {settings.url}
    if not settings.is_secure:
        own_origins |= {f"http://{host}", f"https://{host}"}
    if (
        headers.get(OWN_HEADER) != "1"
        or (origin is not None and origin not in own_origins)
        or headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
    ):
        raise Refusal(403, "This request did not come from the console's own pages.")


def _limited(receive: Receive, most: int) -> Receive:
    """Return a `receive` that refuses a body of more than `most` bytes."""
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise _too_large(most)
        return message

    return limited


def _too_large(most: int) -> Refusal:
    return Refusal(413, f"That is too large: at most {most / 1_000_000:g} MB are taken.")


class _GuardedResponse:
    """Passes a response on, with the headers that every response has."""

    def __init__(self, scope: Scope, send: Send, headers: Sequence[tuple[bytes, bytes]]) -> None:
        self._api, self._send, self.started = scope["path"].startswith(API), send, False
        self._headers = headers

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = [*message["headers"], *self._headers]
            if self._api and not any(name.lower() == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await self._send(message)


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
