"""PostgreSQL stopped, crashed and out of connections: every job ends, and one server owns the data."""

from __future__ import annotations

import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pg8000.dbapi
import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import DBAPIError

from tests.console.conftest import PATIENCE, Person, owner_of
from tests.console.postgres import DURABLE, USER, Server, new_database, running_server
from tests.console.sample import make_sample
from unround.console import server
from unround.console.context import Console
from unround.console.errors import DATABASE_AWAY, storage_error
from unround.console.jobs.supervisor import WORKER
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage import postgresql
from unround.console.storage.database import Database
from unround.console.storage.orm import UNFINISHED, RunRow
from unround.errors import UsageError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    # The driver leaves the socket of a connection that broke to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# A worker that waits for a file before it saves, and makes one when the database is away.
WAITING = """
import os, time
from unround.console.jobs import compute, job, worker
solved, storage_error = compute._solved_run, job.storage_error
def waiting(*arguments):
    outcome = solved(*arguments)
    open({ready!r}, "w").close()
    while not os.path.exists({go!r}):
        time.sleep(0.02)
    return outcome
def noticing(error):
    open({away!r}, "w").close()
    return storage_error(error)
compute._solved_run, job.storage_error = waiting, noticing
worker.main()
"""
# A worker that has begun, waits for a file, and fails.
FAILING = """
import os, sys, time
open({ready!r}, "w").close()
while not os.path.exists({go!r}):
    time.sleep(0.02)
sys.exit(7)
"""


