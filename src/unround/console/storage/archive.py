"""What a backup file holds: a ZIP file with a manifest, one member per table, one per upload.

Rows are JSON lists, one per line, in the same form for SQLite and PostgreSQL, so that a backup of one
can be restored into the other. The manifest has the SHA-256 of every member.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from sqlalchemy import JSON, Column, Connection, DateTime, LargeBinary, MetaData, Table

from unround.errors import UsageError
from unround.formats.files.archives import BROKEN_ZIP

FORMAT = 1
MANIFEST = "manifest.json"
TABLES, UPLOADS = "tables/", "uploads/"
LEFT_OUT = ("alembic_version", "servers")  # the version is in the manifest; owners are not restored
BLOCK = 1 << 20


def stored_tables(connection: Connection) -> list[Table]:
    """Return the tables of a database as they are there, parents before their children."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name not in LEFT_OUT]


def encoded(value: Any) -> Any:
    """Return a value of a row as JSON can hold it: bytes as base64, times as UTC."""
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
    return value


def is_json(column: Column[Any]) -> bool:
    """Whether a column holds JSON, which is taken and given as text so that no byte changes."""
    return isinstance(column.type, JSON)


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


DAMAGED = (*BROKEN_ZIP, KeyError)  # a manifest that is no manifest has other keys


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
    except DAMAGED as error:
        raise _damaged(file, "it is not whole") from error
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from error
    return manifest


def _check_members(
    file: Path, archive: zipfile.ZipFile, members: Mapping[str, Mapping[str, Any]]
) -> None:
    if {MANIFEST, *members} != set(archive.namelist()):
        raise _damaged(file, "it does not hold what its manifest says")
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


def read_rows(archive: zipfile.ZipFile, name: str) -> Iterator[list[Any]]:
    """Yield the rows of a table."""
    with archive.open(TABLES + name) as member:
        for line in member:
            yield json.loads(line)
