"""PostgreSQL that is stopped, crashes or runs out of room costs no promise; the console goes on with it."""

from __future__ import annotations

import signal
import time
from contextlib import closing, suppress
from itertools import product
from pathlib import Path
from random import Random

import httpx2
import pytest

from tests.console.disks import filled, only_root, small_disk
from tests.console.hosting import waited_for
from tests.console.postgres import DURABLE, Server, new_database, running_server
from tests.faults import ROUNDS
from tests.faults.conftest import Noted
from tests.faults.site import ACTIVITIES, PATIENCE, Site

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


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


@only_root
@pytest.mark.parametrize("activity", ACTIVITIES)
def test_disk_full(tmp_path: Path, activity: str, random: Random, noted: Noted):
    with (
        small_disk() as disk,
        running_server(DURABLE, disk) as server,
        _site(server, tmp_path) as site,
    ):
        for _ in range(ROUNDS):
            with filled(disk):
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
