"""The command `unround`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; Ctrl+C ends it without a traceback, also while modules load."""
    try:
        from unround.cli.group import run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
