"""The console as uvicorn serves it."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection

import pytest

from tests.console.hosting import served
from unround.console.server import MOST_CONNECTIONS, SPARE_FILES, open_console, raise_file_limit
from unround.console.settings import ConsoleSettings


@pytest.fixture
def port(tmp_path, front_end) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        settings = ConsoleSettings(data=tmp_path, front_end=front_end, port=port)
        with open_console(settings) as console, served(console, listener):
            yield port


def test_a_refused_body_does_not_cost_the_answer(port: int):
    """A client that is still sending can read why, and use the connection again."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.putrequest("POST", "/api/conferences/c/files")
        for name, value in (("X-Unround", "1"), ("Content-Length", "5000000")):
            connection.putheader(name, value)
        connection.endheaders()
        connection.auto_open = 0  # a connection that the server closes is not made again
        refused = connection.getresponse()
        assert (refused.status, b"detail" in refused.read()) == (401, True)
        for _ in range(50):
            connection.send(b"x" * 100_000)
        for _ in range(2):
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            assert (answer.status, answer.read()) == (200, b'{"alive":true}')


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
