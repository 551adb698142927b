"""A sentence for a command that the system ends: memory that runs out leaves no time to say so."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_TASKS = Path("/proc/self/task")
SENTENCE = (
    "The command was killed, or this machine has too little memory for it. What it was asked to write "
    "is there whole or not at all."
)


@contextmanager
def last_words() -> Iterator[None]:
    """Have a second, small process say the sentence if this one does not reach the end of the block."""
    if not _can_fork():
        yield
        return
    read, write = os.pipe()
    if os.fork() == 0:
        os.close(write)
        _wait(read)
    os.close(read)
    try:
        yield
    finally:
        with suppress(BrokenPipeError):  # somebody ended the second process
            os.write(write, b".")
        os.close(write)


def _can_fork() -> bool:
    """Return whether a fork is safe: with other threads it is not."""
    return hasattr(os, "fork") and _TASKS.is_dir() and len(list(_TASKS.iterdir())) == 1


def _wait(read: int) -> None:
    """Wait for the other process's farewell, or for its end without one."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # they go to a whole group, and the other one decides
    for stream in (0, 1):
        os.close(stream)
    if not os.read(read, 1):
        os.write(2, f"{SENTENCE}\n".encode())
    os._exit(0)
