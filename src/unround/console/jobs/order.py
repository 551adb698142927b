"""What a job's process is told, how its files are laid out, and how it may end."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import CursorResult, select, update
from sqlalchemy.orm import Session

from unround.console.schemas import NewCheck
from unround.console.storage.database import Database
from unround.console.storage.ids import now
from unround.console.storage.orm import TABLES, File, Kind
from unround.formats.files.archives import is_folder_archive, unpack
from unround.formats.model import Options
from unround.runs.method import Method, parse_scale

Tell = Callable[[str, int, int], None]


class Overtaken(Exception):
    """The job was cancelled or deleted, or given to another worker: its result is nobody's."""


@dataclass(frozen=True)
class Order:
    """One job for one worker."""

    kind: Kind
    id: str
    attempt: str
    database: str
    busy_seconds: float
    uploads: str
    work: str

    def line(self) -> str:
        """As it is handed over."""
        return json.dumps(asdict(self)) + "\n"

    def open(self) -> Database:
        """The database to work on."""
        return Database(self.database, self.busy_seconds, durable=True)


def options_of(request: NewCheck) -> Options:
    """How to read the files."""
    reading = request.reading
    return Options(
        format=reading.format,
        columns=reading.columns,
        score_fields=tuple(reading.score_fields),
        ranker=reading.ranker or None,
    )


def method_of(request: NewCheck) -> Method:
    """How statements become constraints."""
    chosen = request.method
    return Method(
        parse_scale(chosen.scale or None),
        chosen.epsilon,
        chosen.conflicts,
        chosen.unranked,
        chosen.same_within,
    )


def files_of(session: Session, ids: Sequence[str]) -> list[File]:
    """Files in the order they were asked for."""
    found = {file.id: file for file in session.scalars(select(File).where(File.id.in_(ids)))}
    return [found[id] for id in ids if id in found]


@contextmanager
def laid_out(order: Order, files: Sequence[File]) -> Iterator[list[Path]]:
    """The files under their own names, each in a folder of its own: messages and records tell names.

    The names were cleaned when the files came in, and stand in a folder that is this job's alone.
    A folder comes as a ZIP file, and is one again here.
    """
    folder = Path(order.work) / order.attempt
    paths = []
    try:
        for number, file in enumerate(files):
            path = folder / str(number) / file.name
            path.parent.mkdir(parents=True)
            path.symlink_to(Path(order.uploads).absolute() / file.id)
            packed = is_folder_archive(path)
            paths.append(unpack(path, path.parent / "folder" / path.stem) if packed else path)
        yield paths
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def finish(session: Session, order: Order, status: str, **values: Any) -> None:
    """Set the end of a job, if it is still this worker's to end."""
    table = TABLES[order.kind]
    ended = session.execute(
        update(table)
        .where(table.id == order.id, table.status == "running", table.attempt == order.attempt)
        .values(status=status, finished=now(), **values)
    )
    if not isinstance(ended, CursorResult) or ended.rowcount != 1:
        raise Overtaken
