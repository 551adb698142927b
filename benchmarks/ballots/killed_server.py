"""`unround serve` in a process that is killed without warning and started again at the same address."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

LINK = re.compile(r"/enter#([\w-]+)")
PATIENCE = 120.0  # seconds for a start on a busy machine


class KilledServer:
    """A server that outlives its process: the port, the data and everybody's sessions stay."""

    def __init__(self, data: Path, database: str | None) -> None:
        given = ["--database", database] if database else []
        self._port = _free_port()
        self._command = [sys.executable, "-m", "unround", "serve", "--port", str(self._port)]
        self._command += ["--data", str(data), *given]
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self.kills = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> str:
        """Start the server and return the secret of the chair's link."""
        self._process = subprocess.Popen(
            self._command,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self._process.stdout is not None
        end = time.monotonic() + PATIENCE
        for line in self._process.stdout:
            if found := LINK.search(line):
                self._reader = threading.Thread(target=self._process.stdout.read, daemon=True)
                self._reader.start()
                return found[1]
            if time.monotonic() > end:
                break
        raise RuntimeError("the server gave no link")

    def kill(self) -> None:
        """End the process as a power cut would: no handler of its own runs."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._ended(self._process)
        self.kills += 1

    def stop(self) -> None:
        """End the process in order."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._ended(self._process)

    def _ended(self, process: subprocess.Popen[str]) -> None:
        """Wait for the process, and for all that it said."""
        process.wait(timeout=PATIENCE)
        if self._reader is not None:
            self._reader.join()
        if process.stdout is not None:
            process.stdout.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
