"""The command `unround`, and the exit codes of all commands."""

from __future__ import annotations

import sys

REFUSED = 1  # the input is refused
WRONG_USAGE = 2
NOT_SOLVED = 3  # not to the promised bound
NOT_POSSIBLE = 4  # the system refused: disk full, permission denied, too little memory
OWN_ERROR = 70  # an error of unround itself
INTERRUPTED = 130  # by Ctrl+C
STOPPED = 143  # by SIGTERM
UNREAD = 141  # whoever read what it printed is gone, as a shell tells it of other programs


def main() -> None:
    """Run the command line; Ctrl+C ends it without a traceback, also while modules load."""
    try:
        from unround.cli.group import run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
