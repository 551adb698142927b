"""The group of all commands; each is loaded from its module when it is called."""

from __future__ import annotations

import io
import os
import signal
import sys
from importlib import import_module
from itertools import pairwise
from types import FrameType

import click

from unround import __version__
from unround.cli import INTERRUPTED, UNREAD, output_note, print_error
from unround.errors import UnroundError
from unround.wording import COMMAND, named_systems, written_for

COMMANDS = (
    "run",
    "check",
    "report",
    "serve",
    "ballots",
    "forget",
    "backup",
    "restore",
    "convert",
    "export",
    "simulate",
    "compare",
    "audit",
    "reproduce",
    "bulk",
    "warm",
    "help",
)
HELP = f"""Put back what rounding took out of review scores.

Reads reviews and rankings, exported from {named_systems()} or as plain tables, and computes one
real-valued score per review that agrees with both.
"""
STOPPING = ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP
EXAMPLE = "unround run reviews.csv --rankings rankings.csv -o results"


class Commands(click.Group):
    """Load each command from its module."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which a chair needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        if cmd_name not in COMMANDS:
            return None
        module, name = ("backup", "restore") if cmd_name == "restore" else (cmd_name, "command")
        command: click.Command = getattr(import_module(f"unround.cli.commands.{module}"), name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse empty values, which unset variables leave: an empty path is the current folder."""
        for before, word in pairwise([ctx.info_name or "", *args]):
            if not word or (word.startswith("--") and word.find("=") == len(word) - 1):
                raise click.UsageError(
                    f"the value after {word or before} is empty: is a variable of your script unset?"
                )
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; report refused input and Ctrl+C in one sentence, with an exit code."""
        try:
            from unround.cli.screen import report_error

            with written_for(COMMAND):
                try:
                    return super().invoke(ctx)
                except UnroundError as error:
                    ctx.exit(report_error(error))
        except (KeyboardInterrupt, click.Abort) as error:
            print_error(f"Stopped. {output_note(error)}")
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            ctx.exit(UNREAD)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=HELP,
    epilog=f"Example: {EXAMPLE}",
)
@click.version_option(__version__, prog_name="unround")
def commands() -> None:
    """Group the commands."""


def run() -> int:
    """Run the command line, and return its exit code."""
    for name in STOPPING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # as under nohup
            signal.signal(number, _stop)
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()  # if closed
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # letters that the terminal cannot show
    try:
        return commands(standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    finally:
        _flush()


def _flush() -> None:
    """Flush standard output; if that fails, discard the rest, so that the exit does not fail too."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _stop(number: int, _frame: FrameType | None) -> None:
    """Exit with what a shell reports for the signal, and remove drafts on the way."""
    sys.exit(128 + number)
