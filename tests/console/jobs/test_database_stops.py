"""PostgreSQL stopped, crashed and out of connections: every job ends, and one server owns the data."""

from __future__ import annotations

import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pg8000.dbapi
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tests.console.conftest import PATIENCE, Person, owner_of
from tests.console.hosting import waited_for
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
from unround.console.storage.orm import UNFINISHED
from unround.errors import UsageError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    # The driver leaves the socket of a connection that broke to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# A worker that has begun, and goes on once there is a file.
BEGUN = """
import os, sys, time
open({ready!r}, "w").close()
while not os.path.exists({go!r}):
    time.sleep(0.02)
"""
WORKING = BEGUN + "from unround.console.jobs import worker; worker.main()"
FAILING = BEGUN + "sys.exit(7)"


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
def place(own_server: Server, front_end, tmp_path_factory) -> Iterator[Place]:
    settings = ConsoleSettings(
        data=tmp_path_factory.mktemp("data"),
        database=new_database(own_server.address),
        front_end=front_end,
        busy_seconds=1.0,
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(postgresql, "UP", 4.0)
        patched.setattr(server, "PAUSE", 0.1)
        with open_console(settings) as console:
            chair = owner_of(console)
            conference = chair.new_conference()
            files = chair.upload(conference, make_sample().files)
            yield Place(own_server, console, chair, conference, files)


@dataclass
class Place:
    """A console on a PostgreSQL server of its own, to which things happen."""

    server: Server
    console: Console
    chair: Person
    conference: str
    files: list[str]

    def started(self, worker: str, folder: Path) -> str:
        """A run whose worker has begun; it goes on once there is a file `go` in the folder."""
        names = {name: str(folder / name) for name in ("ready", "go")}
        self.console.supervisor.worker = (sys.executable, "-c", worker.format(**names))
        run = self.chair.start(self.conference, self.files, method={"conflicts": "scores"})
        _until((folder / "ready").exists)
        self.console.supervisor.worker = WORKER
        return run

    def status(self, run: str) -> str | None:
        return self.chair.get(f"/api/runs/{run}").json().get("status")

    def ended(self, run: str) -> dict[str, Any]:
        _until(lambda: self.status(run) not in (*UNFINISHED, None))
        return self.chair.get(f"/api/runs/{run}").json()


def _until(condition: Callable[[], bool]) -> None:
    assert waited_for(condition, PATIENCE), "it did not come to pass"


def test_a_run_outlives_stops_of_the_database(place: Place, tmp_path: Path):
    """In order while it is solved, and a crash while it is saved."""
    run = place.started(WORKING, tmp_path)
    for mode in ("fast", "immediate"):
        assert place.status(run) == "running"
        place.server.stop(mode)
        answer = place.chair.get(f"/api/runs/{run}/view")
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "2"
        assert "database" in answer.json()["detail"]
        if mode == "immediate":
            (tmp_path / "go").touch()
            _until(lambda: place.console.supervisor.progress(run).stage == "saving")
        place.server.start()
    assert place.ended(run)["status"] == "done"
    assert place.chair.get(f"/api/runs/{run}/view").status_code == 200


def test_a_job_that_cannot_be_written_down_is_written_later(place: Place, tmp_path: Path):
    """Its worker dies while the database is away."""
    run, failures = place.started(FAILING, tmp_path), _failures(place.console)
    place.server.stop("immediate")
    (tmp_path / "go").touch()
    _until(lambda: _failures(place.console) == failures + 1)  # it is known, and cannot be written
    place.server.start()
    ended = place.ended(run)
    assert ended["status"] == "failed"
    assert "code 7" in ended["reason"]


def _failures(console: Console) -> float:
    labels = {"kind": "run", "how": "failed"}
    return console.metrics.registry.get_sample_value("unround_jobs_ended_total", labels) or 0.0


def test_views_say_that_the_database_starts(place: Place):
    place.server.stop("immediate")
    starting = threading.Thread(target=place.server.start)
    starting.start()
    answers = []
    while starting.is_alive():
        answers.append(place.chair.get("/api/conferences").status_code)
    starting.join()
    assert set(answers) <= {200, 503}
    assert place.chair.get("/api/conferences").status_code == 200


def test_a_connection_that_breaks_while_it_is_made_is_reported():
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


def test_out_of_connections_is_said_so_and_passes(place: Place):
    where = {"host": "127.0.0.1", "port": place.server.port, "database": "postgres"}
    with ExitStack() as held:

        def crowded() -> bool:
            place.console.database.engine.dispose()
            with suppress(pg8000.dbapi.DatabaseError):  # code 53300
                while True:
                    held.enter_context(closing(pg8000.dbapi.connect(USER, **where)))
            answer = place.chair.get("/api/conferences")
            return answer.status_code == 503 and "no connection left" in answer.json()["detail"]

        _until(crowded)
    _until(lambda: place.chair.get("/api/conferences").status_code == 200)


def _holds_lock(console: Console) -> bool:
    held = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted")
    with console.database.reading() as session:
        return session.scalar(held) == 1


def test_a_second_server_right_after_a_restart_of_the_database_touches_no_run(
    place: Place, tmp_path: Path
):
    """The owner lives, and takes its lock again before a newcomer may."""
    run = place.started(FAILING, tmp_path)
    place.server.stop("fast")
    place.server.start()
    second = replace(place.console.settings, data=tmp_path)
    with pytest.raises(UsageError, match="used by another `unround serve`"), open_console(second):
        raise AssertionError("the second server started")
    assert place.status(run) == "running"
    (tmp_path / "go").touch()
    assert "code 7" in place.ended(run)["reason"]
    _until(lambda: _holds_lock(place.console))
    assert not place.console.database.owner.lost


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
