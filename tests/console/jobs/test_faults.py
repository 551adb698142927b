"""Workers killed or never started, disks full, databases locked: nothing half-made is ever a result."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import func, select

from tests.console.conftest import PATIENCE, Person, owner_of
from tests.console.sample import make_sample
from unround.console.access.permissions import Viewer
from unround.console.context import Console
from unround.console.jobs import job as jobs
from unround.console.jobs.queue import enqueue
from unround.console.jobs.supervisor import WORKER
from unround.console.schemas.runs import NewRun
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.orm import RunFileRow, RunRow

STARTER = Viewer("chair", "", "chair", None)
PYTHON = (sys.executable, "-c")


@dataclass
class Place:
    """A console with one finished run, to which things happen."""

    console: Console
    chair: Person
    conference: str
    files: list[str]
    run: str
    view: bytes

    def fails(
        self, *worker: str, shortage: AbstractContextManager[None] | None = None
    ) -> dict[str, Any]:
        """The run of a worker that something happens to."""
        settings = {"files": self.files, "name": "a run", "lam": "4"}
        request = NewRun(**settings, method={"conflicts": "scores"})
        supervisor = self.console.supervisor
        supervisor.worker = worker
        try:
            with shortage or nullcontext():
                row = enqueue(
                    self.console.database, supervisor, RunRow, self.conference, request, STARTER
                )
                assert supervisor.wait(row.id, PATIENCE)
        finally:
            supervisor.worker = WORKER
        return self.chair.get(f"/api/runs/{row.id}").json()

    def check_nothing_half_made(self, run: str) -> None:
        with self.console.database.reading() as session:
            assert session.scalar(select(func.count()).where(RunFileRow.run == run)) == 0
        for path in ("view", "report.html", "files/scores.csv"):
            assert self.chair.get(f"/api/runs/{run}/{path}").status_code == 409
        assert self.chair.get(f"/api/runs/{self.run}/view").content == self.view
        assert not list(self.console.settings.work.iterdir())


@pytest.fixture(scope="module")
def place(new_settings: Callable[..., ConsoleSettings]) -> Iterator[Place]:
    with open_console(new_settings(busy_seconds=2.0)) as console:
        chair = owner_of(console)
        conference = chair.new_conference()
        files = chair.upload(conference, make_sample().files)
        run = chair.run(conference, files, method={"conflicts": "scores"})
        assert run["status"] == "done"
        view = chair.get(f"/api/runs/{run['id']}/view").content
        yield Place(console, chair, conference, files, run["id"], view)


# The worker's own program, with something that happens around its saving.
SAVING = """
import os, resource
from unround.console.jobs import compute, job, worker
from unround.console.storage.database import Database
packed, store = compute.packed_files, job.store_files
def packed_first(*arguments):
    global other
    {before}
    return packed(*arguments)
def stored_first(*arguments):
    store(*arguments)
    {after}
compute.packed_files, job.store_files = packed_first, stored_first
worker.main()
"""


def _saving(*, before: str = "pass", after: str = "pass") -> tuple[str, ...]:
    """A worker to which something happens before it saves, or once every row has been written."""
    return (*PYTHON, SAVING.format(before=before, after=after))


DYING = 'import os; os.write(1, b\'{"stage": "rea\'); os.kill(os.getpid(), 9)'
ODD = "print('{\"stage\": 7}', flush=True); import sys; sys.stdin.read()"
ENDED = "import sys; sys.exit(7)"


@pytest.mark.parametrize(
    ("worker", "reason"),
    [
        (_saving(after="os.kill(os.getpid(), 9)"), "signal 9, SIGKILL"),
        ((*PYTHON, DYING), "SIGKILL"),
        ((*PYTHON, ENDED), "The worker stopped with code 7. Nothing was kept; start again."),
        (
            _saving(after="raise RuntimeError('secret words')"),
            "unround met an error of its own (RuntimeError)",
        ),
        ((*PYTHON, ODD), "error of its own"),
        (("/no/such/program",), "No worker could be started: No such file or directory."),
    ],
    ids=[
        *("killed while it saves", "killed while it writes a line"),
        *("never gets going", "has a bug", "says what nobody understands", "not there"),
    ],
)
def test_a_worker_that_stops_leaves_nothing(place: Place, worker: tuple[str, ...], reason: str):
    run = place.fails(*worker)
    assert run["status"] == "failed"
    assert reason in run["reason"]
    assert "secret words" not in run["reason"]
    place.check_nothing_half_made(run["id"])


@contextmanager
def _no_descriptors() -> Iterator[None]:
    """As many files as are open now, and no more."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(name) for name in os.listdir("/proc/self/fd"))
    held = [os.dup(2) for _ in range(highest - len(os.listdir("/proc/self/fd")))]
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        for handle in held:
            os.close(handle)


