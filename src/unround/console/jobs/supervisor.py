"""Background jobs: a few threads per kind, and one process per job.

The database says what is queued, running and ended. A worker writes its own success or refusal; every
other end is written here, however long the database is away. A row that is unfinished although nobody
works on it is found by `sweep`. How far a job has come is kept only in memory.
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
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO

from unround.console.errors import FILES_USED_UP, NO_FILES, storage_error
from unround.console.jobs import job as jobs
from unround.console.jobs.job import ABANDONED, Job, fail_abandoned, unfinished_jobs
from unround.console.schemas.runs import JobProgress
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.orm import JobKind, new_id
from unround.console.telemetry import Metrics

WORKER = (sys.executable, "-m", "unround.console.jobs.worker")
AT_ONCE: dict[JobKind, int] = {"check": 2, "run": 2}  # a check never waits for a long run
PATIENCE = 3.0  # seconds between SIGTERM and SIGKILL
LONGEST: dict[JobKind, float] = {"check": 600.0}  # seconds; runs may take as long as they need
RETRY = 0.5  # seconds
TOO_LONG = (
    "The check was stopped after {minutes:.0f} minutes. Check fewer files at a time, or use `unround check` "
    "on your own machine."
)
logger = logging.getLogger("unround.console")


@dataclass
class _TrackedJob:
    """A queued or running job of this server."""

    kind: JobKind
    id: str
    person: str = ""  # the link of whoever started it
    attempt: str = field(default_factory=new_id)
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
        self._unowned: set[tuple[JobKind, str]] = set()  # found by the last sweep
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._threads = {kind: ThreadPoolExecutor(count, kind) for kind, count in AT_ONCE.items()}

    def submit(self, kind: JobKind, id: str, person: str = "") -> None:
        """Queue a job whose row is written as queued, for a person who is known by their link."""
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

    def counts(self) -> Counter[tuple[JobKind, str]]:
        """Return how many jobs of each kind are queued and running."""
        with self._changed:
            return Counter((job.kind, job.progress.status) for job in self._jobs.values())

    def cancel(self, kind: JobKind, id: str, reason: str | None = None) -> bool:
        """Stop a job that has not ended. False if it has."""
        stopped = jobs.cancel(self._database, kind, id, reason)
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

    def sweep(self) -> None:
        """End the jobs that are unfinished by their rows although nobody works on them.

        Such a row is left when the answer to a commit was lost. A job counts as left when two sweeps
        find it: one that is just being queued has a row before it is submitted.
        """
        with self._database.reading() as session:
            unfinished = unfinished_jobs(session)
        with self._changed:
            left = {(kind, id) for kind, id in unfinished if id not in self._jobs}
        again, self._unowned = left & self._unowned, left
        if again:
            with self._database.writing() as session:
                fail_abandoned(session, again, ABANDONED)

    def _follow(self, job: _TrackedJob) -> None:
        try:
            self._perform(job)
        except Exception:
            logger.exception("a job's end could not be recorded")
        finally:
            with self._changed:
                self._jobs.pop(job.id, None)
                self._changed.notify_all()

    def _perform(self, job: _TrackedJob) -> None:
        ours = (self._database, job.kind, job.id, job.attempt)
        if self._closing.is_set() or not self._persist(lambda: jobs.begin(*ours)):
            return
        self._set_progress(job, JobProgress.of("running"))
        began = time.monotonic()
        self._metrics.job_wait.labels(job.kind).observe(began - job.queued)
        reason = self._outcome(job)
        if self._closing.is_set():
            return
        self._metrics.job_seconds.labels(job.kind).observe(time.monotonic() - began)
        how = "stopped" if job.stopped else "failed" if reason is not None else "done"
        self._metrics.jobs_ended.labels(job.kind, how).inc()
        if reason is not None:
            self._end(job, reason)

    def _outcome(self, job: _TrackedJob) -> str | None:
        """Have a worker do the job; return why it failed, or None."""
        try:
            code = self._run_worker(job)
        except OSError as error:
            return _start_failure(error)
        except Exception as error:
            logger.exception("a worker could not be followed")
            return f"The server met an error of its own ({type(error).__name__}). Start again."
        finally:
            shutil.rmtree(self._settings.work / job.attempt, ignore_errors=True)
        return None if code == 0 else job.reason or _exit_reason(code)

    def _end(self, job: _TrackedJob, reason: str) -> None:
        """Write a failure, as soon as the database lets us. If it refuses to, `sweep` ends the job."""
        self._set_progress(
            job, job.progress.model_copy(update={"status": "failed", "reason": reason})
        )
        ours = (self._database, job.kind, job.id, job.attempt)
        self._persist(lambda: jobs.fail(*ours, reason))

    def _run_worker(self, job: _TrackedJob) -> int:
        """Start the worker, take in its progress, and return its exit code."""
        sent = Job(
            kind=job.kind,
            id=job.id,
            attempt=job.attempt,
            data=str(self._settings.data.absolute()),
            database=self._database.url.render_as_string(hide_password=False),
            busy_seconds=self._settings.busy_seconds,
        )
        with subprocess.Popen(  # noqa: S603 - our own interpreter
            self.worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ) as process:
            limit = LONGEST.get(job.kind)
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
                    process.stdin.write(sent.line())
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
        job.reason = TOO_LONG.format(minutes=seconds / 60)
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

    def _persist(self, write: Callable[[], bool]) -> bool:
        """Retry a write while the database is locked or away, until the console closes."""
        while True:
            try:
                return write()
            except Exception as error:
                if storage_error(error) is None or self._closing.wait(RETRY):
                    raise


def _end(process: subprocess.Popen[str]) -> None:
    """Send SIGTERM, wait, then kill."""
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()


def _start_failure(error: OSError) -> str:
    """Say why no worker could be started, or spoken to."""
    if error.errno in NO_FILES:
        return FILES_USED_UP
    return f"No worker could be started: {error.strerror or error}. Nothing was kept; start again."


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
