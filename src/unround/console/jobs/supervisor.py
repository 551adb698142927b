"""Background jobs: a few threads per kind, and one process per job.

The database says what is queued, running and ended, and this server alone writes there: a worker is given
what it reads and hands back a file, which is stored however long the database is away. How far a job has
come is kept only in memory.
"""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar

from unround.console.errors import storage_error
from unround.console.jobs import job as jobs
from unround.console.jobs.job import JobResult
from unround.console.jobs.kinds import JOBS
from unround.console.jobs.worker import RESULT
from unround.console.schemas.runs import JobProgress
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.telemetry import Metrics
from unround.errors import UnroundError

WORKER = (sys.executable, "-m", "unround.console.jobs.worker")
PATIENCE = 3.0  # seconds between SIGTERM and SIGKILL
RETRY = 0.5  # seconds
AWAY, FULL = 503, 507  # statuses of `storage_error`: what passes by itself, and what may not
TOO_LONG = (
    "The {kind} was stopped after {minutes:.0f} minutes. Check fewer files at a time, or use `unround check` "
    "on your own machine."
)
UNSTORED = "The result could not be stored; the server's terminal shows why. Start again."
Value = TypeVar("Value")
logger = logging.getLogger("unround.console")


@dataclass
class _TrackedJob:
    """A queued or running job of this server."""

    kind: str
    id: str
    person: str = ""  # the link of whoever started it
    queued: float = field(default_factory=time.monotonic)
    process: subprocess.Popen[str] | None = None
    stopped: bool = False
    reason: str | None = None
    progress: JobProgress = field(default_factory=lambda: JobProgress.of("queued"))


