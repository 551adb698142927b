"""Talk to a running conference system over HTTP: one host, one token, answers of bounded size.

An address is SYSTEM+URL, such as hotcrp+https://example.org/conf. Commands take the token from the
environment, where other users of the machine do not see it. It is sent to that host alone.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPMessage,
    HTTPResponse,
    HTTPSConnection,
)
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    ProxyHandler,
    Request,
    build_opener,
)

from unround.errors import UsageError
from unround.formats.cells import shown
from unround.formats.model import ImportRefused
from unround.wording import LIVE_SYSTEMS, SYSTEMS

SECONDS = 60.0  # for all that is fetched, and for each thing that is written
MOST_BYTES = 500_000_000
BLOCK = 1 << 20
LONGEST_REASON, LONGEST_REFUSAL = 300, 1000
# Path() turns the two slashes of an address into one.
_ADDRESS = re.compile(r"([a-z]+)\+(https?):/+([^/].*?)/*")


@dataclass(frozen=True)
class Address:
    """A conference on a running system."""

    system: str
    url: str

    @property
    def host(self) -> str:
        """The host and its port."""
        return urlsplit(self.url).netloc

    def file(self, folder: Path, name: str) -> Path:
        """Return the path for what is fetched: its name has the host and the conference."""
        conference = re.sub(r"[^\w.]+", "-", self.url.partition("://")[2])
        return folder / f"{conference}-{name}"

    @property
    def is_loopback(self) -> bool:
        """Whether the host is this machine."""
        name = urlsplit(self.url).hostname or ""
        try:
            return name == "localhost" or ipaddress.ip_address(name).is_loopback
        except ValueError:
            return False


def live_address(text: str | Path) -> Address | None:
    """Return the address in an argument; None if it is the path of a file."""
    found = _ADDRESS.fullmatch(text.as_posix() if isinstance(text, Path) else text)
    if found is None:
        return None
    system, scheme, rest = found.groups()
    if system not in LIVE_SYSTEMS:
        known = ", ".join(f"{name}+https://…" for name in LIVE_SYSTEMS)
        raise UsageError(f"{system}+{scheme}://…: no such system; addresses are {known}")
    address = Address(system, f"{scheme}://{rest}")
    try:
        parts = urlsplit(address.url)
    except ValueError as error:  # such as https://[x
        raise UsageError(f"{address.url} names no host: {error}") from None
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise UsageError(
            f"an address is a host and a conference alone: {system}+{scheme}://{parts.hostname}/…; the token "
            f"has a place of its own, {system.upper()}_TOKEN for commands"
        )
    if scheme == "http" and not address.is_loopback:
        raise UsageError(f"{address.host} would get the token unprotected: use https://")
    return address


def token_for(system: str) -> str:
    """Return the token in the environment, or in the file that the environment names."""
    name = f"{system.upper()}_TOKEN"
    path = os.environ.get(f"{name}_FILE")
    try:
        token = os.environ.get(name) or (Path(path).read_text("utf-8") if path else "")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{name}_FILE: {path} cannot be read: {error}") from error
    if not token.strip():
        raise UsageError(
            f"set the environment variable {name} to a token of {SYSTEMS[system].title}, or {name}_FILE "
            "to a file with nothing else in it"
        )
    return token


class _Deadline(HTTPSHandler, HTTPHandler, HTTPRedirectHandler):
    """Opens connections, and ends them when the time is up, however slowly the other side answers.

    Redirects are not followed, whatever they name: urllib would send the token along.
    """

    def __init__(self, end: float) -> None:
        super().__init__()
        self.is_over = False
        self._sockets: list[socket.socket] = []
        self._timer = threading.Timer(max(end - time.monotonic(), 0.0), self._cut)
        self._timer.daemon = True

    def __enter__(self) -> _Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._timer.cancel()
        for copy in self._sockets:
            copy.close()

    def http_open(self, request: Request) -> HTTPResponse:
        """Answer a request to http://."""
        return self.do_open(self._connection(HTTPConnection), request)

    def https_open(self, request: Request) -> HTTPResponse:
        """Answer a request to https://."""
        return self.do_open(self._connection(HTTPSConnection), request)

    def http_error_302(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage
    ) -> None:
        """Leave a redirect unanswered, so that it is an error."""
        return None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302

    def _connection(self, kind: type[HTTPConnection]) -> Any:
        def connection(host: str, **options: Any) -> HTTPConnection:
            made = kind(host, **options)
            made._create_connection = self._connect  # type: ignore[attr-defined]
            return made

        return connection

    def _connect(self, *where: Any) -> socket.socket:
        connected = socket.create_connection(*where)
        self._sockets.append(connected.dup())  # TLS takes the first one over
        return connected

    def _cut(self) -> None:
        self.is_over = True
        for copy in self._sockets:
            with suppress(OSError):
                copy.shutdown(socket.SHUT_RDWR)


