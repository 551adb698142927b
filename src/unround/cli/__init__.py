"""The command `unround`, and the exit codes of all commands."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress

REFUSED = 1  # the input is refused
WRONG_USAGE = 2
NOT_SOLVED = 3  # to the promised bound
NOT_POSSIBLE = 4  # disk full, permission denied, not enough memory
INTERNAL_ERROR = 70
INTERRUPTED = 130  # by Ctrl+C
UNREAD = 141  # the reader of a pipe has closed it; what a shell reports for SIGPIPE
# Commands write drafts and rename them when complete; one that leaves something else adds a note.
NOTHING_PARTIAL = "No partial file was written."


def main() -> None:
    """Run the command line. An error, also while modules load, is one sentence and an exit code."""
    try:
        from unround.cli.group import run

        code = run()
    except SystemExit:
        raise
    except BaseException as error:  # polars raises panics that are not an `Exception`
        code = _report(error)
    sys.exit(code)


def _report(error: BaseException) -> int:
    """Print what stopped a command, with a traceback under UNROUND_DEBUG; return the exit code."""
    if os.environ.get("UNROUND_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, BrokenPipeError):
        return UNREAD
    if isinstance(error, KeyboardInterrupt):
        print_error(f"Stopped. {output_note(error)}")
        return INTERRUPTED
    from unround.output.targets import system_reason

    if reason := system_reason(error):
        name = getattr(error, "filename", None)
        print_error(f"Not possible: {f'{name}: ' if name else ''}{reason}. {output_note(error)}")
        return NOT_POSSIBLE
    print_error(
        f"Internal error in unround ({type(error).__name__}: {error}). {output_note(error)} "
        "Please report it; UNROUND_DEBUG=1 shows the traceback."
    )
    return INTERNAL_ERROR


def output_note(error: BaseException) -> str:
    """Return what was written: nothing partial, unless the command added a note."""
    return " ".join(getattr(error, "__notes__", [NOTHING_PARTIAL]))


def print_error(sentence: str) -> None:
    """Print a sentence on standard error, which may be closed or full."""
    with suppress(OSError, AttributeError):
        sys.stderr.write(f"{sentence}\n")
