"""A backup file -> an empty database and an empty data folder: whole, or to be repeated."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from alembic.util import CommandError
from sqlalchemy import Connection, Table, Text, delete, func, insert, select, text

from unround.console.settings import ConsoleSettings
from unround.console.storage.archive import (
    UPLOADS,
    decoded,
    is_json,
    read_manifest,
    read_rows,
    stored_tables,
)
from unround.console.storage.database import Database
from unround.console.storage.opening import RESTORING, open_empty
from unround.errors import UsageError

ROWS = 2_000  # inserted at a time
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def restore_backup(settings: ConsoleSettings, file: Path) -> dict[str, Any]:
    """Check a backup, restore it and return its manifest. Raises UsageError.

    The rows are written in one transaction, after the uploads. A restore that was interrupted leaves a
    mark in the folder: no server starts there until it is repeated.
    """
    manifest = read_manifest(file)
    with open_empty(settings) as database, zipfile.ZipFile(file) as archive:
        _check_folder(settings)
        (settings.data / RESTORING).touch(mode=0o600)
        _restore_uploads(settings, archive)
        _restore_rows(database, archive, manifest)
        (settings.data / RESTORING).unlink()
    return manifest


def _check_folder(settings: ConsoleSettings) -> None:
    """Refuse a folder with uploads of somebody else; those of an interrupted restore are replaced."""
    if (settings.data / RESTORING).exists():
        for path in settings.uploads.iterdir():
            path.unlink()
    if any(settings.uploads.iterdir()):
        raise UsageError(f"{settings.data} holds uploaded files already; name another --data")


def _restore_uploads(settings: ConsoleSettings, archive: zipfile.ZipFile) -> None:
    for name in archive.namelist():
        if not name.startswith(UPLOADS):
            continue
        path = settings.uploads / Path(name).name
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as target, archive.open(name) as source:
            shutil.copyfileobj(source, target)
            target.flush()
            os.fsync(target.fileno())


def _restore_rows(database: Database, archive: zipfile.ZipFile, manifest: dict[str, Any]) -> None:
    """Make the tables of the backup's version, fill them, and bring them to this version."""
    with database.writing() as session:
        connection = session.connection()
        try:
            database.migrate(connection, manifest["revision"])
        except CommandError as error:
            raise UsageError(
                "the backup was made by a later version of unround; restore it with that"
            ) from error
        tables = stored_tables(connection)
        for table in reversed(tables):
            connection.execute(delete(table))  # rows that the migrations themselves wrote
        for table in tables:
            _fill(connection, table, read_rows(archive, table.name))
        database.migrate(connection)


def _fill(connection: Connection, table: Table, rows: Iterator[list[Any]]) -> None:
    while part := list(islice(rows, ROWS)):
        if connection.dialect.name == "sqlite":
            _insert(connection, table, part)
        else:
            _copy(connection, table, part)
    if connection.dialect.name != "sqlite":
        _continue_numbers(connection, table)


def _insert(connection: Connection, table: Table, rows: list[list[Any]]) -> None:
    for column in table.columns:
        if is_json(column):
            column.type = Text()
    columns = list(table.columns)
    connection.execute(
        insert(table),
        [
            {
                column.name: decoded(value, column)
                for column, value in zip(columns, row, strict=True)
            }
            for row in rows
        ],
    )


def _copy(connection: Connection, table: Table, rows: list[list[Any]]) -> None:
    """Send rows to PostgreSQL in its own text form: much faster than one statement per row."""
    columns = list(table.columns)
    lines = (
        "\t".join(_text(decoded(value, column)) for column, value in zip(columns, row, strict=True))
        for row in rows
    )
    names = ", ".join(f'"{column.name}"' for column in columns)
    driver: Any = connection.connection.driver_connection
    stream = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
    driver.cursor().execute(f'COPY "{table.name}" ({names}) FROM STDIN', stream=stream)


def _text(value: Any) -> str:
    if value is None:
        return "\\N"
    if isinstance(value, bytes):
        return f"\\\\x{value.hex()}"
    if isinstance(value, str):
        return value.translate(ESCAPES)
    return str(value)


def _continue_numbers(connection: Connection, table: Table) -> None:
    """Have PostgreSQL number new rows after the restored ones."""
    for column in table.primary_key.columns:
        sequence = connection.scalar(
            text("SELECT pg_get_serial_sequence(:table, :column)"),
            {"table": table.name, "column": column.name},
        )
        if sequence is not None:
            last = connection.scalar(select(func.max(column)))
            if last is not None:
                connection.execute(
                    text("SELECT setval(:sequence, :last)"), {"sequence": sequence, "last": last}
                )
