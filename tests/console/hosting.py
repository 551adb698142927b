"""A console that is really served: uvicorn in a thread, at a port of its own."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from unround.console.context import Console
from unround.console.server import make_server


@contextmanager
def served(console: Console, listener: socket.socket) -> Iterator[int]:
    """Serve a console at a bound socket; yield the port."""
    server = make_server(console)
    listener.listen(200)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    try:
        yield listener.getsockname()[1]
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


def bound() -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    return listener
