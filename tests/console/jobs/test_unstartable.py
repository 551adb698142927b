"""Workers that cannot be started, and ends that cannot be written: the job ends all the same."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.console.conftest import PATIENCE, Person
from unround.console.app import make_app
from unround.console.context import Console
from unround.console.jobs import job as jobs
from unround.console.jobs.queue import enqueue
from unround.console.schemas.runs import NewRun
from unround.console.server import open_console, start_link
from unround.console.storage.orm import RunRow


@pytest.fixture(scope="module")
def console(new_settings) -> Iterator[Console]:
    with open_console(new_settings()) as started:
        yield started


@pytest.fixture(scope="module")
def chair(console: Console) -> Person:
    return Person(console, make_app(console)).enter(start_link(console))


@pytest.fixture(scope="module")
def request_(chair: Person) -> tuple[str, NewRun]:
    conference = chair.new_conference()
    files = chair.upload(conference, [("files", ("a.csv", b"a"))])
    return conference, NewRun(files=files, name="a run", lam="4")


def _reason(console: Console, request_: tuple[str, NewRun], *worker: str) -> str:
    console.supervisor.worker = worker
    row = enqueue(console.database, console.supervisor, RunRow, *request_, "chair")
    assert console.supervisor.wait(row.id, PATIENCE)
    with console.database.reading() as session:
        ended = session.get_one(RunRow, row.id)
        assert ended.status == "failed"
        return ended.reason or ""


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


def test_no_descriptor_is_left_for_a_worker(console, request_):
    with _no_descriptors():
        reason = _reason(console, request_, sys.executable, "-c", "")
    assert reason.startswith("The server has too many files open.")


DYING = 'import os; os.write(1, b\'{"stage": "rea\'); os.kill(os.getpid(), 9)'
ODD = "print('{\"stage\": 7}', flush=True); import sys; sys.stdin.read()"


@pytest.mark.parametrize(
    ("worker", "reason"),
    [
        (("/no/such/program",), "No worker could be started: No such file or directory."),
        ((sys.executable, "-c", DYING), "SIGKILL"),
        ((sys.executable, "-c", ODD), "error of its own"),
    ],
    ids=["not there", "killed while it writes a line", "says what nobody understands"],
)
def test_why_a_worker_failed_is_told(console, request_, worker: tuple[str, ...], reason: str):
    assert reason in _reason(console, request_, *worker)


def test_a_job_whose_end_the_database_refuses_ends_all_the_same(console, request_, monkeypatch):
    def refused(*_: object) -> bool:
        raise ValueError("no such character")

    monkeypatch.setattr(jobs, "fail", refused)
    console.supervisor.worker = (sys.executable, "-c", "import sys; sys.exit(7)")
    row = enqueue(console.database, console.supervisor, RunRow, *request_, "chair")
    assert console.supervisor.wait(row.id, PATIENCE)
    console.supervisor.sweep()
    console.supervisor.sweep()
    with console.database.reading() as session:
        ended = session.get_one(RunRow, row.id)
        assert (ended.status, ended.reason) == ("failed", jobs.ABANDONED)


SLOW_IMPORT = """
import sys, time

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "unround.console.jobs.compute":
            print("imports", flush=True)
            time.sleep(600)

sys.meta_path.insert(0, Slow())
from unround.console.jobs.worker import main
main()
"""


def test_a_worker_ends_with_its_server_while_it_imports():
    command = [sys.executable, "-c", SLOW_IMPORT]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as worker:
        worker.stdin.write("{}\n")
        worker.stdin.flush()
        assert worker.stderr.readline() == "imports\n"
        worker.stdin.close()
        try:
            assert worker.wait(60) == 1
        finally:
            worker.kill()
