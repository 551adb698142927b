"""Backups: database and uploads in one ZIP file, written while the server runs, and restored.

The file holds a manifest, one member per table and one per upload. Rows are JSON lists, one per line, in
the same form for SQLite and PostgreSQL, so that a backup of one can be restored into the other. The
manifest has the SHA-256 of every member.

All rows are read in one transaction, so they show one moment. Uploads never change. One that is deleted
while the backup is written is left out together with its row. Uploads are copied straight into the file:
a killed backup leaves no second copy of them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

from alembic.util import CommandError
from sqlalchemy import (
    JSON,
    Column,
    Connection,
    DateTime,
    LargeBinary,
    MetaData,
    Table,
    Text,
    cast,
    delete,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import DataError, IntegrityError, OperationalError, ProgrammingError

from unround import __version__
from unround.console.errors import DISK_FULL, storage_error
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.open_data import (
    FIRST_TABLE,
    RESTORING,
    check_identity,
    check_integrity,
    open_locked,
    plain_database_errors,
    write_identity,
)
from unround.console.storage.orm import FileRow, now
from unround.errors import UsageError
from unround.formats.files.archives import BROKEN_ZIP
from unround.output.atomic import whole_file

FORMAT = 1
MANIFEST = "manifest.json"
TABLES, UPLOADS = "tables/", "uploads/"
# The revision is in the manifest, and what is restored gets an id of its own.
LEFT_OUT = ("alembic_version", "identity")
UPLOADS_TABLE = "files"  # one row per upload
BLOCK = 1 << 20
ROWS_READ, ROWS_INSERTED = 1_000, 2_000  # at a time
MEMBER = re.compile(TABLES + r"[a-z_]+|" + UPLOADS + r"[0-9a-f]{32}")
# The manifest lacks an entry, or one is of another kind.
DAMAGED = (*BROKEN_ZIP, KeyError, TypeError, AttributeError)
REFUSED_ROWS = (IntegrityError, DataError, ProgrammingError)


def stored_tables(connection: Connection) -> list[Table]:
    """Return the tables of a database as they are there, parents before their children."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name not in LEFT_OUT]


def encoded(value: Any) -> Any:
    """Return a value of a row as a backup writes it: bytes as base64, times as UTC."""
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(bytes(value)).decode("ascii")
    if isinstance(value, datetime):
        aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
        return aware.astimezone(UTC).isoformat()
    return value


def decoded(value: Any, column: Column[Any]) -> Any:
    """Return a value as the column takes it."""
    if value is None:
        return None
    if isinstance(column.type, LargeBinary):
        return base64.b64decode(value)
    if isinstance(column.type, DateTime):
        return datetime.fromisoformat(value)
    if isinstance(column.type, JSON):
        return json.loads(value)
    return value


class Writer:
    """Writes members and notes their hashes for the manifest."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.members: dict[str, dict[str, Any]] = {}

    def rows(self, table: Table, rows: Iterable[Iterable[Any]]) -> None:
        """Write the rows of a table."""
        count = 0
        with self._member(TABLES + table.name) as write:
            for row in rows:
                line = json.dumps([encoded(value) for value in row], ensure_ascii=False)
                write(line.encode() + b"\n")
                count += 1
        self.members[TABLES + table.name] |= {
            "rows": count,
            "columns": [column.name for column in table.columns],
        }

    def file(self, name: str, source: IO[bytes]) -> str:
        """Write a file and return its SHA-256."""
        with self._member(UPLOADS + name) as write:
            while block := source.read(BLOCK):
                write(block)
        return str(self.members[UPLOADS + name]["sha256"])

    def manifest(self, **facts: Any) -> None:
        """Write the manifest, last."""
        content = {"format": FORMAT, **facts, "members": self.members}
        self._archive.writestr(MANIFEST, json.dumps(content, indent=1))

    @contextmanager
    def _member(self, name: str) -> Iterator[Any]:
        digest = hashlib.sha256()
        info = zipfile.ZipInfo(name, datetime.now(UTC).timetuple()[:6])
        info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
        with self._archive.open(info, "w", force_zip64=True) as member:

            def write(data: bytes) -> None:
                digest.update(data)
                member.write(data)

            yield write
        self.members[name] = {"sha256": digest.hexdigest()}


def read_manifest(file: Path) -> dict[str, Any]:
    """Check every byte of a backup against its manifest, and return the manifest.

    Raises UsageError that says what is wrong.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
            if manifest["format"] != FORMAT:
                raise UsageError(f"{file} was made by a later version of unround; use that")
            _check_members(file, archive, manifest["members"])
    except UsageError:  # which is a ValueError
        raise
    except DAMAGED as error:
        raise _damaged(file, "it is not whole") from error
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from error
    return manifest


def _check_members(
    file: Path, archive: zipfile.ZipFile, members: Mapping[str, Mapping[str, Any]]
) -> None:
    if sorted([MANIFEST, *members]) != sorted(archive.namelist()):
        raise _damaged(file, "it does not hold what its manifest says")
    strange = next((name for name in members if not MEMBER.fullmatch(name)), None)
    if strange is not None:
        raise _damaged(file, f"it holds {strange!r}, which no backup does")
    for name, facts in members.items():
        digest, lines = hashlib.sha256(), 0
        with archive.open(name) as member:
            while block := member.read(BLOCK):
                digest.update(block)
                lines += block.count(b"\n")
        if digest.hexdigest() != facts["sha256"] or facts.get("rows", lines) != lines:
            raise _damaged(file, f"{name} is not what was written")


def _damaged(file: Path, why: str) -> UsageError:
    return UsageError(f"{file} is no whole backup of unround: {why}. Use another backup.")


