"""The command `unround`: one file a command, each loaded when it is called."""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from types import FrameType

import click

from unround import __version__

COMMANDS = (
    "run",
    "check",
    "report",
    "serve",
    "forget",
    "convert",
    "export",
    "simulate",
    "compare",
    "audit",
    "reproduce",
    "help",
)
EXAMPLE = "unround run reviews.csv --rankings rankings.csv -o results"


class Commands(click.Group):
    """Load a command from the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order that a chair meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"unround.cli.{cmd_name}").command
        return command


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"Example: {EXAMPLE}",
)
@click.version_option(__version__, prog_name="unround")
def commands() -> None:
    """Put back what rounding took out of review scores.

    Reads reviews and rankings as HotCRP, OpenReview, CMT or plain tables hold them, and returns one
    real-valued score per review that keeps to both.
    """


def main() -> None:
    """Run the command line; never show a traceback unless UNROUND_DEBUG is set."""
    signal.signal(signal.SIGTERM, _stop)
    if os.environ.get("UNROUND_DEBUG"):
        commands()
        return
    try:
        commands()
    except Exception as error:
        # A command that leaves something behind says so in a note.
        written = " ".join(getattr(error, "__notes__", ["Nothing was written."]))
        click.echo(
            f"unround met an error of its own ({type(error).__name__}: {error}). {written} "
            "Set UNROUND_DEBUG=1 to see where, and please report it.",
            err=True,
        )
        sys.exit(70)


def _stop(_number: int, _frame: FrameType | None) -> None:
    """Exit so that drafts are removed on the way."""
    sys.exit(143)
