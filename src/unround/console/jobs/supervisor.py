"""Background jobs: a queue, a few threads, and a process for each job.

The database tells what is queued, running and ended. A worker writes its own good end; every other
end is written here. How far a job has come is known only in memory.
"""

from __future__ import annotations

import contextlib
import json
import logging
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from sqlalchemy import CursorResult, update

from unround.console.jobs.order import Order
from unround.console.schemas import JobProgress
from unround.console.storage.database import Database, trouble
from unround.console.storage.ids import new_id, now
from unround.console.storage.orm import TABLES, UNFINISHED, Kind

WORKER = (sys.executable, "-m", "unround.console.jobs.worker")
AT_ONCE: dict[Kind, int] = {"check": 2, "run": 2}  # a check never waits for a long run
PATIENCE = 3.0  # seconds between asking a worker to stop and stopping it
RETRY = 0.5
logger = logging.getLogger("unround.console")


@dataclass
class _Running:
    """A job that this server has in hand."""

    kind: Kind
    id: str
    attempt: str = field(default_factory=new_id)
    process: subprocess.Popen[str] | None = None
    reason: str | None = None
    progress: JobProgress = field(
        default_factory=lambda: JobProgress(
            status="queued", stage=None, done=0, total=0, reason=None
        )
    )


_Queue = queue.SimpleQueue[_Running | None]


class Supervisor:
    """Starts workers, follows them, stops them, and writes down how they ended."""

    def __init__(
        self,
        database: Database,
        *,
        uploads: Path,
        work: Path,
        busy_seconds: float,
        worker: Sequence[str] = WORKER,
        on_done: Callable[[Kind, str], None] | None = None,
    ) -> None:
        self._database, self._busy_seconds, self.worker = database, busy_seconds, tuple(worker)
        self._uploads, self._work = uploads, work
        self.on_done = on_done
        self._queues: dict[Kind, _Queue] = {kind: queue.SimpleQueue() for kind in AT_ONCE}
        self._jobs: dict[str, _Running] = {}
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._threads = [
            threading.Thread(target=self._serve, args=(self._queues[kind],), daemon=True)
            for kind, count in AT_ONCE.items()
            for _ in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, kind: Kind, id: str) -> None:
        """Take on a job whose row says queued."""
        job = _Running(kind, id)
        with self._changed:
            self._jobs[id] = job
        self._queues[kind].put(job)

    def progress(self, id: str) -> JobProgress | None:
        """How far a job has come; None once its row tells everything."""
        with self._changed:
            job = self._jobs.get(id)
            return None if job is None else job.progress

    def cancel(self, kind: Kind, id: str) -> bool:
        """Stop a job that has not ended. False when it has."""
        table = TABLES[kind]
        with self._database.writing() as session:
            ended = session.execute(
                update(table)
                .where(table.id == id, table.status.in_(UNFINISHED))
                .values(status="cancelled", finished=now())
            )
            stopped = isinstance(ended, CursorResult) and ended.rowcount == 1
        self.stop(id)
        return stopped

    def stop(self, id: str) -> None:
        """End a job's process, if it has one."""
        with self._changed:
            job = self._jobs.get(id)
            process = job.process if job else None
        if process is not None:
            _end(process)

    def wait(self, id: str, seconds: float) -> bool:
        """Wait until a job has ended and its row says so; False if it takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: id not in self._jobs, seconds)

    def close(self) -> None:
        """Stop every worker. Their rows stay as they are, for the next start to see."""
        self._closing.set()
        for kind, count in AT_ONCE.items():
            for _ in range(count):
                self._queues[kind].put(None)
        with self._changed:
            processes = [job.process for job in self._jobs.values() if job.process is not None]
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        for thread in self._threads:
            thread.join(PATIENCE)

    def _serve(self, waiting: _Queue) -> None:
        while (job := waiting.get()) is not None:
            try:
                self._perform(job)
            except Exception:
                logger.exception("a job could not be followed")
            finally:
                with self._changed:
                    self._jobs.pop(job.id, None)
                    self._changed.notify_all()

    def _perform(self, job: _Running) -> None:
        if self._closing.is_set() or not self._persist(lambda: self._begin(job)):
            return
        self._tell(job, JobProgress(status="running", stage=None, done=0, total=0, reason=None))
        code = self._followed(job)
        if self._closing.is_set():
            return
        if code != 0:
            reason = job.reason or _reason(code)
            self._tell(job, job.progress.model_copy(update={"status": "failed", "reason": reason}))
            self._persist(lambda: self._fail(job, reason))
        elif self.on_done is not None:
            self.on_done(job.kind, job.id)

    def _followed(self, job: _Running) -> int:
        """Start the worker, pass on what it says, and return how it ended."""
        order = Order(
            kind=job.kind,
            id=job.id,
            attempt=job.attempt,
            database=self._database.url.render_as_string(hide_password=False),
            busy_seconds=self._busy_seconds,
            uploads=str(self._uploads),
            work=str(self._work),
        )
        with subprocess.Popen(  # noqa: S603 - our own interpreter
            self.worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ) as process:
            with self._changed:
                job.process = process
            if self._closing.is_set():
                process.kill()
            with contextlib.suppress(BrokenPipeError):  # it died at once: the code tells
                assert process.stdin is not None
                process.stdin.write(order.line())
                process.stdin.flush()
            self._listen(job, process.stdout)
            return process.wait()

    def _listen(self, job: _Running, lines: IO[str] | None) -> None:
        assert lines is not None
        for line in lines:
            said = json.loads(line)
            if "reason" in said:
                job.reason = said["reason"]
            else:
                self._tell(job, JobProgress(status="running", reason=None, **said))

    def _tell(self, job: _Running, progress: JobProgress) -> None:
        with self._changed:
            job.progress = progress

    def _begin(self, job: _Running) -> bool:
        """Mark the job as running, unless it was cancelled in the queue."""
        return self._move(job, ("queued",), status="running", attempt=job.attempt)

    def _fail(self, job: _Running, reason: str) -> bool:
        return self._move(job, ("running",), status="failed", reason=reason, finished=now())

    def _move(self, job: _Running, before: tuple[str, ...], **values: object) -> bool:
        table = TABLES[job.kind]
        with self._database.writing() as session:
            moved = session.execute(
                update(table).where(table.id == job.id, table.status.in_(before)).values(**values)
            )
            return isinstance(moved, CursorResult) and moved.rowcount == 1

    def _persist(self, write: Callable[[], bool]) -> bool:
        """Write as soon as the database lets us; the console may be closed before that."""
        while True:
            try:
                return write()
            except Exception as problem:
                if trouble(problem) is None or self._closing.wait(RETRY):
                    raise


def _end(process: subprocess.Popen[str]) -> None:
    """Ask, wait a little, then insist."""
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()


def _reason(code: int) -> str:
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = "unknown"
        return (
            f"The worker was stopped from outside (signal {-code}, {name}), perhaps for want of "
            "memory. Nothing was kept; start again."
        )
    return f"The worker stopped with code {code}. Nothing was kept; start again."
