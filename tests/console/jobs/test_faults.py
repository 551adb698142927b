"""Workers killed or never started, disks full, databases locked: nothing half-made is ever a result."""

from __future__ import annotations

import os
import resource
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import pg8000.dbapi
import pytest
from sqlalchemy import func, select

from tests.console.conftest import PATIENCE, Person, owner_of
from tests.console.sample import make_sample
from unround.console.context import Console
from unround.console.jobs import job as jobs
from unround.console.jobs.queue import enqueue
from unround.console.jobs.supervisor import WORKER
from unround.console.schemas.runs import NewRun
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage.orm import RunFileRow, RunRow


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
                    self.console.database, supervisor, RunRow, self.conference, request, "chair"
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


def _settled(console: Console) -> Place:
    chair = owner_of(console)
    conference, sample = chair.new_conference(), make_sample()
    files = chair.upload(conference, sample.files)
    run = chair.run(conference, files, method={"conflicts": "scores"})
    assert run["status"] == "done"
    view = chair.get(f"/api/runs/{run['id']}/view").content
    return Place(console, chair, conference, files, run["id"], view)


@pytest.fixture(scope="module")
def place(new_settings: Callable[..., ConsoleSettings]) -> Iterator[Place]:
    with open_console(new_settings(busy_seconds=2.0)) as console:
        yield _settled(console)


# The worker's own program, with something that happens after every row has been written.
AFTER_SAVING = """
from unround.console.jobs import job, worker
store = job.store_files
def happening(*arguments):
    store(*arguments)
    {happens}
job.store_files = happening
worker.main()
"""


KILLED = "import os; os.kill(os.getpid(), {})"
DYING = 'import os; os.write(1, b\'{"stage": "rea\'); os.kill(os.getpid(), 9)'
ODD = "print('{\"stage\": 7}', flush=True); import sys; sys.stdin.read()"
ENDED = "import sys; sys.exit(7)"
PYTHON = (sys.executable, "-c")


@pytest.mark.parametrize(
    ("worker", "reason"),
    [
        ((*PYTHON, AFTER_SAVING.format(happens=KILLED.format(9))), "signal 9, SIGKILL"),
        ((*PYTHON, AFTER_SAVING.format(happens=KILLED.format(15))), "signal 15, SIGTERM"),
        ((*PYTHON, DYING), "SIGKILL"),
        ((*PYTHON, ENDED), "The worker stopped with code 7. Nothing was kept; start again."),
        (
            (*PYTHON, AFTER_SAVING.format(happens="raise RuntimeError('secret words')")),
            "unround met an error of its own (RuntimeError)",
        ),
        ((*PYTHON, ODD), "error of its own"),
        (("/no/such/program",), "No worker could be started: No such file or directory."),
    ],
    ids=[
        *("killed while it saves", "ended while it saves", "killed while it writes a line"),
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


# Files may grow by two pages and no more: the disk is full in the midst of the transaction.
FULL = """
import os, resource
from unround.console.jobs import compute as job, worker
packed = job.packed_files
def happening(*arguments):
    size = os.path.getsize({log!r}) + 8192
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return packed(*arguments)
job.packed_files = happening
worker.main()
"""


def test_a_full_disk_while_a_run_is_saved(place: Place, kind: str):
    if kind == "postgresql":
        pytest.skip(
            "PostgreSQL's disk is its server's; that its rows go whole is tested by killing"
        )
    log = f"{place.console.settings.data / 'unround.db'}-wal"
    run = place.fails(*PYTHON, FULL.format(log=log))
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


# Another connection holds the database when the worker comes to save.
LOCKED = """
import sqlite3, pg8000.dbapi
from unround.console.jobs import compute as job, worker
packed = job.packed_files
def happening(*arguments):
    {held}
    return packed(*arguments)
job.packed_files = happening
worker.main()
"""


def _holding(console: Console) -> str:
    url = console.database.url
    if console.database.is_sqlite:
        return (
            f"global other; other = sqlite3.connect({url.database!r}, isolation_level=None); "
            + ("other.execute('BEGIN IMMEDIATE')")
        )
    where = f"{url.username!r}, host={url.host!r}, port={url.port}, database={url.database!r}"
    return f"global other; other = pg8000.dbapi.connect({where}); " + (
        "other.cursor().execute('LOCK TABLE runs IN ACCESS EXCLUSIVE MODE')"
    )


def test_a_locked_database_while_a_run_is_saved(place: Place):
    run = place.fails(*PYTHON, LOCKED.format(held=_holding(place.console)))
    assert run["status"] == "failed"
    assert run["reason"].startswith("The database is locked by another program")
    place.check_nothing_half_made(run["id"])


@contextmanager
def _locked(console: Console) -> Iterator[None]:
    """The database held by somebody else: nobody can write."""
    url = console.database.url
    if console.database.is_sqlite:
        with closing(sqlite3.connect(url.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        return
    with closing(
        pg8000.dbapi.connect(url.username, host=url.host, port=url.port, database=url.database)
    ) as other:
        cursor = other.cursor()
        for table in ("conferences", "runs", "files"):
            cursor.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
        yield
        other.rollback()


def test_a_locked_database_is_told_and_passes(place: Place):
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
