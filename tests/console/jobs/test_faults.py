"""Workers and servers killed, disks full, databases locked: nothing half-made is ever a result."""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pg8000.dbapi
import pytest
from sqlalchemy import func
from sqlalchemy import select as query

import unround
from tests.console.conftest import PATIENCE, Person
from tests.console.sample import make_sample
from unround.console.app import make_app
from unround.console.context import Console
from unround.console.jobs.supervisor import WORKER
from unround.console.server import open_console, start_link
from unround.console.settings import ConsoleSettings
from unround.console.storage.orm import UNFINISHED, RunFileRow, RunRow
from unround.errors import UsageError
from unround.formats.synthetic import named
from unround.formats.systems import plain


@dataclass
class Place:
    """A console with one finished run, to which things happen."""

    console: Console
    chair: Person
    conference: str
    files: list[str]
    run: str
    view: bytes

    def fails(self, worker: str) -> dict[str, Any]:
        """The run of a worker that something happens to."""
        self.console.supervisor.worker = (sys.executable, "-c", worker)
        try:
            return self.chair.run(self.conference, self.files, method={"conflicts": "scores"})
        finally:
            self.console.supervisor.worker = WORKER

    def check_nothing_half_made(self, run: str) -> None:
        with self.console.database.reading() as session:
            assert session.scalar(query(func.count()).where(RunFileRow.run == run)) == 0
        for path in ("view", "report.html", "files/scores.csv"):
            assert self.chair.get(f"/api/runs/{run}/{path}").status_code == 409
        assert self.chair.get(f"/api/runs/{self.run}/view").content == self.view
        assert not list(self.console.settings.work.iterdir())


def _settled(console: Console) -> Place:
    chair = Person(console, make_app(console)).enter(start_link(console))
    conference, sample = chair.new_conference(), make_sample()
    files = chair.upload(conference, sample.files)
    run = chair.run(conference, files, method={"conflicts": "scores"})
    assert run["status"] == "done"
    view = chair.get(f"/api/runs/{run['id']}/view").content
    return Place(console, chair, conference, files, run["id"], view)


@pytest.fixture(scope="module")
def place(new_settings: Callable[..., ConsoleSettings]) -> Iterator[Place]:
    with open_console(new_settings(busy_seconds=0.3)) as console:
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


@pytest.mark.parametrize(
    ("worker", "reason"),
    [
        (AFTER_SAVING.format(happens=KILLED.format(9)), "signal 9, SIGKILL"),
        (AFTER_SAVING.format(happens=KILLED.format(15)), "signal 15, SIGTERM"),
        (
            "import sys; sys.exit(7)",
            "The worker stopped with code 7. Nothing was kept; start again.",
        ),
        (
            AFTER_SAVING.format(happens="raise RuntimeError('secret words')"),
            "unround met an error of its own (RuntimeError)",
        ),
    ],
    ids=["killed while it saves", "ended while it saves", "never gets going", "has a bug"],
)
def test_a_worker_that_stops_leaves_nothing(place: Place, worker: str, reason: str):
    run = place.fails(worker)
    assert run["status"] == "failed"
    assert reason in run["reason"]
    assert "secret words" not in run["reason"]
    place.check_nothing_half_made(run["id"])


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
    run = place.fails(FULL.format(log=log))
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
    run = place.fails(LOCKED.format(held=_holding(place.console)))
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


def test_two_servers_do_not_share_a_folder(place: Place):
    with (
        pytest.raises(UsageError, match="is used by another `unround serve`"),
        open_console(place.console.settings),
    ):
        raise AssertionError("the second server started")


def test_two_servers_do_not_share_a_database(place: Place, kind: str, tmp_path):
    settings = place.console.settings
    if kind == "sqlite":
        with open_console(replace(settings, data=tmp_path)) as console:  # a folder of its own
            assert console.database.url != place.console.database.url
        return
    with (
        pytest.raises(UsageError, match="the database is used by another `unround serve`"),
        open_console(replace(settings, data=tmp_path)),
    ):
        raise AssertionError("the second server started")


# --- the server killed --------------------------------------------------------------------------

SERVER = (sys.executable, "-c", "from unround.cli import main; main()", "serve", "--port", "0")


