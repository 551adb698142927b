"""Workers killed or never started, disks full, databases locked: nothing half-made is ever a result."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import InterfaceError

from tests.console.conftest import PATIENCE, Person, owner_of
from tests.console.hosting import waited_for
from tests.console.sample import make_sample
from unround.console.context import Console
from unround.console.jobs.supervisor import UNSTORED, WORKER
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.orm import RunFileRow

PYTHON = (sys.executable, "-c")
DYING = 'import os; os.write(1, b\'{"stage": "rea\'); os.kill(os.getpid(), 9)'
ODD = "print('{\"stage\": 7}', flush=True); import sys; sys.stdin.read()"
ENDED = "import sys; sys.exit(7)"
# A worker that hands back a result of its own, made of the columns of a run.
RESULT = """
import json, os, sys
from pathlib import Path
from unround.console.jobs.job import JobResult
result = Path(json.loads(sys.stdin.readline())["folder"], "result.zip")
JobResult("done", {columns}, {{"scores.csv": {content}}}).write(result)
{then}
"""


WAIT = """
import os, time
while not os.path.exists({go!r}):
    time.sleep(0.02)
"""


def _waiting(worker: tuple[str, ...], go: Path) -> tuple[str, ...]:
    """The same worker once there is a file `go`."""
    *python, program = worker
    return (*python, WAIT.format(go=str(go)) + program)


def _result(columns: str = "{}", content: str = "b''", then: str = "") -> tuple[str, ...]:
    return (*PYTHON, RESULT.format(columns=columns, content=content, then=then))


@dataclass
class Place:
    """A console with one finished run, to which things happen."""

    console: Console
    chair: Person
    conference: str
    files: list[str]
    run: str
    view: bytes

    @contextmanager
    def run_by(self, *worker: str) -> Iterator[str]:
        """A run of a worker that something happens to; it ends after the block."""
        supervisor = self.console.supervisor
        supervisor.worker = worker
        try:
            run = self.chair.start(self.conference, self.files, method={"conflicts": "scores"})
            yield run
            assert supervisor.wait(run, PATIENCE)
        finally:
            supervisor.worker = WORKER

    def ended(self, *worker: str) -> dict[str, Any]:
        with self.run_by(*worker) as run:
            pass
        return self.chair.get(f"/api/runs/{run}").json()

    def check_nothing_half_made(self, run: str) -> None:
        with self.console.database.reading() as session:
            assert session.scalar(select(func.count()).where(RunFileRow.run == run)) == 0
        for path in ("view", "report.html", "files/scores.csv"):
            assert self.chair.get(f"/api/runs/{run}/{path}").status_code == 409
        assert self.chair.get(f"/api/runs/{self.run}/view").content == self.view
        assert waited_for(lambda: not list(self.console.settings.work.iterdir()))


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


@pytest.mark.parametrize(
    ("worker", "reason"),
    [
        (_result(then="os.kill(os.getpid(), 9)"), "signal 9, SIGKILL"),
        ((*PYTHON, DYING), "SIGKILL"),
        ((*PYTHON, ENDED), "The worker stopped with code 7. Nothing was kept; start again."),
        ((*PYTHON, "pass"), "No worker could be started"),
        ((*PYTHON, ODD), "error of its own"),
        (("/no/such/program",), "No worker could be started: No such file or directory."),
        (_result(columns="{'shared': 'neither true nor false'}"), UNSTORED),
    ],
    ids=[
        *("killed before its end", "killed while it writes a line", "never gets going"),
        *("hands back nothing", "says what nobody understands", "not there"),
        "hands back what no database takes",
    ],
)
def test_a_worker_that_stops_leaves_nothing(place: Place, worker: tuple[str, ...], reason: str):
    run = place.ended(*worker)
    assert run["status"] == "failed"
    assert reason in run["reason"]
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
    with _no_descriptors():
        run = place.ended(*PYTHON, "")
    assert run["reason"].startswith("The server has too many files open.")


@contextmanager
def _small_files(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_while_a_worker_hands_back_its_result(place: Place):
    limited = "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    worker = f"import resource; {limited}; from unround.console.jobs import worker; worker.main()"
    run = place.ended(*PYTHON, worker)
    assert run["status"] == "failed"
    assert run["reason"].startswith("There is no room left on the disk")
    place.check_nothing_half_made(run["id"])


def test_a_full_disk_while_a_run_is_saved(place: Place, kind: str, tmp_path: Path):
    if kind == "postgresql":
        pytest.skip(
            "PostgreSQL's disk is its server's; that its rows go whole is tested by killing"
        )
    log = f"{place.console.settings.data / 'unround.db'}-wal"
    go, worker = tmp_path / "go", _result(content="os.urandom(2_000_000)")
    with place.run_by(*_waiting(worker, go)) as run:
        assert waited_for(lambda: place.console.supervisor._jobs[run].process)
        # The log may grow by what marks the run as failed, and not by its result.
        with _small_files(os.path.getsize(log) + 500_000):
            go.touch()
            assert place.console.supervisor.wait(run, PATIENCE)
    ended = place.chair.get(f"/api/runs/{run}").json()
    assert ended["status"] == "failed"
    assert ended["reason"].startswith("There is no room left on the disk")
    place.check_nothing_half_made(run)


def test_a_full_disk_while_a_file_comes_in(place: Place):
    before = set(place.console.settings.uploads.iterdir())
    with _small_files(1_000_000):
        answer = place.chair.upload_one(place.conference, "b.csv", b"x" * 2_000_000, status=507)
    assert answer.json() == {"detail": "There is no room left on the disk. Nothing was changed."}
    assert set(place.console.settings.uploads.iterdir()) == before
    assert len(place.chair.get(f"/api/conferences/{place.conference}").json()["files"]) == 2


def test_a_job_whose_row_was_written_without_an_answer_is_done(place: Place, monkeypatch):
    """And so is one whose end was."""
    writing, lost = Database.writing, [1, 0, 1, 1]  # queued, begun, ended, ended

    @contextmanager
    def without_an_answer(database: Database, **options: bool) -> Iterator[Any]:
        with writing(database, **options) as session:
            yield session
        if lost and lost.pop(0):
            raise InterfaceError("COMMIT", None, ConnectionError())

    path = f"/api/conferences/{place.conference}"
    before = {run["id"] for run in place.chair.get(path).json()["runs"]}
    wanted = {"files": place.files, "name": "x", "lam": "4", "method": {"conflicts": "scores"}}
    monkeypatch.setattr(Database, "writing", without_an_answer)
    assert place.chair.post(f"{path}/runs", json=wanted).status_code == 503
    (run,) = {run["id"] for run in place.chair.get(path).json()["runs"]} - before
    assert place.console.supervisor.wait(run, PATIENCE)
    assert lost == []
    assert place.chair.get(f"/api/runs/{run}").json()["status"] == "done"
    assert place.chair.get(f"/api/runs/{run}/view").status_code == 200


@contextmanager
def _locked(console: Console) -> Iterator[None]:
    """The database held by somebody else: nobody can write."""
    with closing(Database(console.settings.database_url)) as other, other.writing() as session:
        held = session.connection()
        if not other.is_sqlite:
            held.exec_driver_sql("LOCK TABLE conferences, runs, files IN EXCLUSIVE MODE")
        yield


def test_a_run_that_ends_while_the_database_is_locked_is_saved_afterwards(place: Place, tmp_path):
    ready = tmp_path / "ready"
    worker = _result(content="b'x'", then=f"open({str(ready)!r}, 'w').close()")
    with place.run_by(*_waiting(worker, tmp_path / "go")) as run:
        assert waited_for(lambda: place.console.supervisor.progress(run).status == "running")
        with _locked(place.console):
            (tmp_path / "go").touch()
            assert waited_for(ready.exists)
            assert place.chair.get(f"/api/runs/{run}").json()["status"] == "running"
    assert place.chair.get(f"/api/runs/{run}").json()["status"] == "done"


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
