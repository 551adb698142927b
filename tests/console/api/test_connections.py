"""Connections that send or read too slowly are ended; all others are left alone."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress

import pytest

from tests.console.hosting import bound, served
from unround.console.api.connections import HEADER_BYTES, ImpatientProtocol
from unround.console.lifecycle import open_console
from unround.console.settings import ConsoleSettings

SIZE = 30_000_000


class Hasty(ImpatientProtocol):
    header_seconds, reader_seconds, body_seconds = 0.5, 0.5, 1.5


@pytest.fixture(scope="module")
def port(tmp_path_factory, front_end) -> Iterator[int]:
    folder = front_end / "console" / "assets"
    (folder / "large.js").write_bytes(b"x" * SIZE)
    with bound() as listener:
        data = tmp_path_factory.mktemp("data")
        settings = ConsoleSettings(data=data, front_end=front_end, port=listener.getsockname()[1])
        with open_console(settings) as console, served(console, listener, Hasty) as port:
            yield port
    (folder / "large.js").unlink()


def _connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def _get(port: int, path: str = "/healthz") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()


def _taken(connection: socket.socket) -> int:
    """Read until the server ends the connection; return how many bytes came."""
    taken = 0
    with suppress(ConnectionResetError):
        while data := connection.recv(1 << 20):
            taken += len(data)
    return taken


def _sent_until_ended(connection: socket.socket, parts: Iterable[bytes], pause: float) -> int:
    """Send parts until the server ends the connection; return how many bytes went."""
    sent = 0
    with suppress(ConnectionError):
        for part in parts:
            connection.sendall(part)
            sent += len(part)
            time.sleep(pause)
    return sent


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET / HT"])
def test_headers_that_do_not_arrive(port: int, sent: bytes):
    with _connected(port) as connection:
        connection.sendall(sent)
        assert _taken(connection) == 0


def test_headers_that_arrive_byte_by_byte(port: int):
    header = b"GET / HTTP/1.1\r\nX: " + b"y" * 1000
    with _connected(port) as connection:
        sent = _sent_until_ended(connection, (bytes([one]) for one in header), 0.05)
    assert sent < len(header)


def test_headers_without_end_are_bounded(port: int):
    lines = [f"X-{number}: {'y' * 4000}\r\n".encode() for number in range(100)]
    with _connected(port) as connection:
        sent = _sent_until_ended(connection, [b"GET / HTTP/1.1\r\n", *lines], 0.01)
    assert sent < 3 * HEADER_BYTES


def test_a_second_request_of_a_connection_is_waited_for_as_well(port: int):
    with _connected(port) as connection:
        connection.sendall(_get(port))
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127")
        assert _taken(connection) < 100  # the rest of the first response


def test_a_reader_that_does_not_read(port: int):
    with _connected(port) as connection:
        connection.sendall(_get(port, "/assets/large.js"))
        time.sleep(2)  # longer than the server waits
        assert 0 < _taken(connection) < SIZE  # what the system had buffered


def test_a_slow_reader_gets_everything(port: int):
    with _connected(port) as connection:
        connection.sendall(_get(port, "/assets/large.js"))
        taken, began = 0, time.monotonic()
        while taken < SIZE:
            taken += len(connection.recv(1 << 20))
            time.sleep(0.05)
    assert time.monotonic() - began > 2 * Hasty.reader_seconds


def _refused_upload(port: int, length: int) -> bytes:
    """Return the head of an upload that is refused at once: it has no session."""
    return (
        f"POST /api/conferences/c/files HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Unround: 1\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


def test_a_refused_body_does_not_cost_the_answer(port: int):
    """Whoever still sends gets to read why, and may use the connection again."""
    with _connected(port) as connection:
        connection.sendall(_refused_upload(port, 5_000_000))
        time.sleep(0.2)  # it is answered by now
        for _ in range(50):
            connection.sendall(b"x" * 100_000)
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 401")
        connection.sendall(_get(port))
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200")
        time.sleep(2 * Hasty.body_seconds)
        connection.sendall(_get(port))
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200")


def test_a_refused_body_without_end_is_ended(port: int):
    with _connected(port) as connection:
        connection.sendall(_refused_upload(port, 5_000_000_000))
        sent = _sent_until_ended(connection, (b"x" * 1000 for _ in range(100)), 0.05)
    assert 0 < sent < 100_000


def test_headers_that_begin_with_the_end_of_a_body(port: int):
    with _connected(port) as connection:
        connection.sendall(_refused_upload(port, 10) + b"x" * 10 + b"GET / HTTP/1.1\r\nHo")
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 401")
        assert _taken(connection) == 0
