"""The group of all commands; each is loaded from its module when it is called."""

from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from types import FrameType

import click

from unround import __version__
from unround.cli import INTERNAL_ERROR, INTERRUPTED, NOT_POSSIBLE, STOPPED, UNREAD
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
# Commands write drafts and rename them when complete; one that leaves something else adds a note.
NOTHING_PARTIAL = "No partial file was written."
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

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; report refused input and Ctrl+C in one sentence, with an exit code."""
        from unround.cli.screen import plain_errors

        try:
            with written_for(COMMAND), plain_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            _echo(f"Stopped. {_output_note(error)}")
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


def run() -> None:
    """Run the command line; report errors in one sentence, or with a traceback under UNROUND_DEBUG."""
    signal.signal(signal.SIGTERM, _stop)
    _prepare_streams()
    if os.environ.get("UNROUND_DEBUG"):
        commands()
        return
    try:
        try:
            commands()
        finally:
            _flush()
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # polars raises panics that are not an `Exception`
        sys.exit(_report(error))


def _prepare_streams() -> None:
    """Let printing survive characters that the terminal cannot show, and closed streams."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while os.open(os.devnull, os.O_RDWR) <= 2:  # no file may get the number of a closed stream
            pass
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _flush() -> None:
    """Flush standard output; if that fails, discard the rest, so that the exit does not fail too."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _report(error: BaseException) -> int:
    """Print what stopped a command; return the exit code."""
    from unround.output.targets import system_reason

    if isinstance(error, BrokenPipeError):
        return UNREAD
    if isinstance(error, MemoryError):
        _echo(f"Not possible: not enough memory for this input. {_output_note(error)}")
        return NOT_POSSIBLE
    if reason := system_reason(error):
        name = getattr(error, "filename", None)
        _echo(f"Not possible: {f'{name}: ' if name else ''}{reason}. {_output_note(error)}")
        return NOT_POSSIBLE
    _echo(
        f"Internal error in unround ({type(error).__name__}: {error}). {_output_note(error)} "
        "Please report it; UNROUND_DEBUG=1 shows the traceback."
    )
    return INTERNAL_ERROR


def _output_note(error: BaseException) -> str:
    """Return what was written: nothing partial, unless the command added a note."""
    return " ".join(getattr(error, "__notes__", [NOTHING_PARTIAL]))


def _echo(sentence: str) -> None:
    with suppress(OSError):  # standard error is closed or full
        click.echo(sentence, err=True)


def _stop(_number: int, _frame: FrameType | None) -> None:
    """Exit and remove drafts on the way; a second SIGTERM is ignored."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(STOPPED)
