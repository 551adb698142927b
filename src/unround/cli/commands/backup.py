"""unround backup, unround restore: a console's data in one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from unround.cli.options import PATH, check_data, data_options
from unround.cli.screen import out
from unround.formats.cells import counted

if TYPE_CHECKING:
    from unround.console.settings import ConsoleSettings


@click.command(
    "backup",
    short_help="Save the console's data in one file.",
    epilog="Example: unround backup conference-2026.backup",
)
@click.argument("file", type=PATH)
@data_options
def command(file: Path, settings: ConsoleSettings) -> None:
    """Write the database and all uploads, as of one moment, to FILE. The server may keep running.

    FILE is read back and checked before it replaces an earlier FILE. It holds everything, names and
    reviews included: keep it as safe as the data. `unround restore` restores it.
    """
    check_data(settings)
    from unround.console.storage.backup import count_contents, write_backup

    manifest = write_backup(settings, file)
    rows, uploads = count_contents(manifest)
    contents = f"{counted(rows, 'row')}, {counted(uploads, 'upload')}"
    size = f"{file.stat().st_size / 1_000_000:,.1f} MB"
    out().print(f"{file}: {contents}, {size}, checked", soft_wrap=True)


@click.command(
    "restore",
    short_help="Restore the console's data from a backup.",
    epilog="Example: unround restore conference-2026.backup --data restored",
)
@click.argument("file", type=PATH)
@data_options
@click.option("--check", "check_only", is_flag=True, help="Check FILE without restoring it.")
def restore(file: Path, settings: ConsoleSettings, check_only: bool) -> None:
    """Restore FILE, written by `unround backup`, into an empty folder and an empty database.

    FILE is checked first. It may come from SQLite or PostgreSQL, and from an earlier version. People
    and conferences forgotten after the backup are back: run `unround forget` again.
    """
    from unround.console.storage.backup import count_contents, read_manifest, restore_backup

    manifest = read_manifest(file) if check_only else restore_backup(settings, file)
    rows, uploads = count_contents(manifest)
    contents = f"{counted(rows, 'row')}, {counted(uploads, 'upload')}"
    done = "complete" if check_only else "restored"
    created = manifest["created"][:16].replace("T", " ")
    out().print(f"{file} of {created} UTC: {contents}, {done}", soft_wrap=True)
