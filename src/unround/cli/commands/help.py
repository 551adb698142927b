"""unround help: explain a kind of issue, or list the files that are read."""

from __future__ import annotations

import click

from unround.cli.screen import out
from unround.wording import ISSUE_KINDS, advice, further_advice

FILES = "files"


@click.command(
    "help",
    short_help="Explain a kind of issue.",
    epilog="Example: unround help contradiction",
)
@click.argument("kind", required=False)
@click.pass_context
def command(ctx: click.Context, kind: str | None) -> None:
    """Explain a KIND of issue, with an example and what to do; without KIND, list all kinds.

    Given the name of a command, print its help; given `files`, list the files that are read.
    """
    if kind is None:
        for name, words in ISSUE_KINDS.items():
            out().print(f"{name:<18} {words.title}")
        return
    if kind in ISSUE_KINDS:
        _explain(kind)
        return
    if kind == FILES:
        _list_files()
        return
    group = ctx.parent.command if ctx.parent is not None else None
    named = group.get_command(ctx, kind) if isinstance(group, click.Group) else None
    if named is None:
        raise click.UsageError(
            f"{kind!r} is neither a kind of issue nor a command; `unround help` lists the kinds"
        )
    click.echo(named.get_help(click.Context(named, ctx.parent, info_name=kind)))


def _list_files() -> None:
    from unround.formats.registry import readers

    for reader in readers():
        out().print(f"{reader.system:<12} {reader.title}", soft_wrap=True)


def _explain(kind: str) -> None:
    words = ISSUE_KINDS[kind]
    console = out()
    console.print(f"{kind}: {words.title}", style="bold")
    for paragraph in (
        words.meaning,
        f"For example: {words.example}",
        f"What to do: {advice(kind)}.",
        further_advice(kind),
    ):
        console.print(f"\n{paragraph}")
