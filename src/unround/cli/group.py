"""All commands: one file per command, each loaded when it is called."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from types import FrameType

import click

from unround import __version__
from unround.cli.exit_codes import INTERRUPTED, NOT_POSSIBLE, OWN_ERROR, UNREAD, WHOLE
from unround.cli.loading import leave_garbage, loading
from unround.cli.streams import Unprinted, Unread, prepare_streams
from unround.glossary import named_systems
from unround.memory import address_limit, is_out_of_memory, is_panic, was_short_of_memory
from unround.openblas import take_buffer

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
TOO_LITTLE = "this machine has too little memory for this input."
HELP = f"""Put back what rounding took out of review scores.

Reads reviews and rankings as {named_systems()} exports or plain tables hold them, and returns one
real-valued score per review that keeps to both.
"""
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
        with loading():
            command: click.Command = import_module(f"unround.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; Ctrl+C ends it with a code of its own, which no refused input has."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            _echo(f"Stopped. {_left(error)}")
            ctx.exit(INTERRUPTED)


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
    prepare_streams()
    if os.environ.get("UNROUND_DEBUG"):
        commands()
        return
    try:
        try:
            if address_limit() is not None:
                take_buffer()
            commands()
        finally:
            leave_garbage()
            sys.stdout.flush()  # what was printed last may still wait in a buffer
    except Exception as error:
        sys.exit(_tell(error))
    except BaseException as error:
        if not is_panic(error):
            raise
        sys.exit(_tell(error))


def _tell(error: BaseException) -> int:
    """Say what stopped a command; return the exit code."""
    from unround.formats.files.system_errors import system_reason

    if isinstance(error, Unread):
        return UNREAD
    if isinstance(error, Unprinted):
        # Commands print when their files are written.
        _echo(f"Not possible: {error} takes no more. Files that were asked for are written.")
        return NOT_POSSIBLE
    left = _left(error)
    if is_out_of_memory(error):
        _echo(f"Not possible: {TOO_LITTLE} {left}")
        return NOT_POSSIBLE
    if reason := system_reason(error):
        _echo(f"Not possible: {_place(error)}{reason}. {left}")
        return NOT_POSSIBLE
    if was_short_of_memory():
        _echo(f"Not possible: {TOO_LITTLE} {left}")
        return NOT_POSSIBLE
    _echo(
        f"unround met an error of its own ({type(error).__name__}: {error}). {left} "
        "Set UNROUND_DEBUG=1 to see where, and please report it."
    )
    return OWN_ERROR


def _left(error: BaseException) -> str:
    """Return what is there now. A command that leaves something behind says so in a note."""
    return " ".join(getattr(error, "__notes__", [WHOLE]))


def _place(error: BaseException) -> str:
    name = getattr(error, "filename", None)
    return f"{name}: " if name else ""


def _echo(sentence: str) -> None:
    with suppress(Unprinted):
        click.echo(sentence, err=True)


def _stop(_number: int, _frame: FrameType | None) -> None:
    """Exit so that drafts are removed on the way; a second signal does not disturb that."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(143)
