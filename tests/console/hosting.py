"""A console that is really served: uvicorn in a thread, or `unround serve` in a process of its own."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Self, TypeVar

from unround.console.context import Console
from unround.console.server import make_server

Found = TypeVar("Found")
LINK = re.compile(r"http://127\.0\.0\.1:\d+/enter#[\w-]+")
LONGEST_END = 240.0  # seconds in which a server ends on a busy machine


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


class UnroundServer:
    """`unround serve` in a process of its own. One that was killed starts again at the same address."""

    def __init__(
        self, data: Path, *options: str, database: str | None = None, log: Path | None = None
    ) -> None:
        self.data, self.database = data, database
        self._words = [sys.executable, "-m", "unround", "serve", "--port", str(free_port())]
        self._words += ["--data", str(data), *options]
        self._words += ["--database", database] if database else []
        self._log = log  # for the standard error of the server and its workers
        self.link = ""  # the owner's

    @property
    def url(self) -> str:
        return self.link.partition("/enter")[0]

    def start(self) -> Self:
        """Start the process, and read the owner's link off its output."""
        with self._log.open("a") if self._log else nullcontext() as log:
            self.process = subprocess.Popen(
                self._words,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := LINK.search(line):
                self.link = found[0]
                return self
        raise AssertionError(f"the server ended with {self.process.wait()} before it gave a link")

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End the process by a signal, unless it has ended, and return its code."""
        self.process.send_signal(how)
        code = self.process.wait(LONGEST_END)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.end()


def free_port() -> int:
    """Return a free port for a program that binds it later.

    It lies below the ports that the system gives to connections, of which it may give any meanwhile.
    """
    while True:
        port = random.SystemRandom().randrange(15_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