class Supervisor:
    """Starts workers, follows their progress, stops them, and records how they ended."""

    def __init__(
        self,
        database: Database,
        settings: ConsoleSettings,
        metrics: Metrics,
        worker: Sequence[str] = WORKER,
    ) -> None:
        self._database, self._settings, self._metrics = database, settings, metrics
        self.worker = tuple(worker)
        self._jobs: dict[str, _TrackedJob] = {}
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._threads = {kind: ThreadPoolExecutor(one.at_once, kind) for kind, one in JOBS.items()}

    def submit(self, kind: str, id: str, person: str = "") -> None:
        """Queue a job, which ends at once if it has no row, for a person who is known by their link."""
        job = _TrackedJob(kind, id, person)
        with self._changed:
            self._jobs[id] = job
        self._threads[kind].submit(self._follow, job)

    def jobs_of(self, person: str) -> set[str]:
        """Return the jobs that a person has started and that have not ended."""
        with self._changed:
            return {job.id for job in self._jobs.values() if job.person == person}

    def progress(self, id: str) -> JobProgress | None:
        """Return how far a job has come; None once it has ended and its row says how."""
        with self._changed:
            job = self._jobs.get(id)
            return None if job is None else job.progress

    def counts(self) -> Counter[tuple[str, str]]:
        """Return how many jobs of each kind are queued and running."""
        with self._changed:
            return Counter((job.kind, job.progress.status) for job in self._jobs.values())

    def cancel(self, id: str, reason: str | None = None) -> bool:
        """Stop a job that has not ended. False if it has."""
        stopped = jobs.cancel(self._database, id, reason)
        self.stop(id)
        return stopped

    def stop(self, id: str) -> None:
        """End a job's process, or have it ended as soon as it starts."""
        with self._changed:
            job = self._jobs.get(id)
            if job is None:
                return
            job.stopped = True
            process = job.process
        if process is not None:
            _end(process)

    def wait(self, id: str, seconds: float) -> bool:
        """Wait until a job has ended and its row says so; False if it takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: id not in self._jobs, seconds)

    def close(self) -> None:
        """Stop every worker. Their rows stay as they are, for the next start to see."""
        self._closing.set()
        with self._changed:
            processes = [job.process for job in self._jobs.values() if job.process is not None]
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        for threads in self._threads.values():
            threads.shutdown(cancel_futures=True)

    def _follow(self, job: _TrackedJob) -> None:
        try:
            self._perform(job)
        except Exception:
            logger.exception("a job's end could not be recorded")
        finally:
            with self._changed:
                self._jobs.pop(job.id, None)
                self._changed.notify_all()
            with contextlib.suppress(Exception):  # the next start removes what stays
                self._persist(lambda: _remove(self._folder(job)))

    def _folder(self, job: _TrackedJob) -> Path:
        """Return the folder of a job's worker."""
        return self._settings.work.absolute() / job.id

    def _perform(self, job: _TrackedJob) -> None:
        table = JOBS[job.kind].table
        if self._closing.is_set() or not self._persist(
            lambda: jobs.begin(self._database, table, job.id)
        ):
            return
        self._set_progress(job, JobProgress.of("running"))
        began = time.monotonic()
        self._metrics.job_wait.labels(job.kind).observe(began - job.queued)
        result = self._outcome(job)
        if self._closing.is_set():
            return
        self._metrics.job_seconds.labels(job.kind).observe(time.monotonic() - began)
        failed = result.status == "failed"
        how = "stopped" if job.stopped else "failed" if failed else "done"
        self._metrics.jobs_ended.labels(job.kind, how).inc()
        self._store(job, result)

    def _outcome(self, job: _TrackedJob) -> JobResult:
        """Have a worker do the job, in a folder of its own; return what came of it."""
        folder = self._folder(job)
        try:
            code = self._run_worker(job, folder, **self._persist(lambda: self._given(job, folder)))
            if code == 0:
                return JobResult.read(folder / RESULT)
            reason = job.reason or _exit_reason(code)
        except UnroundError as error:
            reason = str(error)
        except Exception as error:
            reason = _server_failure(error)
        return JobResult.failed(reason)

    def _given(self, job: _TrackedJob, folder: Path) -> dict[str, Any]:
        """Return the request of a job and what its worker needs, some of it in the folder."""
        spec = JOBS[job.kind]
        _remove(folder)
        folder.mkdir(mode=0o700)
        with self._database.reading() as session:
            row = session.get(spec.table, job.id)
            if row is None:
                raise UnroundError("This was deleted.")
            given = spec.give(session, row, folder, self._settings.uploads)
            return {"request": row.request, "given": given}

    def _store(self, job: _TrackedJob, result: JobResult) -> None:
        """Store a result; where the disk is full or the database refuses it, store why there is none."""
        table = JOBS[job.kind].table
        try:
            passing = (AWAY, FULL) if result.status == "failed" else (AWAY,)
            self._persist(lambda: jobs.end(self._database, table, job.id, result), passing)
        except Exception as error:
            if self._closing.is_set():
                raise
            known = storage_error(error)
            if known is None:
                logger.exception("the result of a job was refused")
            why = JobResult.failed(known[1] if known else UNSTORED)
            self._persist(lambda: jobs.end(self._database, table, job.id, why), (AWAY, FULL))

    def _run_worker(self, job: _TrackedJob, folder: Path, **values: Any) -> int:
        """Start the worker, take in its progress, and return its exit code."""
        line = json.dumps({"kind": job.kind, "folder": str(folder), **values})
        with subprocess.Popen(  # noqa: S603 - our own interpreter
            self.worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ) as process:
            limit = JOBS[job.kind].longest
            clock = threading.Timer(limit or 0.0, self._end_late, (job, process, limit))
            if limit is not None:
                clock.start()
            try:
                with self._changed:
                    job.process = process
                    stopped = job.stopped
                if stopped or self._closing.is_set():
                    process.kill()
                with contextlib.suppress(BrokenPipeError):  # it died: its exit code says why
                    assert process.stdin is not None
                    process.stdin.write(line + "\n")
                    process.stdin.flush()
                self._listen(job, process.stdout)
                return process.wait()
            except BaseException:
                process.kill()  # nobody would follow it
                raise
            finally:
                clock.cancel()

    def _end_late(self, job: _TrackedJob, process: subprocess.Popen[str], seconds: float) -> None:
        """End a job that takes too long."""
        job.reason = TOO_LONG.format(kind=job.kind, minutes=seconds / 60)
        _end(process)

    def _listen(self, job: _TrackedJob, lines: IO[str] | None) -> None:
        assert lines is not None
        for line in lines:
            try:
                message = json.loads(line)
            except json.JSONDecodeError:
                continue  # the last line of a worker that was killed while it wrote
            if "reason" in message:
                job.reason = message["reason"]
            else:
                self._set_progress(job, JobProgress(status="running", reason=None, **message))

    def _set_progress(self, job: _TrackedJob, progress: JobProgress) -> None:
        with self._changed:
            job.progress = progress

    def _persist(self, act: Callable[[], Value], passing: Collection[int] = (AWAY,)) -> Value:
        """Repeat a transaction while the database is locked or away, until the console closes."""
        while True:
            try:
                return act()
            except Exception as error:
                known = storage_error(error)
                if known is None or known[0] not in passing or self._closing.wait(RETRY):
                    raise


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def _end(process: subprocess.Popen[str]) -> None:
    """Send SIGTERM, wait, then kill."""
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()


def _server_failure(error: Exception) -> str:
    """Say why no worker could be started, or its result not be read."""
    known = storage_error(error)
    if known is not None:
        return known[1]
    if isinstance(error, OSError):
        words = error.strerror or error
        return f"No worker could be started: {words}. Nothing was kept; start again."
    logger.exception("a worker could not be followed")
    return f"The server met an error of its own ({type(error).__name__}). Start again."


def _exit_reason(code: int) -> str:
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = "unknown"
        return (
            f"The worker was stopped from outside (signal {-code}, {name}), perhaps for lack of "
            "memory. Nothing was kept; start again."
        )
    return f"The worker stopped with code {code}. Nothing was kept; start again."