def _ended(process: int, seconds: float = 60.0) -> bool:
    """Whether a process that need not be our child ends in time."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)


def _workers(process: int) -> list[int]:
    """Processes of a server that work on jobs; another child watches the server."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    children = [int(one) for task in tasks for one in (task / "children").read_text().split()]
    return [one for one in children if b"jobs.worker" in Path(f"/proc/{one}/cmdline").read_bytes()]


@contextmanager
def _served(settings: ConsoleSettings) -> Iterator[tuple[subprocess.Popen[str], httpx2.Client]]:
    arguments = ["--data", str(settings.data)]
    arguments += ["--database", settings.database] if settings.database else []
    with subprocess.Popen([*SERVER, *arguments], stdout=subprocess.PIPE, text=True) as process:
        try:
            link = next(line for line in process.stdout if "/enter#" in line).strip()
            address, secret = link.split("/enter#")
            with httpx2.Client(
                base_url=address, headers={"X-Unround": "1"}, timeout=PATIENCE
            ) as client:
                assert client.post("/api/enter", json={"secret": secret}).status_code == 204
                yield process, client
        finally:
            process.kill()


def _half_an_upload(client: httpx2.Client, conference: str, uploads: Path) -> socket.socket:
    """An upload that has begun to arrive and is not complete."""
    before, address = set(uploads.iterdir()), urlsplit(str(client.base_url))
    head = "\r\n".join(
        [
            f"POST /api/conferences/{conference}/files?name=half.csv HTTP/1.1",
            f"Host: {address.netloc}",
            "X-Unround: 1",
            "Cookie: " + "; ".join(f"{name}={value}" for name, value in client.cookies.items()),
            "Content-Length: 1000000",
            "",
            "half",
        ]
    )
    connection = socket.create_connection((address.hostname, address.port))
    connection.sendall(head.encode())
    while set(uploads.iterdir()) == before:
        client.get("/api/me")
    return connection


def _uploaded(client: httpx2.Client, conference: str, folder: Path) -> list[str]:
    """The ids of files that are large enough not to be done before the server is gone."""
    made = named(unround.simulate.thurstone(3000, scale=range(1, 11), seed=1))
    url = f"/api/conferences/{conference}/files"
    return [
        client.post(url, params={"name": path.name}, content=path.read_bytes()).json()["id"]
        for path in plain.write_conference(made, folder)
    ]


def test_a_server_killed_in_the_midst_of_a_run_and_an_import(new_settings, tmp_path):
    settings = new_settings()
    with open_console(settings) as console:
        before = _settled(console)
    with _served(settings) as (process, client):
        files = _uploaded(client, before.conference, tmp_path)
        wanted = {"name": "broken", "files": files, "lam": "auto+"}
        path = f"/api/conferences/{before.conference}/runs"
        run = client.post(path, json=wanted).json()["id"]
        while client.get(f"/api/runs/{run}").json()["status"] != "running":
            time.sleep(0.05)
        while not (workers := _workers(process.pid)):
            client.get("/api/me")
        with _half_an_upload(client, before.conference, settings.uploads):
            process.kill()
            process.wait()
        assert all(_ended(worker) for worker in workers)
    with open_console(settings) as console:
        chair = Person(console, make_app(console)).enter(start_link(console))
        broken = chair.get(f"/api/runs/{run}").json()
        assert broken["status"] == "failed"
        assert broken["reason"].startswith("The server stopped before this was done")
        after = Place(console, chair, before.conference, before.files, before.run, before.view)
        after.check_nothing_half_made(run)
        kept = chair.get(f"/api/conferences/{before.conference}").json()["files"]
        assert len(kept) == 4
        assert {path.name for path in settings.uploads.iterdir()} == {one["id"] for one in kept}
        with console.database.reading() as session:
            waiting = query(func.count()).where(RunRow.status.in_(UNFINISHED))
            assert session.scalar(waiting) == 0


def test_a_stopped_server_takes_its_workers_along(new_settings, tmp_path):
    settings = new_settings()
    with _served(settings) as (process, client):
        conference = client.post("/api/conferences", json={"name": "x"}).json()["id"]
        files = _uploaded(client, conference, tmp_path)
        wanted = {"name": "long", "files": files, "lam": "auto+"}
        client.post(f"/api/conferences/{conference}/runs", json=wanted)
        while not (workers := _workers(process.pid)):
            client.get("/api/me")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert all(_ended(worker) for worker in workers)
