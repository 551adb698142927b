"""PostgreSQL that is stopped, crashes or runs out of room costs no promise; the console goes on with it."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import product
from pathlib import Path
from random import Random

import httpx2
import pytest

from tests.console.hosting import waited_for
from tests.console.postgres import DURABLE, Server, new_database, running_server
from tests.faults import ROUNDS
from tests.faults.conftest import Noted
from tests.faults.site import ACTIVITIES, PATIENCE, Site

pytestmark = [pytest.mark.slow, pytest.mark.postgres]
MEGABYTES = 160  # of the small disk


def test_stopped_at_any_moment(tmp_path: Path, random: Random, noted: Noted):
    with running_server(DURABLE) as server, _site(server, tmp_path) as site:
        for mode, activity in [*product(("fast", "immediate"), ACTIVITIES)] * ROUNDS:
            site.act_during(activity, random, lambda mode=mode: server.stop(mode))
            time.sleep(random.random())
            _until_ready(site, server)
            noted(f"database stopped ({mode}) during {activity}", site.check(database_failed=True))
        site.kill(signal.SIGTERM)
        site.start()
        noted("server started again", site.check())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")
@pytest.mark.parametrize("activity", ACTIVITIES)
def test_disk_full(tmp_path: Path, activity: str, random: Random, noted: Noted):
    with (
        _small_disk() as disk,
        running_server(DURABLE, disk) as server,
        _site(server, tmp_path) as site,
    ):
        for _ in range(ROUNDS):
            with _filled(disk):
                site.act(activity, random)
                time.sleep(2)
            _until_ready(site, server)
            outcome = site.check(database_failed=True)
            noted(f"disk of PostgreSQL full during {activity}", outcome)


def _site(server: Server, folder: Path) -> closing[Site]:
    return closing(Site("PostgreSQL", folder / "data", new_database(server.address)))


def _until_ready(site: Site, server: Server) -> None:
    """Wait for the console; start the database where a fault has ended it, as an operator would."""

    def is_ready() -> bool:
        if not server.is_running():
            server.start()
        with suppress(httpx2.HTTPError):
            return site.client.get("/readyz").status_code == 200
        return False

    assert waited_for(is_ready, PATIENCE)


@contextmanager
def _small_disk() -> Iterator[Path]:
    """Mount a small disk, in memory."""
    with tempfile.TemporaryDirectory(prefix="unround-disk-") as name:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", name]
        subprocess.run(mount, check=True)
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", "-l", name], check=True)


@contextmanager
def _filled(disk: Path) -> Iterator[None]:
    """Write until the disk takes no more; make room again in the end."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(65536)) == 65536:
            pass
    try:
        yield
    finally:
        ballast.unlink()
