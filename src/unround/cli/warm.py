"""unround warm: compile all kernels now, so that the first run need not."""

from __future__ import annotations

import click

from unround.cli.screen import out
from unround.progress import ProgressBar


@click.command(
    "warm",
    short_help="Compile everything once, after installing.",
    epilog="Example: unround warm",
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def command(quiet: bool) -> None:
    """Compile the parts of unround that are machine code, once after installing or upgrading.

    Otherwise the first run that needs a part compiles it, which takes seconds. What is compiled is kept
    beside the package where that folder can be written, else in the user's cache folder.
    """
    with ProgressBar(quiet=quiet) as stages:
        from unround.runs.warm import warm

        ready = warm(lambda done, total: stages("compiling", done, total))
    if not quiet:
        out().print(f"Ready: {ready} compiled parts.")
