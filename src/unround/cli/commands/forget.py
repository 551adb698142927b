"""unround forget: delete a person or a conference from a console's data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from unround.cli import NOT_POSSIBLE
from unround.cli.options import check_data, data_options
from unround.cli.screen import out
from unround.formats.cells import counted

if TYPE_CHECKING:
    from unround.console.forget import Forgotten
    from unround.console.settings import ConsoleSettings

NOT_REACHED = "Not changed: backups, PostgreSQL archives, downloaded files and sent e-mails."


NOT_COMPACTED = (
    "Deleted from all tables, but the files of the database may still hold the words: they could not be "
    "written anew ({reason}). Make room, and start the server or call `unround forget` again: both finish it."
)


class _Declined(Exception):
    """Rolls the transaction back."""


@click.command(
    "forget",
    short_help="Delete a person or a conference from the console.",
    epilog='Example: unround forget person "Ada Example" ada@example.org',
)
@click.argument("what", type=click.Choice(("person", "conference")))
@click.argument("names", nargs=-1, required=True)
@data_options
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def command(what: str, names: Sequence[str], settings: ConsoleSettings, yes: bool) -> None:
    """Delete a person, given all their NAMES and e-mails, or a conference by its name or id.

    A person's names are replaced everywhere, results and logs included; their ballots, their links and
    the uploaded files of every conference that names them are deleted. A conference is deleted with
    everything in it. Lists what it found, and asks before it deletes. Stop the server first.
    """
    if what == "conference" and len(names) != 1:
        raise click.UsageError("give one conference at a time")
    check_data(settings)
    from sqlalchemy.exc import DBAPIError

    from unround.console import forget
    from unround.console.storage.database import finish_compaction
    from unround.console.storage.open_data import open_alone
    from unround.console.storage.uploads import begin_removal

    with open_alone(settings) as opened:
        try:
            with opened.writing() as session:
                forgotten = (
                    forget.forget_conference(session, names[0])
                    if what == "conference"
                    else forget.forget_person(session, names, settings)
                )
                _show(forgotten)
                if not forgotten.is_empty:
                    if not (yes or click.confirm(_question(forgotten))):
                        raise _Declined
                    settings.uncompacted.touch(0o600)
                    begin_removal(settings.uploads, forgotten.files)
        except _Declined:
            out().print("Nothing was changed.")
            return
        if not forgotten.is_empty:
            forget.remove_files(settings, forgotten.files)
        try:
            finish_compaction(opened, settings.uncompacted)
        except DBAPIError as error:
            click.echo(NOT_COMPACTED.format(reason=error.orig), err=True)
            raise click.exceptions.Exit(NOT_POSSIBLE) from None
        left = forget.remaining(opened, settings, names) if what == "person" else []
    out().print("Nothing was changed." if forgotten.is_empty else f"Deleted. {NOT_REACHED}")
    if left:
        out().print(
            "These still hold the words. Delete them by hand:", *left, sep="\n", soft_wrap=True
        )


def _question(forgotten: Forgotten) -> str:
    """Return the question that names the conferences that lose something."""
    losing = [
        f"{counted(files, 'upload')} of {name}" for name, files in forgotten.conferences.items()
    ]
    return f"Delete this permanently{', with ' if losing else ''}{', '.join(losing)}?"


def _show(forgotten: Forgotten) -> None:
    """Print how much was forgotten in each table."""
    counts = [
        f"{number:,} in {table.replace('_', ' ')}" for table, number in forgotten.counts.items()
    ]
    counts += [counted(len(forgotten.files), "upload")] if forgotten.files else []
    out().print("Found: " + (", ".join(counts) or "nothing") + ".")
    if forgotten.within:
        out().print(f"Also replaced as parts of longer words: {', '.join(forgotten.within)}.")
    if forgotten.also_known_as:
        others = ", ".join(forgotten.also_known_as)
        out().print(
            f"The same person is also known as {others}, which stays unless you name it too."
        )
