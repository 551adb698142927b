"""A server that is killed or stopped in the midst of its work."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import unround
from tests.console.conftest import PATIENCE
from tests.console.hosting import waited_for
from tests.faults.console import Site, kill_server
from tests.faults.tally import Tally
from unround.formats.synthetic import named, write_conference


def _begun(site: Site) -> tuple[str, list[int]]:
    """A run, and the processes that work on it."""
    run, workers = site.begin("runs", lam="auto+"), waited_for(site.workers)
    assert workers
    return run, workers


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


def _half_an_upload(site: Site) -> socket.socket:
    """An upload that has begun to arrive and is not complete."""
    uploads, client = site.data / "uploads", site.client
    before, address = set(uploads.iterdir()), urlsplit(str(client.base_url))
    ((name, value),) = client.cookies.items()
    lines = (
        f"POST /api/conferences/{site.conference}/files?name=half.csv HTTP/1.1",
        f"Host: {address.netloc}",
        "X-Unround: 1",
        f"Cookie: {name}={value}",
        "Content-Length: 1000000",
    )
    connection = socket.create_connection((address.hostname, address.port))
    connection.sendall("\r\n".join([*lines, "", "half"]).encode())
    assert waited_for(lambda: set(uploads.iterdir()) != before)
    return connection


def test_a_server_killed_or_stopped_in_the_midst_of_its_work(new_settings, tmp_path: Path):
    """It takes its workers along, and what it had promised is there at the next start."""
    settings = new_settings()
    large = named(unround.simulate.thurstone(3000, scale=range(1, 11), seed=1))
    with closing(Site(Tally(), "console", settings.data, settings.database)) as site:
        site.start()
        site.settle()
        paths = write_conference(large, tmp_path)  # their run takes longer than a test
        site.files = [site.upload(path.name, path.read_bytes()).json()["id"] for path in paths]
        run, workers = _begun(site)
        with _half_an_upload(site):
            kill_server(site, signal.SIGKILL)
        assert all(_ended(worker) for worker in workers)
        site.start()
        site.check("server killed")
        assert site.tally.breaches == []
        broken = site.client.get(f"/api/runs/{run}").json()
        assert broken["status"] == "failed"
        assert broken["reason"].startswith("The server stopped before this was done")
        kept = site.client.get(f"/api/conferences/{site.conference}").json()["files"]
        assert len(kept) == 4
        _, workers = _begun(site)
        site.process.send_signal(signal.SIGINT)
        assert site.process.wait(PATIENCE) == 0
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
