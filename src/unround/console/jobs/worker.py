"""`python -m unround.console.jobs.worker`: one job in a process of its own.

The first line of standard input is the order; the input stays open as long as the server lives.
Standard output carries JSON lines: {"stage", "done", "total"}, and {"reason"} when the job failed.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
import time
import traceback
from typing import IO

from unround.console.jobs.order import Order, Overtaken

LEAST_SECONDS = 0.05
_PR_SET_PDEATHSIG = 1
FAILED, OVERTAKEN = 1, 3


def main() -> None:
    """Do what the order says; die with the server."""
    _die_with_the_server()
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints must not stand between the lines
    order = Order(**json.loads(sys.stdin.readline()))
    threading.Thread(target=_watch_input, daemon=True).start()
    sys.exit(_performed(order, Telling(out)))


class Telling:
    """Passes progress on, but not every step of it."""

    def __init__(self, out: IO[str]) -> None:
        self._out, self._stage, self._last = out, "", 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Tell how far a stage has come."""
        moment = time.monotonic()
        if stage == self._stage and done < total and moment - self._last < LEAST_SECONDS:
            return
        self._stage, self._last = stage, moment
        self.line(stage=stage, done=done, total=total)

    def line(self, **values: object) -> None:
        """Write one line."""
        self._out.write(json.dumps(values) + "\n")
        self._out.flush()


def _performed(order: Order, telling: Telling) -> int:
    from unround.console.jobs import check as checking
    from unround.console.jobs import run as running
    from unround.console.storage.database import trouble
    from unround.errors import UnroundError

    perform = {"check": checking.perform, "run": running.perform}[order.kind]
    try:
        perform(order, telling)
    except Overtaken:
        return OVERTAKEN
    except UnroundError as problem:
        telling.line(reason=str(problem))
        return FAILED
    except MemoryError:
        telling.line(reason="There is not enough memory for these files.")
        return FAILED
    except Exception as problem:
        known = trouble(problem)
        if known is None:
            traceback.print_exc()
        telling.line(
            reason=known[1]
            if known
            else f"unround met a problem of its own ({type(problem).__name__}); the server's "
            "terminal shows where"
        )
        return FAILED
    return 0


def _die_with_the_server() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _watch_input() -> None:
    """The end of the input is the end of the server."""
    sys.stdin.read()
    os._exit(FAILED)


if __name__ == "__main__":
    main()
