"""unround restore: a console's data from a backup file."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import FOLDER, check_installed, data_options
from unround.cli.screen import out
from unround.formats.cells import counted


@click.command(
    "restore",
    short_help="Bring the console's data back from a backup.",
    epilog="Example: unround restore conference-2026.backup --data restored",
)
@click.argument("file", type=FOLDER)
@data_options
@click.option("--check", "check_only", is_flag=True, help="Check FILE and restore nothing.")
def command(file: Path, data: Path, database: str | None, check_only: bool) -> None:
    """Restore FILE, which `unround backup` wrote, into an empty folder and an empty database.

    FILE is checked first, whole. It may come from SQLite or PostgreSQL, and from an earlier version.
    What was forgotten after the backup was made is there again: forget it again.
    """
    check_installed()
    from unround.console.settings import ConsoleSettings
    from unround.console.storage.backup import count_contents, read_manifest, restore_backup

    manifest = (
        read_manifest(file)
        if check_only
        else restore_backup(ConsoleSettings(data=data, database=database), file)
    )
    rows, uploads = count_contents(manifest)
    contents = f"{counted(rows, 'row')}, {counted(uploads, 'uploaded file')}"
    done = "whole" if check_only else "restored"
    made = manifest["created"][:16].replace("T", " ")
    out().print(f"{file} of {made} UTC: {contents}, {done}", soft_wrap=True)