def write_backup(settings: ConsoleSettings, file: Path) -> dict[str, Any]:
    """Write a backup, check it and return its manifest; the file appears whole or not at all.

    Raises UsageError.
    """
    with (
        _open_to_read(settings) as database,
        whole_file(file, private=True) as draft,
    ):
        with plain_database_errors():  # here, where none is taken for an error of writing
            _write(database, settings, draft)
        return read_manifest(draft)


@contextmanager
def _open_to_read(settings: ConsoleSettings) -> Iterator[Database]:
    """Open the database beside a server; where the disk has no room for that and no server runs, alone."""
    for alone in (False, True):
        url, patience = settings.database_url, settings.busy_seconds
        with closing(Database(url, patience, alone=alone)) as database:
            try:
                check_integrity(database)
            except OperationalError as error:
                if alone or storage_error(error) != (507, DISK_FULL):
                    raise
                continue
            check_identity(settings, database)
            yield database
            return


def count_contents(manifest: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many rows and how many uploads a backup holds."""
    rows = [facts.get("rows") for facts in manifest["members"].values()]
    return sum(count for count in rows if count is not None), rows.count(None)


def _write(database: Database, settings: ConsoleSettings, draft: Path) -> None:
    """Write uploads and rows to the draft, and have them on the disk."""
    with (
        database.reading() as session,
        draft.open("w+b") as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        connection = session.connection()
        connection.execute(text("SELECT count(*) FROM conferences"))  # all is as of this moment
        connection.execution_options(yield_per=ROWS_READ)
        writer = Writer(archive)
        deleted = _write_uploads(database, connection, writer, settings.uploads)
        for table in stored_tables(connection):
            rows = _rows(connection, table)
            if table.name == UPLOADS_TABLE:
                rows = (row for row in rows if row.id not in deleted)
            writer.rows(table, rows)
        revision = connection.scalar(text("SELECT version_num FROM alembic_version"))
        writer.manifest(revision=revision, unround=__version__, created=now().isoformat())
        archive.close()
        file.flush()
        os.fsync(file.fileno())


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


def _rows(connection: Connection, table: Table) -> Iterable[Any]:
    columns = [
        cast(column, Text) if isinstance(column.type, JSON) else column for column in table.columns
    ]
    return connection.execute(select(*columns).order_by(*table.primary_key.columns))


def restore_backup(settings: ConsoleSettings, file: Path) -> dict[str, Any]:
    """Check a backup, restore it and return its manifest. Raises UsageError.

    The rows are written in one transaction, after the uploads. A restore that was interrupted leaves a
    mark in the folder: no server starts there until it is repeated.
    """
    manifest = read_manifest(file)
    with open_locked(settings) as database, zipfile.ZipFile(file) as archive:
        if inspect(database.engine).has_table(FIRST_TABLE):
            raise UsageError(
                "the database holds data already, and a restore replaces none: name another --data, "
                "or another --database"
            )
        _check_folder(settings)
        (settings.data / RESTORING).touch(mode=0o600)
        try:
            _restore_uploads(settings, archive)
            _restore_rows(database, archive, manifest)
        except UsageError:
            raise
        except (*DAMAGED, *REFUSED_ROWS) as error:
            raise _damaged(file, "its rows do not fit their tables") from error
        except BaseException as error:
            error.add_note(f"{settings.data} holds a part; repeat `unround restore`.")
            raise
        write_identity(settings, database)
        (settings.data / RESTORING).unlink()
    return manifest


def _check_folder(settings: ConsoleSettings) -> None:
    """Refuse a folder with uploads of somebody else; those of an interrupted restore are replaced."""
    if (settings.data / RESTORING).exists():
        for path in settings.uploads.iterdir():
            path.unlink()
    if settings.identity.exists() or any(settings.uploads.iterdir()):
        raise UsageError(f"{settings.data} is the folder of a console already; name another --data")


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
        _migrate_to(database, connection, manifest["revision"])
        tables = stored_tables(connection)
        members = {name for name in manifest["members"] if name.startswith(TABLES)}
        if members != {TABLES + table.name for table in tables}:
            raise ValueError("the tables are not those of the revision")
        for table in reversed(tables):
            connection.execute(delete(table))  # rows that migrations wrote
        for table in tables:
            _fill(connection, table, manifest["members"][TABLES + table.name], archive)
        database.migrate(connection)


def _migrate_to(database: Database, connection: Connection, revision: object) -> None:
    """Make the tables of a revision, which this version must know."""
    try:
        database.migrate(connection, str(revision))
        known = connection.scalar(text("SELECT version_num FROM alembic_version")) == revision
    except (CommandError, AssertionError):  # the second for an empty text
        known = False
    if not known:
        raise UsageError(
            f"this version of unround does not know the backup's tables (revision {revision}): restore it "
            f"with the version that made it"
        )


def _fill(
    connection: Connection, table: Table, facts: Mapping[str, Any], archive: zipfile.ZipFile
) -> None:
    """Write the rows of a table, all that the manifest counts."""
    columns = [table.columns[name] for name in facts["columns"]]
    for column in columns:
        if isinstance(column.type, JSON):
            column.type = JSON(none_as_null=True)
    with archive.open(TABLES + table.name) as lines:
        while part := [json.loads(line) for line in islice(lines, ROWS_INSERTED)]:
            values = (zip(columns, row, strict=True) for row in part)
            connection.execute(
                insert(table),
                [{column.name: decoded(value, column) for column, value in row} for row in values],
            )
    written = connection.scalar(select(func.count()).select_from(table))
    if written != facts["rows"] or len(columns) != len(table.columns):
        raise ValueError(f"{written} of {facts['rows']} rows of {table.name} were written")
    if connection.dialect.name != "sqlite":
        _continue_numbers(connection, table)


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
