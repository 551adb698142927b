"""A job for a worker: what it is told, the files that it reads, and how its outcome is stored."""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
from sqlalchemy import CursorResult, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from unround.console.errors import (
    DATABASE_AWAY,
    DATABASE_CROWDED,
    DATABASE_STARTS,
    storage_error,
)
from unround.console.schemas.runs import NewCheck, NewRun
from unround.console.storage.database import Database
from unround.console.storage.orm import TABLES, FileRow, JobKind, now
from unround.console.storage.run_files import store_files
from unround.formats.model import Options
from unround.output.tables import shielded
from unround.progress import StageProgress
from unround.settings import AUTO, Settings, parse_lambda

Value = TypeVar("Value")
PASSING = (DATABASE_AWAY, DATABASE_STARTS, DATABASE_CROWDED)
PATIENCE, RETRY = 60.0, 0.5  # seconds


@dataclass(frozen=True)
class Outcome:
    """How a job ended: its status, the columns of its row, and the gzipped files of a run by name."""

    status: str
    columns: Mapping[str, Any]
    files: Mapping[str, bytes] = field(default_factory=dict)


class Overtaken(Exception):
    """The job was cancelled or deleted, or given to another worker: its result is dropped."""


class Finished(Exception):
    """Its end was written before, by this very worker."""


@dataclass(frozen=True)
class Order:
    """One job for one worker."""

    kind: JobKind
    id: str
    attempt: str
    database: str
    busy_seconds: float
    uploads: str
    work: str

    def line(self) -> str:
        """Return the order as one line of JSON, for the worker's standard input."""
        return json.dumps(asdict(self)) + "\n"

    def open(self) -> Database:
        """Open the database."""
        return Database(self.database, self.busy_seconds, durable=True)


# Computes a job's outcome from its request as JSON and the files that it names.
Compute = Callable[[Order, dict[str, Any], Sequence[FileRow], StageProgress], Outcome]


def perform(order: Order, compute: Compute, progress: StageProgress) -> None:
    """Carry out a job: read what is requested, compute, and store the outcome whole or not at all."""
    database = order.open()
    request, files = patient(lambda: _requested(database, order))
    outcome = compute(order, request, files, progress)
    progress("saving", 0, 1)

    def save() -> None:
        with database.writing() as session:
            finish(session, order, outcome.status, **outcome.columns)
            store_files(session, order.id, outcome.files)

    patient(save)
    progress("saving", 1, 1)


def _requested(database: Database, order: Order) -> tuple[dict[str, Any], list[FileRow]]:
    with database.reading() as session:
        table = TABLES[order.kind]
        request = session.scalars(select(table.request).where(table.id == order.id)).one()
        return request, files_of(session, request["files"])


def patient(act: Callable[[], Value], seconds: float = PATIENCE) -> Value:
    """Repeat a transaction while the database is away or starting: a long run must not be lost by it.

    A locked database is not waited for again: the driver did.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            return act()
        except DBAPIError as error:
            told = storage_error(error)
            if told is None or told[1] not in PASSING or time.monotonic() > deadline:
                raise
            time.sleep(RETRY)


def import_options(request: NewCheck) -> Options:
    """Return how to read the files."""
    reading = request.reading
    return Options(
        format=reading.format,
        columns=reading.columns,
        score_fields=tuple(reading.score_fields),
        ranker=reading.ranker or None,
        encoding=reading.encoding,
        duplicates=reading.duplicates,
        match_ids=reading.match_ids,
    )


def settings_of(request: NewCheck) -> Settings:
    """Return the method's settings; raise UsageError for one that makes no sense."""
    form = request.method
    return Settings.checked(
        lam=parse_lambda(request.lam) if isinstance(request, NewRun) else AUTO,
        scale=form.scale or None,
        epsilon=form.epsilon,
        conflicts=form.conflicts,
        unranked=form.unranked,
        same_within=form.same_within,
    )


def files_of(session: Session, ids: Sequence[str]) -> list[FileRow]:
    """Return files in the order of these ids; missing ones are left out."""
    files = {file.id: file for file in session.scalars(select(FileRow).where(FileRow.id.in_(ids)))}
    return [files[id] for id in ids if id in files]


@contextmanager
def linked_files(order: Order, files: Sequence[FileRow]) -> Iterator[list[Path]]:
    """Link each uploaded file under its original name in a scratch folder, so that messages show it.

    Each file has a subfolder of its own, because two files may have the same name. Names were cleaned
    when the files were uploaded. Archives are unpacked in the scratch folder too, so that nothing of
    them is left when a worker is killed.
    """
    folder = Path(order.work) / order.attempt
    paths = []
    try:
        for number, file in enumerate(files):
            path = folder / str(number) / file.name
            path.parent.mkdir(parents=True)
            path.symlink_to(Path(order.uploads).absolute() / file.id)
            paths.append(path)
        tempfile.tempdir = str(folder)
        yield paths
    finally:
        tempfile.tempdir = None
        shutil.rmtree(folder, ignore_errors=True)


def packed_csv(table: pl.DataFrame) -> bytes:
    """Return a table as a gzipped CSV file, safe to open in a spreadsheet."""
    return gzip.compress(shielded(table).write_csv().encode(), 5, mtime=0)


def finish(session: Session, order: Order, status: str, **values: Any) -> None:
    """Write the end of a job. Raises Overtaken if the job is no longer this worker's.

    Raises Finished if this worker has ended it already: the answer to that commit was lost.
    """
    table = TABLES[order.kind]
    done = select(table.status).where(table.id == order.id, table.attempt == order.attempt)
    if session.scalar(done) == status:
        raise Finished
    ended = session.execute(
        update(table)
        .where(table.id == order.id, table.status == "running", table.attempt == order.attempt)
        .values(status=status, finished=now(), **values)
    )
    if not isinstance(ended, CursorResult) or ended.rowcount != 1:
        raise Overtaken
