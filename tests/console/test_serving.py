"""The console as uvicorn serves it."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator

import pytest

from tests.console.hosting import bound, served
from unround.console.server import MOST_CONNECTIONS, SPARE_FILES, open_console, raise_file_limit
from unround.console.settings import ConsoleSettings


@pytest.fixture
def port(tmp_path, front_end) -> Iterator[int]:
    with bound() as listener:
        port = listener.getsockname()[1]
        settings = ConsoleSettings(data=tmp_path, front_end=front_end, port=port)
        with open_console(settings) as console, served(console, listener):
            yield port


def _status(connection: socket.socket) -> bytes:
    """Read one response, and return its status line."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(1 << 16)
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(1 << 16)
    return head.split(b"\r\n")[0]


def test_a_refused_body_does_not_cost_the_answer(port: int):
    """A client that is still sending can read why, and use the connection again."""
    host = f"Host: 127.0.0.1:{port}\r\n"
    upload = f"POST /api/conferences/c/files HTTP/1.1\r\n{host}X-Unround: 1\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(f"{upload}Content-Length: 5000000\r\n\r\n".encode())
        assert b"401" in _status(connection)
        for _ in range(50):
            connection.sendall(b"x" * 100_000)
        for _ in range(2):
            connection.sendall(f"GET /healthz HTTP/1.1\r\n{host}\r\n".encode())
            assert b"200" in _status(connection)


@pytest.mark.parametrize(
    ("limits", "raised_to", "connections"),
    [
        ((1024, 4096), 4096, 4096 - SPARE_FILES),
        ((1024, 1_000_000), MOST_CONNECTIONS + SPARE_FILES, MOST_CONNECTIONS),
        ((1024, resource.RLIM_INFINITY), MOST_CONNECTIONS + SPARE_FILES, MOST_CONNECTIONS),
        ((100_000, 100_000), None, MOST_CONNECTIONS),
        ((100, 100), None, 50),
    ],
)
def test_open_files_limit_connections(monkeypatch, limits, raised_to, connections):
    raised = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: raised.append(new))
    assert raise_file_limit() == connections
    assert raised == ([] if raised_to is None else [(raised_to, limits[1])])
