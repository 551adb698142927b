"""All commands: one file per command, each loaded when it is called."""

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
from unround.cli import INTERRUPTED, NOT_POSSIBLE, OWN_ERROR, STOPPED, UNREAD
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

Reads reviews and rankings as {named_systems()} exports or plain tables hold them, and returns one
real-valued score per review that keeps to both.
"""
# Commands write drafts and put them in place when they are whole; one that leaves something else says so.
NOTHING_PARTIAL = "No partial file was written."
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
        command: click.Command = import_module(f"unround.cli.commands.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; end it with a sentence and its exit code where the input or a user stops it."""
        from unround.cli.screen import plain_errors

        try:
            with written_for(COMMAND), plain_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            _echo(f"Stopped. {_left(error)}")
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
    """Hold the commands."""


def run() -> None:
    """Run the command that was named; say in a sentence what stops it, unless UNROUND_DEBUG is set."""
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
    except BaseException as error:  # a library written in Rust raises what is no `Exception`
        sys.exit(_report(error))


def _prepare_streams() -> None:
    """Let no print fail for a letter that the terminal cannot show, or for a stream that is closed."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while os.open(os.devnull, os.O_RDWR) <= 2:  # no file may get the number of a closed stream
            pass
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _flush() -> None:
    """Write what was printed last; drop it if standard output takes no more, lest the exit fail too."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _report(error: BaseException) -> int:
    """Say what stopped a command; return the exit code."""
    from unround.output.targets import system_reason

    if isinstance(error, BrokenPipeError):
        return UNREAD
    if isinstance(error, MemoryError):
        _echo(f"Not possible: this machine has too little memory for this input. {_left(error)}")
        return NOT_POSSIBLE
    if reason := system_reason(error):
        name = getattr(error, "filename", None)
        _echo(f"Not possible: {f'{name}: ' if name else ''}{reason}. {_left(error)}")
        return NOT_POSSIBLE
    _echo(
        f"unround met an error of its own ({type(error).__name__}: {error}). {_left(error)} "
        "Set UNROUND_DEBUG=1 to see where, and please report it."
    )
    return OWN_ERROR


def _left(error: BaseException) -> str:
    """Return what is there now. A command that leaves something behind says so in a note."""
    return " ".join(getattr(error, "__notes__", [NOTHING_PARTIAL]))


def _echo(sentence: str) -> None:
    with suppress(OSError):  # standard error takes no more
        click.echo(sentence, err=True)


def _stop(_number: int, _frame: FrameType | None) -> None:
    """Exit so that drafts are removed on the way; a second signal does not disturb that."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(STOPPED)
