"""The influence audit of a run: for chairs alone, by the run's line, and never waited for."""

from __future__ import annotations

import threading
from typing import Any

import polars as pl
import pytest

from tests.console.conftest import World
from tests.console.sample import CHAIRS
from unround.console.background import Background
from unround.console.influence_schemas import InfluenceAudit, MovedBy
from unround.console.views import influence

SECONDS = 120.0


def audit_of(world: World, run: str) -> dict[str, Any]:
    answer: dict[str, Any] = world.chair.get(f"/api/runs/{run}/influence").json()["audit"]
    return answer


def test_chairs_see_what_single_reviewers_could_do(world: World):
    audit = audit_of(world, world.run)
    reviews = world.sample.reviews
    assert audit["tried"] == audit["reviewers"] == reviews["reviewer"].n_unique()
    assert audit["papers"] == reviews["paper"].n_unique()
    assert audit["above"] == int(0.25 * audit["papers"] + 0.5)
    assert 0 < audit["ranking"]["largest"] <= audit["together"]["largest"]
    assert audit["together"]["median"] <= audit["together"]["largest"]
    known = set(reviews["reviewer"].to_list())
    assert {one["reviewer"] for one in audit["worst"]} <= known
    moves = [round(abs(one["move"]), 3) for one in audit["reviews"]]
    assert moves == sorted(moves, reverse=True)
    assert len(moves) == influence.SHOWN


def test_area_chairs_never_see_it(world: World):
    for name in CHAIRS:
        for run in (world.run, world.hidden):
            path = f"/api/runs/{run}/influence"
            assert world.area_chair(name).get(path).status_code == 404


def test_the_line_kept_with_the_run_counts(world: World):
    path = f"/api/runs/{world.run}"
    for line, above in (
        ({"amount": 2}, 2),
        ({"amount": 50, "percent": True}, audit_of(world, world.run)["papers"] / 2),
        (None, audit_of(world, world.run)["papers"] / 4),
    ):
        assert world.chair.patch(path, json={"line": line}).status_code == 200
        assert audit_of(world, world.run)["above"] == int(above + 0.5)


def test_no_request_waits_for_an_audit_that_takes_long(
    world: World, none_measured: Background, monkeypatch
):
    may_end, made = threading.Event(), []
    nothing = MovedBy(median=0.0, largest=0.0)

    def slow(*_: object) -> InfluenceAudit:
        made.append(1)
        assert may_end.wait(SECONDS)
        names = ("together", "score", "ranking", "plain", "places", "plain_places")
        return InfluenceAudit(
            reviewers=1,
            tried=1,
            papers=1,
            above=0,
            turning=0.0,
            plain_turning=0.0,
            **dict.fromkeys(names, nothing),
            worst=[],
            reviews=[],
        )

    monkeypatch.setattr(world.console, "influences", none_measured)
    monkeypatch.setattr(influence, "_measured", slow)
    monkeypatch.setattr(influence, "PATIENCE", 0.01)
    path = f"/api/runs/{world.hidden}/influence"
    try:
        for _ in range(2):
            assert world.chair.get(path).json() == {"audit": None}
    finally:
        may_end.set()
    monkeypatch.setattr(influence, "PATIENCE", SECONDS)
    assert world.chair.get(path).json()["audit"]["tried"] == 1
    assert made == [1]


@pytest.mark.parametrize(("load", "tried"), [(2, 400), (4, 400), (5, 55), (6, 20), (12, 20)])
def test_fewer_reviewers_are_tried_where_they_have_more_rankings(load, tried):
    reviews = pl.DataFrame({"reviewer": [reviewer for reviewer in range(3) for _ in range(load)]})
    assert influence.reviewers_tried(reviews) == tried
