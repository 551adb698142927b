"""Database and uploads -> one backup file, while the server runs.

The rows are those of one moment: they are read in one transaction. Uploads never change, and those of
that moment are linked into a folder before they are read, so that none can be deleted meanwhile.
"""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, Text, cast, select, text

from unround import __version__
from unround.console.settings import ConsoleSettings
from unround.console.storage.archive import Writer, is_json, read_manifest, stored_tables
from unround.console.storage.database import Database
from unround.console.storage.ids import new_id, now
from unround.console.storage.integrity import check_integrity
from unround.errors import UsageError
from unround.formats.files.atomic import whole_file

ATTEMPTS = 20
ROWS = 1_000  # held in memory at a time


@dataclass(frozen=True)
class BackedUp:
    """What a backup holds."""

    rows: int
    uploads: int
    bytes: int


class _FileGone(Exception):
    """An upload was deleted between the look at the rows and the look at the folder."""


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
    for attempt in range(ATTEMPTS):
        try:
            with (
                _snapshot(database) as connection,
                _linked(connection, settings) as (folder, uploads),
            ):
                _fill(connection, draft, folder, uploads)
                return
        except _FileGone as gone:
            if attempt == ATTEMPTS - 1:
                raise UsageError(
                    f"the uploaded file {gone} is not in {settings.uploads}, where the server put it; "
                    "name the server's own --data"
                ) from None


@contextmanager
def _snapshot(database: Database) -> Iterator[Connection]:
    """Open a transaction that sees one moment throughout."""
    options: dict[str, Any] = {"stream_results": True}
    if not database.is_sqlite:
        options["isolation_level"] = "REPEATABLE READ"
    with database.engine.connect().execution_options(**options) as connection:
        connection.execute(text("SELECT count(*) FROM conferences"))  # the moment begins here
        yield connection


@contextmanager
def _linked(
    connection: Connection, settings: ConsoleSettings
) -> Iterator[tuple[Path, dict[str, str]]]:
    """Link every upload of the snapshot into a scratch folder; yield it, and ids with their hashes."""
    rows = connection.execute(text("SELECT id, sha256 FROM files ORDER BY id"))
    uploads = {row.id: row.sha256 for row in rows}
    folder = settings.data / f"backup-{new_id()}"
    folder.mkdir(mode=0o700)
    try:
        for id in uploads:
            try:
                os.link(settings.uploads / id, folder / id)
            except FileNotFoundError:
                raise _FileGone(id) from None
        yield folder, uploads
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _fill(connection: Connection, draft: Path, folder: Path, uploads: dict[str, str]) -> None:
    with (
        os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        writer = Writer(archive)
        for table in stored_tables(connection):
            writer.rows(table, _rows(connection, table))
        for id, digest in uploads.items():
            with (folder / id).open("rb") as upload:
                if writer.file(id, upload) != digest:
                    raise UsageError(
                        f"the uploaded file {id} is not what was uploaded: its SHA-256 differs. "
                        "Upload it again, delete this one, and back up then"
                    )
        revision = connection.scalar(text("SELECT version_num FROM alembic_version"))
        writer.manifest(revision=revision, unround=__version__, created=now().isoformat())
        archive.close()
        file.flush()
        os.fsync(file.fileno())


def _rows(connection: Connection, table: Table) -> Iterator[Any]:
    columns = [cast(column, Text) if is_json(column) else column for column in table.columns]
    query = select(*columns).order_by(*table.primary_key.columns)
    for part in connection.execute(query).partitions(ROWS):
        yield from part
