"""A server that is killed or stopped in the midst of its work."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
from sqlalchemy import func
from sqlalchemy import select as query

import unround
from tests.console.conftest import PATIENCE, owner_of
from tests.console.jobs.test_faults import Place, settled
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage.orm import UNFINISHED, RunRow
from unround.formats.synthetic import named, write_conference

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
        for path in write_conference(made, folder)
    ]


def test_a_server_killed_in_the_midst_of_a_run_and_an_import(new_settings, tmp_path):
    settings = new_settings()
    with open_console(settings) as console:
        before = settled(console)
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
        chair = owner_of(console)
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
