"""`python -m unround.console.jobs.worker`: one job in its own process, which opens no database.

The first line of standard input is the job; the server keeps the input open while it lives.
Standard output carries JSON lines: {"stage", "done", "total"}, and {"reason"} when the job failed. The
result is in a file of the job's folder once the process has ended with 0.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path
from typing import IO, Any

LEAST_SECONDS = 0.05
FAILED = 1
RESULT = "result.zip"


def main() -> None:
    """Carry out the job; exit when the server does, also while modules load."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints must not mix with the JSON lines
    line = sys.stdin.readline()
    if not line:
        sys.exit(FAILED)  # the server is gone
    threading.Thread(target=_watch_input, daemon=True).start()
    sys.exit(_exit_code(json.loads(line), ProgressWriter(out)))


class ProgressWriter:
    """Writes progress as JSON lines, at most one per LEAST_SECONDS and stage."""

    def __init__(self, out: IO[str]) -> None:
        self._out, self._stage, self._last = out, "", 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Report how far a stage has come."""
        moment = time.monotonic()
        if stage == self._stage and done < total and moment - self._last < LEAST_SECONDS:
            return
        self._stage, self._last = stage, moment
        self.line(stage=stage, done=done, total=total)

    def line(self, **values: object) -> None:
        """Write one line."""
        self._out.write(json.dumps(values) + "\n")
        self._out.flush()


def _exit_code(job: dict[str, Any], writer: ProgressWriter) -> int:
    """Compute the result of a job, write it, and return the process's exit code."""
    from unround.console.errors import storage_error
    from unround.console.jobs.kinds import JOBS
    from unround.errors import UnroundError
    from unround.wording import PAGE, written_for

    tempfile.tempdir = job["folder"]  # archives are unpacked there; the server removes it
    try:
        with written_for(PAGE):
            result = JOBS[job["kind"]].compute(job["request"], job["given"], writer)
        writer("saving", 0, 1)
        result.write(Path(job["folder"]) / RESULT)
    except UnroundError as error:
        writer.line(reason=str(error))
        return FAILED
    except MemoryError:
        writer.line(reason="There is not enough memory for these files.")
        return FAILED
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # a library written in Rust raises what is no `Exception`
        storage = storage_error(error)
        if storage is None:
            traceback.print_exc()
        writer.line(
            reason=storage[1]
            if storage
            else f"unround met an error of its own ({type(error).__name__}); the server's "
            "terminal shows where"
        )
        return FAILED
    return 0


def _watch_input() -> None:
    """Exit when stdin closes: the server is gone."""
    sys.stdin.read()
    os._exit(FAILED)


if __name__ == "__main__":
    main()
