"""The files of finished jobs, gzipped in the database: written once, when a job ends, and never changed."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import select
from sqlalchemy.orm import Session

from unround.console.errors import Absent
from unround.console.storage.orm import JobFileRow, RunFileRow, RunRow
from unround.disclosure.snapshot import Snapshot
from unround.output.tables import read_own_csv, shielded
from unround.runs.folder import CHECKSUMS, RECORD, TABLES, TEXT, Run, run_of_files
from unround.runs.record import record_text
from unround.runs.tables import PAPERS

FILES = (*TABLES, RECORD)  # of a run, as `unround run` writes them
ISSUES = "issues.csv"  # of a check
GZIP_LEVEL = 5


@dataclass(frozen=True)
class OpenedRun:
    """A finished run in memory: its tables, and the snapshot from which views are made."""

    run: Run

    @cached_property
    def snapshot(self) -> Snapshot:
        """The tables as views need them."""
        return Snapshot.of_run(self.run)


def packed_files(tables: Mapping[str, pl.DataFrame], record: Mapping[str, Any]) -> dict[str, bytes]:
    """Return every file of a run as `unround run` writes it, gzipped, by name."""
    packed = {name: packed_csv(table) for name, table in tables.items()}
    return packed | {RECORD: _packed(record_text(record))}


def packed_csv(table: pl.DataFrame) -> bytes:
    """Return a table as a gzipped CSV file, safe to open in a spreadsheet."""
    return _packed(shielded(table).write_csv())


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode(), GZIP_LEVEL, mtime=0)


def open_run_files(session: Session, run: str) -> OpenedRun:
    """Read all files of a run."""
    files = select(RunFileRow.name, RunFileRow.content).where(RunFileRow.run == run)
    return _opened(run, session.execute(files))


def open_folder(folder: str) -> OpenedRun:
    """Read all files of a run from the folder of a worker that was given them."""
    return _opened(folder, ((path.name, path.read_bytes()) for path in Path(folder).iterdir()))


def _opened(named: str, packed: Iterable[tuple[str, bytes]]) -> OpenedRun:
    files = {name: gzip.decompress(content) for name, content in packed if name in FILES}
    return OpenedRun(run_of_files(Path(named), files))


def job_file(session: Session, job: str, name: str) -> bytes:
    """Return a file of a check. Raises Absent where it has no such file."""
    return _unpacked(session.get(JobFileRow, (job, name)))


def run_file(session: Session, run: str, name: str) -> bytes:
    """Return a file of a run. Raises Absent where the run has no such file."""
    return _unpacked(session.get(RunFileRow, (run, name)))


def _unpacked(file: JobFileRow | RunFileRow | None) -> bytes:
    if file is None:
        raise Absent
    return gzip.decompress(file.content)


def run_table(session: Session, run: str, name: str) -> pl.DataFrame:
    """Return one table of a run, with ids as text."""
    return read_own_csv(run_file(session, run, name), TEXT)


def papers_of_run(session: Session, run: str) -> list[str]:
    """Return the papers of a run, by their ids as text."""
    return run_table(session, run, PAPERS)["paper"].to_list()


def finished_runs(session: Session, conference: str) -> Sequence[str]:
    """Return the runs of a conference that have results, newest first."""
    done = select(RunRow.id).where(RunRow.conference == conference, RunRow.status == "done")
    return session.scalars(done.order_by(RunRow.finished.desc(), RunRow.id)).all()


def file_names(session: Session, run: str) -> list[str]:
    """List the files of a run, its scores first and its hashes last; none before it is done."""
    there = set(session.scalars(select(RunFileRow.name).where(RunFileRow.run == run)))
    return [*(name for name in FILES if name in there), *([CHECKSUMS] if there else [])]


def run_checksums(session: Session, run: str) -> bytes:
    """Return the hashes of a run's files, by which a folder of them is read again."""
    names = [name for name in sorted(file_names(session, run)) if name != CHECKSUMS]
    hashes = {name: hashlib.sha256(run_file(session, run, name)).hexdigest() for name in names}
    return "".join(f"{digest}  {name}\n" for name, digest in hashes.items()).encode()