def test_no_descriptor_is_left_for_a_worker(place: Place):
    run = place.fails(*PYTHON, "", shortage=_no_descriptors())
    assert run["reason"].startswith("The server has too many files open.")


def test_a_job_whose_end_the_database_refuses_ends_all_the_same(place: Place, monkeypatch):
    def refused(*_: object) -> bool:
        raise ValueError("no such character")

    monkeypatch.setattr(jobs, "fail", refused)
    run = place.fails(*PYTHON, ENDED)["id"]
    place.console.supervisor.sweep()
    place.console.supervisor.sweep()
    ended = place.chair.get(f"/api/runs/{run}").json()
    assert (ended["status"], ended["reason"]) == ("failed", jobs.ABANDONED)


def test_a_full_disk_while_a_run_is_saved(place: Place, kind: str):
    if kind == "postgresql":
        pytest.skip(
            "PostgreSQL's disk is its server's; that its rows go whole is tested by killing"
        )
    log = f"{place.console.settings.data / 'unround.db'}-wal"
    # Files may grow by two pages and no more: the disk is full in the midst of the transaction.
    most = f"size = os.path.getsize({log!r}) + 8192"
    limited = f"{most}; resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))"
    run = place.fails(*_saving(before=limited))
    assert run["status"] == "failed"
    assert run["reason"].startswith("There is no room left on the disk")
    place.check_nothing_half_made(run["id"])


@contextmanager
def _small_files(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_while_a_file_comes_in(place: Place):
    before = set(place.console.settings.uploads.iterdir())
    with _small_files(1_000_000):
        answer = place.chair.upload_one(place.conference, "b.csv", b"x" * 2_000_000, status=507)
    assert answer.json() == {"detail": "There is no room left on the disk. Nothing was changed."}
    assert set(place.console.settings.uploads.iterdir()) == before
    assert len(place.chair.get(f"/api/conferences/{place.conference}").json()["files"]) == 2


def test_a_locked_database_while_a_run_is_saved(place: Place, kind: str):
    """Another connection, here of the worker itself, holds the database when it comes to save."""
    url = place.console.settings.database_url
    # Whoever writes to SQLite holds all of it.
    lock = "SELECT 1" if kind == "sqlite" else "LOCK TABLE runs IN ACCESS EXCLUSIVE MODE"
    held = f"other.__enter__().connection().exec_driver_sql({lock!r})"
    run = place.fails(*_saving(before=f"other = Database({url!r}).writing(); {held}"))
    assert run["status"] == "failed"
    assert run["reason"].startswith("The database is locked by another program")
    place.check_nothing_half_made(run["id"])


@contextmanager
def _locked(console: Console) -> Iterator[None]:
    """The database held by somebody else: nobody can write."""
    with closing(Database(console.settings.database_url)) as other, other.writing() as session:
        held = session.connection()
        if not other.is_sqlite:
            held.exec_driver_sql("LOCK TABLE conferences, runs, files IN EXCLUSIVE MODE")
        yield


def test_a_locked_database_is_reported_and_passes(place: Place):
    path = f"/api/conferences/{place.conference}"
    before = set(place.console.settings.uploads.iterdir())
    with _locked(place.console):
        answers = [
            place.chair.post("/api/conferences", json={"name": "x"}),
            place.chair.patch(f"/api/runs/{place.run}", json={"shared": True}),
            place.chair.post(f"{path}/files", params={"name": "a.csv"}, content=b"a"),
        ]
        assert place.chair.get(f"/api/runs/{place.run}/view").content == place.view
    for answer in answers:
        assert answer.status_code == 503
        assert answer.json()["detail"].startswith("The database is locked by another program")
    assert set(place.console.settings.uploads.iterdir()) == before
    assert place.chair.get(f"/api/runs/{place.run}").json()["shared"] is False
    assert place.chair.patch(path, json={"name": "It works again"}).status_code == 200


def test_after_all_that_runs_go_on(place: Place):
    run = place.chair.run(place.conference, place.files, method={"conflicts": "scores"})
    assert run["status"] == "done"
    assert place.chair.get(f"/api/runs/{run['id']}/files/scores.csv").status_code == 200
