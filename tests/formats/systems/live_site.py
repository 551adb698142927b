"""A site on loopback that answers with recorded answers, for tests of live systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from click.testing import CliRunner, Result

from unround.cli.group import commands


@dataclass(frozen=True)
class Answer:
    """An answer; `missing` bytes of it are announced and not sent."""

    body: bytes = b"{}"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    missing: int = 0


@dataclass(frozen=True)
class Asked:
    """A request as the site got it."""

    method: str
    path: str
    query: dict[str, str]
    authorization: str
    body: bytes


@dataclass
class LiveSite:
    """The address of a site, its answers by path, and what it was asked."""

    url: str
    answer: Callable[[Asked], Answer]
    requests: list[Asked] = field(default_factory=list)


def call(*words: object) -> Result:
    """Run a command of the command line."""
    return CliRunner().invoke(commands, [str(word) for word in words])


@contextmanager
def live_site(answer: Callable[[Asked], Answer]) -> Iterator[LiveSite]:
    """Run a site on loopback for as long as the block lasts."""
    site = LiveSite("", answer)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            authorization = self.headers.get("Authorization", "")
            asked = Asked(self.command, parts.path, query, authorization, body)
            site.requests.append(asked)
            reply = site.answer(asked)
            self.send_response(reply.status)
            self.send_header("Content-Length", str(len(reply.body) + reply.missing))
            for name, value in reply.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def do_POST(self) -> None:
            self.do_GET()

        def do_DELETE(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    site.url = f"http://127.0.0.1:{server.server_port}/conf"
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
