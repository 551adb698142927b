"""The privacy audit of a run: right, measured on a part, and never waited for."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.console.conftest import World
from tests.console.sample import CHAIRS
from unround.console.background import Background
from unround.console.schemas import PrivacyAudit
from unround.console.views import privacy
from unround.report.area_chairs import AreaChair
from unround.report.disclosure import DISCLOSURES

SECONDS = 120.0


def test_chairs_measure_what_area_chairs_could_find_out(world: World):
    path = f"/api/runs/{world.run}/privacy"
    audit: dict[str, Any] = world.chair.get(path).json()["audit"]
    assert [level["disclosure"] for level in audit["levels"]] == list(DISCLOSURES)
    by_level = {level["disclosure"]: level for level in audit["levels"]}
    assert by_level["scoped"]["certain"] == by_level["scoped"]["traces"] == 0
    assert by_level["order"]["certain"] <= by_level["exact"]["certain"]
    assert audit["audited"] == audit["area_chairs"] == len(CHAIRS)
    assert audit["facts"] > 0
    assert world.area_chair(CHAIRS[0]).get(path).status_code == 404


def test_no_request_waits_for_an_audit_that_takes_long(
    world: World, none_measured: Background, monkeypatch
):
    may_end, made = threading.Event(), []

    def slow(*_: object) -> PrivacyAudit:
        made.append(1)
        assert may_end.wait(SECONDS)
        return PrivacyAudit(area_chairs=1, audited=1, facts=0, levels=[])

    monkeypatch.setattr(world.console, "audits", none_measured)
    monkeypatch.setattr(privacy, "_measured", slow)
    monkeypatch.setattr(privacy, "PATIENCE", 0.01)
    path = f"/api/runs/{world.hidden}/privacy"
    try:
        for _ in range(2):
            assert world.chair.get(path).json() == {"audit": None}
    finally:
        may_end.set()
    monkeypatch.setattr(privacy, "PATIENCE", SECONDS)
    assert world.chair.get(path).json()["audit"]["audited"] == 1
    assert made == [1]


@pytest.mark.parametrize(("papers", "tried"), [(5, 40), (100, 7), (3_000, 4)])
def test_fewer_area_chairs_are_tried_where_their_pages_are_long(papers, tried):
    one = AreaChair("Ann", frozenset(map(str, range(papers))))
    assert privacy.area_chairs_tried([one] * 200, 4.0) == tried