@dataclass
class Site:
    """Requests to one conference, by paths below its address."""

    address: Address
    token: str = field(repr=False)
    needed: str  # the kind of token that is needed, for messages
    scheme: str = "Bearer"  # of the header Authorization

    def __post_init__(self) -> None:
        """Refuse a token that cannot be one; it may stand between blanks or on a line of its own."""
        self.token = self.token.strip()
        self._end = time.monotonic() + SECONDS
        if not re.fullmatch(r"[!-~]+", self.token):
            raise UsageError("the token must be one word of letters, digits and signs")

    def get(self, path: str, **query: str) -> bytes:
        """Return an answer whole."""
        return self._answer("GET", path, query)

    def get_json(self, path: str, **query: str) -> dict[str, Any]:
        """Return an answer that is a JSON object."""
        return self.parsed(self._answer("GET", path, query))

    def post(self, path: str, body: bytes, kind: str, **query: str) -> dict[str, Any]:
        """Send a body of a media type; return the answer, a JSON object."""
        answer = self._answer("POST", path, query, body, kind)
        self._end = time.monotonic() + SECONDS
        return self.parsed(answer)

    def delete(self, path: str) -> None:
        """Remove what is at a path."""
        self._answer("DELETE", path, {})
        self._end = time.monotonic() + SECONDS

    def refuse(self, reason: str) -> ImportRefused:
        """Return an error that names the host. What the host says may hold anything."""
        return ImportRefused(shown(f"{self.address.host}: {reason}", LONGEST_REFUSAL))

    def parsed(self, answer: bytes) -> dict[str, Any]:
        """Return the JSON object of an answer."""
        with suppress(ValueError, RecursionError):
            found = json.loads(answer)
            if isinstance(found, dict):
                return found
        raise self.refuse(
            f"the answer is no JSON object; is {self.address.url} the address of a conference?"
        )

    def objects(self, answer: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
        """Return the list of objects under a key of an answer."""
        found = answer.get(key)
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise self.refuse(f"the answer has no list of {key}; is it another system?")
        return found

    def _answer(
        self,
        method: str,
        path: str,
        query: Mapping[str, str],
        body: bytes | None = None,
        kind: str = "",
    ) -> bytes:
        url = f"{self.address.url}/{path}" + (f"?{urlencode(query)}" if query else "")
        headers = {"Authorization": f"{self.scheme} {self.token}", "Accept": "*/*"}
        if body is not None:
            headers["Content-Type"] = kind
        request = Request(url, body, headers, method=method)  # noqa: S310 - checked by live_address
        direct = [ProxyHandler({})] if self.address.is_loopback else []
        with _Deadline(self._end) as deadline, self._errors(deadline):
            opener = build_opener(deadline, *direct)
            with opener.open(request, timeout=SECONDS) as response:
                return self._whole(response)

    def _whole(self, response: HTTPResponse) -> bytes:
        """Read an answer to its end; refuse half of one."""
        content = bytearray()
        while block := response.read(BLOCK):
            content += block
            if len(content) > MOST_BYTES:
                raise self.refuse(f"the answer is larger than {MOST_BYTES / 1e6:,.0f} MB")
        expected = response.headers.get("Content-Length")
        if expected and expected.isdecimal() and len(content) < int(expected):
            raise self.refuse(
                f"the answer ended after {len(content):,} of {expected} bytes; try again"
            )
        return bytes(content)

    @contextmanager
    def _errors(self, deadline: _Deadline) -> Iterator[None]:
        try:
            yield
            if deadline.is_over:  # what was cut off may look like an end
                raise TimeoutError
        except ImportRefused:
            raise
        except HTTPError as error:
            hint = f"; {self.needed}" if error.code in (401, 403) else ""
            with error:  # it holds the connection
                reason = _refusal(error)
            raise self.refuse(reason + hint) from error
        except (OSError, HTTPException, ValueError) as error:
            if deadline.is_over or isinstance(error, TimeoutError):
                raise self.refuse(f"no complete answer within {SECONDS:g} seconds") from error
            if isinstance(error, URLError):
                raise self.refuse(f"cannot be reached: {error.reason}") from error
            raise self.refuse(
                f"the connection broke off ({type(error).__name__}); try again"
            ) from error


def _refusal(error: HTTPError) -> str:
    """Return what a system says when it refuses a request."""
    if error.code in (301, 302, 303, 307, 308):
        return (
            f"it sends us on to {error.headers.get('Location')}; name that address if you trust it"
        )
    said = ""
    with suppress(OSError, HTTPException, ValueError):  # the answer breaks off
        said = _reason(error.read(BLOCK))
    if error.code == 401:
        return f"the token is refused: {said or error.reason}"
    return f"it answers {error.code}: {said or error.reason}"


def _reason(body: bytes) -> str:
    """Return the sentence in an error, as HotCRP (message_list) or Django (detail) writes it."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(answer, dict):
        return str(answer)[:LONGEST_REASON]
    entries = answer.get("message_list")
    if isinstance(entries, list):
        texts = [str(one.get("message")) for one in entries if isinstance(one, dict)]
        return "; ".join(re.sub(r"^<\d+>", "", text) for text in texts)[:LONGEST_REASON]
    return str(answer.get("detail", answer))[:LONGEST_REASON]


@dataclass(frozen=True)
class Downloaded:
    """What was fetched from a conference, as files in a folder."""

    reviews: tuple[Path, ...]
    rankings: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
