"""What a worker hands back, and the states of a job's row, which the server alone writes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from sqlalchemy import CursorResult, delete, select, update
from sqlalchemy.orm import Session

from unround.console.access.log import note
from unround.console.storage.database import Database
from unround.console.storage.orm import (
    UNFINISHED,
    FileRow,
    Job,
    JobFileRow,
    JobRow,
    RunFileRow,
    RunRow,
    now,
)
from unround.errors import UnroundError

TABLES = {"check": JobRow, "run": RunRow}  # by what an interrupted job is called
COLUMNS, FILES = "result.json", "files/"


@dataclass(frozen=True)
class JobResult:
    """How a job ended: its status, the columns of its row, and its gzipped files by name."""

    status: str
    columns: Mapping[str, Any]
    files: Mapping[str, bytes] = field(default_factory=dict)

    @classmethod
    def failed(cls, reason: str) -> JobResult:
        """Return the result of a job that came to no end of its own."""
        return cls("failed", {"reason": reason})

    def write(self, path: Path) -> None:
        """Write the result into one file, for the server to read."""
        with ZipFile(path, "w") as archive:
            archive.writestr(COLUMNS, json.dumps([self.status, self.columns]))
            for name, content in self.files.items():
                archive.writestr(FILES + name, content)

    @classmethod
    def read(cls, path: Path) -> JobResult:
        """Read the result that a worker has written."""
        with ZipFile(path) as archive:
            status, columns = json.loads(archive.read(COLUMNS))
            names = [name for name in archive.namelist() if name.startswith(FILES)]
            files = {name.removeprefix(FILES): archive.read(name) for name in names}
        return cls(status, columns, files)


def begin(database: Database, table: type[Job], id: str) -> bool:
    """Mark a job as running; False if it was cancelled or deleted in the queue."""
    return _move(database, table, id, status="running")


def end(database: Database, table: type[Job], id: str, result: JobResult) -> None:
    """Store a result whole. That of a job that was cancelled or deleted meanwhile is dropped.

    May be repeated, because the response to a commit can be lost with the connection.
    """
    with database.writing(durable=True) as session:
        row = session.get(table, id, with_for_update=True)
        if row is None or row.status not in UNFINISHED:
            return
        row.status, row.finished = result.status, now()
        for name, value in result.columns.items():
            setattr(row, name, value)
        for name, content in result.files.items():
            session.add(
                RunFileRow(run=id, name=name, content=content)
                if table is RunRow
                else JobFileRow(job=id, name=name, content=content)
            )


def cancel(database: Database, id: str, reason: str | None = None) -> bool:
    """Mark a job as cancelled; False if it has ended already."""
    values = {"status": "cancelled", "reason": reason, "finished": now()}
    return any(_move(database, table, id, **values) for table in TABLES.values())


def _move(database: Database, table: type[Job], id: str, **values: object) -> bool:
    unfinished = table.id == id, table.status.in_(UNFINISHED)
    with database.writing() as session:
        moved = session.execute(update(table).where(*unfinished).values(**values))
        return isinstance(moved, CursorResult) and moved.rowcount == 1


def unfinished_jobs(session: Session, conference: str | None = None) -> dict[str, list[str]]:
    """Return the uploads that each job reads, of one conference or all, that has not ended."""
    found: dict[str, list[str]] = {}
    for table in TABLES.values():
        query = select(table.id, table.request).where(table.status.in_(UNFINISHED))
        if conference is not None:
            query = query.where(table.conference == conference)
        found |= {id: request.get("files", []) for id, request in session.execute(query)}
    return found


def fail_interrupted(session: Session, reason: str) -> None:
    """Mark the jobs as failed that ended with an earlier server, and note it in their conference's log.

    What is worked out about a run is asked for again, so its job is deleted.
    """
    session.execute(delete(JobRow).where(JobRow.run.is_not(None), JobRow.status != "done"))
    for what, table in TABLES.items():
        failed = session.scalars(
            update(table)
            .where(table.status.in_(UNFINISHED))
            .values(status="failed", reason=reason, finished=now())
            .returning(table.conference)
        )
        for conference in failed.all():
            note(session, conference, "server", f"marked an interrupted {what} as failed", reason)


def files_of(session: Session, conference: str, ids: Sequence[str]) -> list[FileRow]:
    """Return files of a conference in the order of these ids. Raises UnroundError if one is missing."""
    query = select(FileRow).where(FileRow.conference == conference, FileRow.id.in_(ids))
    files = {file.id: file for file in session.scalars(query)}
    if not files.keys() >= set(ids):
        raise UnroundError("One of the files is not there any more. Choose the files again.")
    return [files[id] for id in ids]


def link_files(folder: Path, uploads: Path, files: Sequence[FileRow]) -> list[Path]:
    """Link files under their names, which messages show, each in a folder of its own.

    Two may have the same name. Names were cleaned when the files were uploaded.
    """
    paths = [folder / str(number) / file.name for number, file in enumerate(files)]
    for path, file in zip(paths, files, strict=True):
        path.parent.mkdir()
        path.symlink_to(uploads.absolute() / file.id)
    return paths
