"""unround forget: delete a person or a conference from a console's data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from unround.cli.options import check_data, data_options
from unround.cli.screen import out
from unround.formats.cells import counted

if TYPE_CHECKING:
    from unround.console.forget import Forgotten
    from unround.console.settings import ConsoleSettings

NOT_REACHED = "Not changed: backups, PostgreSQL archives, downloaded files and sent e-mails."


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
    from unround.console import forget
    from unround.console.storage.database import compact
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
                if aside := len([*settings.set_aside.glob("*")]):
                    out().print(
                        f"{settings.set_aside} holds {counted(aside, 'file')} that the database does not "
                        "list. They were not searched: read them, and delete them yourself.",
                        soft_wrap=True,
                    )
                if not forgotten.counts and not forgotten.files:
                    raise _Declined
                if not (yes or click.confirm("Delete this permanently?")):
                    raise _Declined
                begin_removal(settings.uploads, forgotten.files)
        except _Declined:
            out().print("Nothing was changed.")
            return
        forget.remove_files(settings, forgotten.files)
        compact(opened)
    out().print(f"Deleted. {NOT_REACHED}")


def _show(forgotten: Forgotten) -> None:
    """Print how much was forgotten in each table."""
    counts = [
        f"{number:,} in {table.replace('_', ' ')}" for table, number in forgotten.counts.items()
    ]
    counts += [counted(len(forgotten.files), "upload")] if forgotten.files else []
    out().print("Found: " + (", ".join(counts) or "nothing") + ".")
    if forgotten.also_known_as:
        others = ", ".join(forgotten.also_known_as)
        out().print(
            f"The same person is also known as {others}, which stays unless you name it too."
        )