@pytest.fixture(scope="module", autouse=True)
def sockets_are_closed() -> Iterator[None]:
    """Close those of broken connections: tests of other files do not allow for open ones."""
    opened, connect = list[socket.socket](), socket.create_connection

    def recorded(*arguments: Any, **options: Any) -> socket.socket:
        opened.append(connect(*arguments, **options))
        return opened[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(socket, "create_connection", recorded)
        yield
    for one in opened:
        one.close()


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    with running_server(DURABLE) as server:
        yield server


@pytest.fixture(scope="module")
def console(own_server: Server, front_end, tmp_path_factory) -> Iterator[Console]:
    settings = ConsoleSettings(
        data=tmp_path_factory.mktemp("data"),
        database=new_database(own_server.address),
        front_end=front_end,
        busy_seconds=1.0,
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(postgresql, "UP", 4.0)
        patched.setattr(server, "PAUSE", 0.1)
        with open_console(settings) as started:
            yield started


@pytest.fixture(scope="module")
def chair(console: Console) -> Person:
    return owner_of(console)


@pytest.fixture(scope="module")
def conference(chair: Person) -> str:
    return chair.new_conference()


@pytest.fixture(scope="module")
def files(chair: Person, conference: str) -> list[str]:
    return chair.upload(conference, make_sample().files)


def _start_failing(
    console: Console, chair: Person, conference: str, files: list[str], folder: Path
) -> tuple[str, Path]:
    """Start a run whose worker has begun; it fails once the returned file is there."""
    ready, go = folder / "ready", folder / "go"
    worker = FAILING.format(ready=str(ready), go=str(go))
    console.supervisor.worker = (sys.executable, "-c", worker)
    run = chair.start(conference, files, method={"conflicts": "scores"})
    _until(ready.exists)
    console.supervisor.worker = WORKER
    return run, go


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.05)


def _ended(chair: Person, run: str) -> dict:
    _until(lambda: chair.get(f"/api/runs/{run}").json().get("status") not in (*UNFINISHED, None))
    return chair.get(f"/api/runs/{run}").json()


@pytest.fixture(scope="module")
def run(own_server, console, chair, conference, files, tmp_path_factory) -> str:
    """A run during which the database was stopped in order, and crashed while it was to be saved."""
    folder = tmp_path_factory.mktemp("waiting")
    ready, go, away = (folder / name for name in ("ready", "go", "away"))
    worker = WAITING.format(ready=str(ready), go=str(go), away=str(away))
    console.supervisor.worker = (sys.executable, "-c", worker)
    run = chair.start(conference, files, method={"conflicts": "scores"})
    _until(ready.exists)
    console.supervisor.worker = WORKER
    own_server.stop("fast")
    _check_told(chair, run)
    own_server.start()
    assert chair.get(f"/api/runs/{run}").json()["status"] == "running"
    own_server.stop("immediate")
    _check_told(chair, run)
    go.touch()
    _until(away.exists)
    own_server.start()
    return run


def _check_told(chair: Person, run: str) -> None:
    answer = chair.get(f"/api/runs/{run}/view")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "2"
    assert "database" in answer.json()["detail"]


def test_a_run_outlives_stops_of_the_database(chair, run):
    assert _ended(chair, run)["status"] == "done"
    assert chair.get(f"/api/runs/{run}/view").status_code == 200


def test_a_job_that_cannot_be_written_down_is_written_later(
    own_server, console, chair, conference, files, tmp_path
):
    """Its worker dies while the database is away."""
    begun, go = _start_failing(console, chair, conference, files, tmp_path)
    failures = _failures(console)
    own_server.stop("immediate")
    go.touch()
    _until(lambda: _failures(console) == failures + 1)  # it is known, and cannot be written
    own_server.start()
    ended = _ended(chair, begun)
    assert ended["status"] == "failed"
    assert "code 7" in ended["reason"]


def _failures(console: Console) -> float:
    labels = {"kind": "run", "how": "failed"}
    return console.metrics.registry.get_sample_value("unround_jobs_ended_total", labels) or 0.0


def test_views_say_that_the_database_starts(own_server, chair):
    own_server.stop("immediate")
    starting = threading.Thread(target=own_server.start)
    starting.start()
    answers = []
    while starting.is_alive():
        answers.append(chair.get("/api/conferences").status_code)
    starting.join()
    assert set(answers) <= {200, 503}
    assert chair.get("/api/conferences").status_code == 200


def _connection(server: Server, database: str = "postgres") -> pg8000.dbapi.Connection:
    return pg8000.dbapi.connect(USER, host="127.0.0.1", port=server.port, database=database)


def test_a_connection_that_breaks_before_it_stands_is_told():
    """The server is there, takes the connection, and is gone."""
    with socket.create_server(("127.0.0.1", 0)) as dying:

        def drop_all() -> None:
            with suppress(OSError):
                while True:
                    taken, _ = dying.accept()
                    taken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    taken.close()  # with a reset, as a crash does

        threading.Thread(target=drop_all, daemon=True).start()
        database = Database(f"postgresql://nobody@127.0.0.1:{dying.getsockname()[1]}/none")
        with pytest.raises(DBAPIError) as error, database.reading() as session:
            session.execute(text("SELECT 1"))
        assert storage_error(error.value) == (503, DATABASE_AWAY)
        database.close()


def test_out_of_connections_is_said_so_and_passes(own_server, console, chair):
    with ExitStack() as held:

        def crowded() -> bool:
            console.database.engine.dispose()
            with suppress(pg8000.dbapi.DatabaseError):  # code 53300
                while True:
                    held.enter_context(closing(_connection(own_server)))
            answer = chair.get("/api/conferences")
            return answer.status_code == 503 and "no connection left" in answer.json()["detail"]

        _until(crowded)
    _until(lambda: chair.get("/api/conferences").status_code == 200)


def test_a_row_whose_commit_was_not_answered_ends(console, chair, run):
    """The row is there, and nobody knows of it: as after a crash between commit and answer."""
    _ended(chair, run)
    for status in UNFINISHED:
        with console.database.writing() as session:
            session.execute(update(RunRow).where(RunRow.id == run).values(status=status))
        told = _ended(chair, run)
        assert told["status"] == "failed"
        assert told["reason"].startswith("The server or its database failed")


def test_the_lock_is_taken_again_and_a_second_server_gives_up(own_server, console, tmp_path):
    own_server.stop("immediate")
    own_server.start()
    second = replace(console.settings, data=tmp_path)
    with pytest.raises(UsageError, match="used by another `unround serve`"), open_console(second):
        raise AssertionError("the second server started")
    _until(lambda: _holds_lock(console))
    assert not console.database.owner.lost


def _holds_lock(console: Console) -> bool:
    held = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted")
    with console.database.reading() as session:
        return session.scalar(held) == 1


def test_a_second_server_right_after_a_restart_of_the_database_touches_no_run(
    own_server, console, chair, conference, files, tmp_path
):
    """The owner lives, and takes its lock again before a newcomer may."""
    run, go = _start_failing(console, chair, conference, files, tmp_path)
    rival = postgresql.Ownership(console.database.url)
    own_server.stop("fast")
    own_server.start()
    try:
        with pytest.raises(UsageError, match="used by another"):
            rival.take(1.0)
    finally:
        rival.close()
    assert chair.get(f"/api/runs/{run}").json()["status"] == "running"
    go.touch()
    assert "code 7" in _ended(chair, run)["reason"]
    _until(lambda: _holds_lock(console))


def test_a_server_that_was_replaced_steps_back(own_server, front_end, tmp_path, monkeypatch):
    """It was away for so long that another one took over: it writes nothing more."""
    monkeypatch.setattr(postgresql, "UP", 0.0)
    monkeypatch.setattr(server, "PAUSE", 0.2)
    address = new_database(own_server.address)
    settings = ConsoleSettings(data=tmp_path / "one", database=address, front_end=front_end)
    with open_console(settings) as first:
        owner = owner_of(first)
        with monkeypatch.context() as away:
            away.setattr(postgresql.Ownership, "keep", lambda self: self.close())
            _until(lambda: not _holds_lock(first))
            with open_console(replace(settings, data=tmp_path / "two")):
                away.undo()
                _until(lambda: first.database.owner.lost)
                answer = owner.post("/api/conferences", json={"name": "too late"})
                assert answer.status_code == 503
                assert "taken over" in answer.json()["detail"]


def test_a_server_leaves_its_database_at_once(own_server, front_end, tmp_path):
    address = new_database(own_server.address)
    settings = ConsoleSettings(data=tmp_path / "one", database=address, front_end=front_end)
    for name in ("one", "two", "one"):
        with open_console(replace(settings, data=tmp_path / name)):
            pass
