"""Audits of a run: right, measured on a part, and never waited for."""

from __future__ import annotations

import threading
from typing import Any

import polars as pl
import pytest

from tests.console.conftest import World
from tests.console.sample import CHAIRS
from unround.console import audits
from unround.console.cache import CachedExecutor
from unround.console.schemas.results import InfluenceSummary, PrivacySummary
from unround.disclosure.area_chairs import AreaChair
from unround.disclosure.scope import DISCLOSURES

SECONDS = 120.0


def test_chairs_measure_what_area_chairs_could_find_out(world: World):
    path = f"/api/runs/{world.run}/privacy"
    audit: dict[str, Any] = world.chair.get(path).json()["audit"]
    assert [level["disclosure"] for level in audit["levels"]] == list(DISCLOSURES)
    by_level = {level["disclosure"]: level for level in audit["levels"]}
    assert by_level["scoped"]["certain"] == 0
    assert by_level["order"]["certain"] <= by_level["exact"]["certain"]
    assert audit["audited"] == audit["area_chairs"] == len(CHAIRS)


def influence_of(world: World) -> dict[str, Any]:
    answer: dict[str, Any] = world.chair.get(f"/api/runs/{world.run}/influence").json()["audit"]
    return answer


def test_chairs_see_what_single_reviewers_could_do_at_their_line(world: World):
    audit = influence_of(world)
    reviews = world.sample.reviews
    assert audit["tried"] == audit["reviewers"] == reviews["reviewer"].n_unique()
    assert {one["reviewer"] for one in audit["worst"]} <= set(reviews["reviewer"])
    means = [one["mean"] for one in audit["worst"]]
    assert means == sorted(means, reverse=True)
    assert len(means) == audits.SHOWN
    path = f"/api/runs/{world.run}"
    in_each = {"amount": 20, "per_track": True}  # one track of 18
    lines = [({"amount": 2}, 2), ({"amount": 50, "percent": True}, 9), (in_each, 18), (None, 5)]
    for line, above in lines:
        assert world.chair.patch(path, json={"line": line}).status_code == 200
        assert influence_of(world)["above"] == above, line


@pytest.mark.parametrize("name", ["privacy", "influence"])
def test_no_request_waits_for_an_audit_that_takes_long(world: World, monkeypatch, name: str):
    may_end, made = threading.Event(), []
    measured = world.chair.get(f"/api/runs/{world.run}/{name}").json()["audit"]
    schema = {"privacy": PrivacySummary, "influence": InfluenceSummary}[name]

    def slow(*_: object) -> PrivacySummary | InfluenceSummary:
        made.append(1)
        assert may_end.wait(SECONDS)
        return schema.model_validate(measured)

    executor = CachedExecutor(limit=2)
    monkeypatch.setattr(world.console, "audits", executor)
    monkeypatch.setattr(audits, f"_measure_{name}", slow)
    monkeypatch.setattr(audits, "PATIENCE", 0.01)
    path = f"/api/runs/{world.hidden}/{name}"
    try:
        for _ in range(2):
            assert world.chair.get(path).json() == {"audit": None}
    finally:
        may_end.set()
    monkeypatch.setattr(audits, "PATIENCE", SECONDS)
    assert world.chair.get(path).json()["audit"] == measured
    assert made == [1]
    executor.close()


@pytest.mark.parametrize(("papers", "tried"), [(5, 40), (100, 7), (3_000, 4)])
def test_fewer_area_chairs_are_tried_where_their_pages_are_long(papers, tried):
    one = AreaChair("Ann", frozenset(map(str, range(papers))))
    assert audits.area_chairs_to_sample([one] * 200, 4.0) == tried


@pytest.mark.parametrize(("load", "tried"), [(2, 400), (4, 400), (5, 320), (16, 100), (100, 20)])
def test_fewer_reviewers_are_tried_where_they_have_more_reviews(load, tried):
    reviews = pl.DataFrame({"reviewer": [reviewer for reviewer in range(3) for _ in range(load)]})
    assert audits.reviewers_to_sample(reviews) == tried
