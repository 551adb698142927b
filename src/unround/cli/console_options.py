"""Options of the commands that work on a console's data, and what these need to be installed."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import FOLDER, Command
from unround.cli.screen import err
from unround.errors import UsageError

DATABASE = "UNROUND_DATABASE"
SEEN_BY_ALL = (
    "Everybody on this machine can read the database's password in the list of processes: leave it out "
    f"of --database and set PGPASSWORD, name a file in PGPASSFILE, or set {DATABASE}."
)


def data_options(command: Command) -> Command:
    """Give a command `data` and `database`."""
    database = click.option(
        "--database",
        metavar="URL",
        envvar=DATABASE,
        show_envvar=True,
        callback=_warned,
        help="postgresql://user@host/name instead of SQLite; password from PGPASSWORD or PGPASSFILE.",
    )
    data = click.option(
        "--data",
        type=FOLDER,
        default=Path("unround-data"),
        show_default=True,
        help="Folder for uploads and the database.",
    )
    return data(database(command))


def check_installed() -> None:
    """Raise UsageError where the extra `console` is missing."""
    try:
        import alembic
        import cachetools
        import fastapi
        import sqlalchemy
        import uvicorn
    except ModuleNotFoundError as missing:
        raise UsageError(
            f"the console needs {missing.name}: pip install 'unround[console]'"
        ) from None
    del alembic, cachetools, fastapi, sqlalchemy, uvicorn


def check_data(data: Path, database: str | None) -> None:
    """Refuse a folder without data, instead of making one."""
    if database is None and not (data / "unround.db").is_file():
        raise UsageError(f"{data} holds no data of a console; name the folder with --data")


def _warned(context: click.Context, option: click.Parameter, url: str | None) -> str | None:
    """Warn of a password that stands on the command line."""
    source = context.get_parameter_source(option.name or "")
    has_password = ":" in (url or "").partition("://")[2].rpartition("@")[0]
    if source is click.core.ParameterSource.COMMANDLINE and has_password:
        err().print(SEEN_BY_ALL)
    return url
