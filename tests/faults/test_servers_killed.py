"""A server that is killed takes its workers along; what it had promised is there at the next start."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest

import unround
from tests.console.hosting import waited_for
from tests.faults import KILLS
from tests.faults.conftest import Noted
from tests.faults.site import ACTIVITIES, Site
from unround.formats.synthetic import named, write_conference

pytestmark = pytest.mark.slow
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM)


@pytest.mark.parametrize("activity", ACTIVITIES if KILLS else ["check"])
def test_at_any_moment(site: Site, activity: str, random: Random, noted: Noted):
    for _ in range(max(KILLS // 24, 1)):
        how = random.choice(SIGNALS)
        site.act_during(activity, random, lambda how=how: site.kill(how))
        site.start()
        noted(f"server killed during {activity} ({site.kind})", site.check())


def test_in_the_midst_of_a_long_run_and_an_upload(site: Site, tmp_path: Path, noted: Noted):
    large = named(unround.simulate.thurstone(3000, scale=range(1, 11), seed=1))
    paths = write_conference(large, tmp_path)  # their run takes longer than a test
    files = site.client.upload(site.conference, {path.name: path.read_bytes() for path in paths})
    run, workers = _begun(site, files)
    with _half_an_upload(site):
        site.kill()
    assert all(_ends(worker) for worker in workers)
    site.start()
    noted(f"server killed during a long run ({site.kind})", site.check())
    broken = site.client.read(f"/api/runs/{run}")
    assert broken["status"] == "failed"
    assert broken["reason"].startswith("The server stopped before this was done")
    assert {
        one["name"] for one in site.client.read(f"/api/conferences/{site.conference}")["files"]
    } >= {path.name for path in paths}
    _, workers = _begun(site, files)
    site.kill(signal.SIGINT)
    assert site.server.process.returncode == 0
    assert all(_ends(worker) for worker in workers)
    site.start()
    site.check()


def _begun(site: Site, files: list[str]) -> tuple[str, list[int]]:
    """Start a run; return it and the processes that work on it."""
    run, workers = site.begin("runs", files=files, lam="auto+"), waited_for(site.workers)
    assert workers
    return run, workers


def _ends(process: int, seconds: float = 60.0) -> bool:
    """Return whether a process that need not be our child ends in time."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)


def _half_an_upload(site: Site) -> socket.socket:
    """Begin an upload and leave it incomplete."""
    uploads, address = site.data / "uploads", urlsplit(site.server.url)
    before = set(uploads.iterdir())
    ((name, value),) = site.client.cookies.items()
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
