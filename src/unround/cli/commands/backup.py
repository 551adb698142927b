"""unround backup: a console's data in one file, while the server runs."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import FOLDER, check_data, check_installed, data_options
from unround.cli.screen import out
from unround.formats.cells import counted


@click.command(
    "backup",
    short_help="Copy the console's data into one file.",
    epilog="Example: unround backup conference-2026.backup",
)
@click.argument("file", type=FOLDER)
@data_options
def command(file: Path, data: Path, database: str | None) -> None:
    """Write database and uploads into FILE, as they are at one moment. The server may run.

    Every byte is read back and checked before FILE appears; an earlier FILE is replaced then. It holds
    everything, names and reviews included: keep it as safe as the data. `unround restore` brings it back.
    """
    check_installed()
    check_data(data, database)
    from unround.console.settings import ConsoleSettings
    from unround.console.storage.backup import count_contents, write_backup

    rows, uploads = count_contents(
        write_backup(ConsoleSettings(data=data, database=database), file)
    )
    size = f"{file.stat().st_size / 1_000_000:,.1f} MB"
    contents = f"{counted(rows, 'row')}, {counted(uploads, 'uploaded file')}, {size}"
    out().print(f"{file}: {contents}, checked", soft_wrap=True)
