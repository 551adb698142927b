"""The command `unround`. Only what every start needs is loaded here: for more, memory may not suffice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unround.cli.streams import fill_closed

if TYPE_CHECKING:
    from unround.cli.group import COMMANDS as COMMANDS
    from unround.cli.group import commands as commands


def main() -> None:
    """Run the command line; never show a traceback unless UNROUND_DEBUG is set."""
    fill_closed()
    from unround.cli.group import run

    run()


def __getattr__(name: str) -> Any:
    """Load the commands when they are asked for."""
    if name not in ("COMMANDS", "commands"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from unround.cli import group

    return getattr(group, name)
