"""The command `unround`, and the exit codes of all commands."""

from __future__ import annotations

import sys

REFUSED = 1  # the input is refused
WRONG_USAGE = 2
NOT_SOLVED = 3  # to the promised bound
NOT_POSSIBLE = 4  # disk full, permission denied, not enough memory
INTERNAL_ERROR = 70
INTERRUPTED = 130  # by Ctrl+C
STOPPED = 143  # by SIGTERM
UNREAD = 141  # the reader of a pipe has closed it; what a shell reports for SIGPIPE


def main() -> None:
    """Run the command line; Ctrl+C ends it without a traceback, also while modules load."""
    try:
        from unround.cli.group import run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
