"""A check or run whose worker is killed ends with a reason, and leaves nothing behind."""

from __future__ import annotations

from random import Random

import pytest

from tests.faults import KILLS
from tests.faults.conftest import Noted
from tests.faults.site import Site


@pytest.mark.slow
@pytest.mark.parametrize("activity", ["check", "run"])
def test_at_any_moment(site: Site, activity: str, random: Random, noted: Noted):
    for _ in range(max(KILLS // 24, 1)):
        site.act(activity, random)
        site.kill_worker(random.random() if KILLS else 0.0)
        noted(f"worker killed during {activity} ({site.kind})", site.check())
