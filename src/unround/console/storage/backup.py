"""Database and uploads -> one backup file, while the server runs.

The rows are those of one moment: they are read in one transaction. Uploads never change. One that is
deleted while the backup is written is left out together with its row. No second copy of an upload is
made, so a backup that is killed leaves none behind.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, Text, cast, select, text

from unround import __version__
from unround.console.settings import ConsoleSettings
from unround.console.storage.archive import Writer, is_json, read_manifest, stored_tables
from unround.console.storage.database import Database
from unround.console.storage.opening import check_integrity
from unround.console.storage.orm import FileRow, now
from unround.errors import UsageError
from unround.output.atomic import whole_file

UPLOADS = "files"  # the table with one row per upload
ROWS = 1_000  # held in memory at a time


@dataclass(frozen=True)
class BackedUp:
    """What a backup holds."""

    rows: int
    uploads: int
    bytes: int


def write_backup(settings: ConsoleSettings, file: Path) -> BackedUp:
    """Write a backup and check it; the file appears whole or not at all. Raises UsageError."""
    database = Database(settings.database_url, settings.busy_seconds)
    try:
        check_integrity(database)
        with whole_file(file) as draft:
            _write(database, settings, draft)
            members = read_manifest(draft)["members"]
            size = draft.stat().st_size
    finally:
        database.close()
    rows = sum(facts.get("rows", 0) for facts in members.values())
    return BackedUp(rows, sum("rows" not in facts for facts in members.values()), size)


def _write(database: Database, settings: ConsoleSettings, draft: Path) -> None:
    """Write uploads and rows to the draft, and have them on the disk."""
    with (
        _snapshot(database) as connection,
        os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        writer = Writer(archive)
        deleted = _write_uploads(database, connection, writer, settings.uploads)
        for table in stored_tables(connection):
            rows = _rows(connection, table)
            writer.rows(table, _without(rows, deleted) if table.name == UPLOADS else rows)
        revision = connection.scalar(text("SELECT version_num FROM alembic_version"))
        writer.manifest(revision=revision, unround=__version__, created=now().isoformat())
        archive.close()
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _snapshot(database: Database) -> Iterator[Connection]:
    """Open a transaction that sees one moment throughout."""
    options: dict[str, Any] = {"stream_results": True}
    if not database.is_sqlite:
        options["isolation_level"] = "REPEATABLE READ"
    with database.engine.connect().execution_options(**options) as connection:
        connection.execute(text("SELECT count(*) FROM conferences"))  # the moment begins here
        yield connection


def _write_uploads(
    database: Database, connection: Connection, writer: Writer, folder: Path
) -> set[str]:
    """Write the uploads of the snapshot; return the ids of those that were deleted since."""
    deleted = set()
    for id, digest in connection.execute(text("SELECT id, sha256 FROM files ORDER BY id")).all():
        try:
            upload = (folder / id).open("rb")
        except FileNotFoundError:
            _check_deleted(database, id, folder)
            deleted.add(id)
            continue
        with upload:
            if writer.file(id, upload) != digest:
                raise UsageError(
                    f"the uploaded file {id} is not what was uploaded: its SHA-256 differs. "
                    "Upload it again, delete this one, and back up then"
                )
    return deleted


def _check_deleted(database: Database, id: str, folder: Path) -> None:
    """Refuse to back up where an upload is missing although its row is still there."""
    with database.reading() as session:
        if session.scalar(select(FileRow.id).where(FileRow.id == id)) is not None:
            raise UsageError(
                f"the uploaded file {id} is not in {folder}, where the server put it; "
                "name the server's own --data"
            )


def _without(rows: Iterable[Any], ids: Collection[str]) -> Iterator[Any]:
    return (row for row in rows if row.id not in ids)


def _rows(connection: Connection, table: Table) -> Iterator[Any]:
    columns = [cast(column, Text) if is_json(column) else column for column in table.columns]
    query = select(*columns).order_by(*table.primary_key.columns)
    for part in connection.execute(query).partitions(ROWS):
        yield from part
