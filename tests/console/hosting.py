"""A console that is really served: uvicorn in a thread, at a port of its own."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from unround.console.context import Console
from unround.console.server import make_server

Found = TypeVar("Found")


def waited_for(condition: Callable[[], Found], seconds: float = 60.0) -> Found:
    """Ask until the answer is true or the time is up; return the last answer."""
    deadline = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


@contextmanager
def served(console: Console, listener: socket.socket) -> Iterator[None]:
    """Serve a console at a socket that listens."""
    server = make_server(console)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    assert waited_for(lambda: server.started)
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(30)


def free_port() -> int:
    """Return a free port for a program that binds it later.

    It lies below the ports that the system gives to connections, of which it may give any meanwhile.
    """
    while True:
        port = random.SystemRandom().randrange(15_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
