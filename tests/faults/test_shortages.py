"""A full disk or used up descriptors fail what is being done, with a reason, and nothing else."""

from __future__ import annotations

import os
import resource
import time
from random import Random

import pytest

from tests.faults import KILLS, ROUNDS
from tests.faults.conftest import Noted
from tests.faults.site import ACTIVITIES, Site

pytestmark = pytest.mark.slow
MOST_BYTES = 400_000  # of a file, in place of a full disk


@pytest.mark.parametrize("activity", ACTIVITIES if KILLS else ["upload"])
def test_disk_full(site: Site, activity: str, random: Random, noted: Noted):
    for _ in range(ROUNDS):
        with site.limited(resource.RLIMIT_FSIZE, MOST_BYTES):
            site.act(activity, random)
            for job in sorted(site.promised_jobs):
                site.end(job)
        noted(f"disk full during {activity} ({site.kind})", site.check())


@pytest.mark.parametrize("activity", ACTIVITIES if KILLS else ["upload", "view"])
def test_descriptors_used_up(site: Site, activity: str, random: Random, noted: Noted):
    for _ in range(ROUNDS):
        highest = max(map(int, os.listdir(f"/proc/{site.server.process.pid}/fd")))
        with site.limited(resource.RLIMIT_NOFILE, highest + 1):
            site.act(activity, random)
            time.sleep(1)
        noted(f"descriptors used up during {activity} ({site.kind})", site.check())
