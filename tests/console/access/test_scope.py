"""What area chairs and reviewers see: all that is theirs, as the chairs choose."""

from __future__ import annotations

import re

import polars as pl
import pytest

from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS, DECISION
from unround.console.api.routes.conferences import SHOWN

ADA = CHAIRS[0]


def test_a_reviewer_sees_all_that_is_theirs(world: World):
    for name in sorted(world.ballots)[:3]:
        ballot = world.reviewer(name).get("/api/ballot").json()
        own = world.sample.reviews.filter(pl.col("reviewer") == name)
        papers = {paper["paper"]: (paper["title"], paper["score"]) for paper in ballot["papers"]}
        expected = own.select("paper", "title", "score").iter_rows()
        assert papers == {paper: (title, score) for paper, title, score in expected}


@pytest.mark.parametrize("path", ["/api/", "/api/nothing", "/api/openapi.json", "/api/docs"])
def test_what_is_not_there_is_not_there(world: World, path: str):
    assert world.nobody().get(path).status_code == 401
    assert world.area_chair().get(path).status_code == 404
    assert world.chair.get(path).status_code == 404


def test_an_area_chair_sees_all_that_is_theirs(world: World):
    person = world.area_chair(ADA)
    assert [one["id"] for one in person.get("/api/conferences").json()] == [world.conference]
    conference = person.get(f"/api/conferences/{world.conference}").json()
    assert [run["id"] for run in conference["runs"]] == [world.run]
    assert conference["files"] == []
    assert {conference[name] for name in SHOWN} == {None}
    assert conference["runs"][0]["lam"] is conference["runs"][0]["conflicts"] is None
    view = person.get(f"/api/runs/{world.run}/view").json()
    assert set(view["papers"]["paper"]) == world.sample.papers_of(ADA)
    assert view["viewer"] == {"role": "area_chair", "name": ADA, "reviewer_names": False}
    assert all(re.fullmatch(r"Reviewer \d+", name) for name in view["reviewers"])
    assert any(-1 in group for one in view["rankings"] for group in one["groups"])


def test_only_chairs_are_told_where_the_scale_came_from(world: World):
    """It names levels that nobody used in the whole conference."""
    path = f"/api/runs/{world.run}/view"
    origin = world.chair.get(path).json()["run"]["settings"]["scale_origin"]
    assert origin.startswith("inferred from the scores")
    assert world.area_chair(ADA).get(path).json()["run"]["settings"]["scale_origin"] == ""


def test_a_preview_is_exactly_what_the_area_chair_gets(world: World):
    for name, id in world.area_chairs.items():
        theirs = world.area_chair(name)
        for page in ("view", "report.html"):
            path = f"/api/runs/{world.run}/{page}"
            assert world.chair.get(path, params={"as": id}).content == theirs.get(path).content


@pytest.fixture
def settled(world: World):
    yield world
    change = {"show_stars": True, "show_names": False, "show_decisions": False}
    world.chair.patch(f"/api/conferences/{world.conference}", json=change)


def test_chairs_choose_what_area_chairs_see(settled: World):
    world, person = settled, settled.area_chair(ADA)
    path = f"/api/runs/{world.run}/view"
    before = person.get(path)
    change = {"show_stars": False, "show_names": True}
    world.chair.patch(f"/api/conferences/{world.conference}", json=change)
    after = person.get(path, headers={"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200
    assert not any(-1 in group for one in after.json()["rankings"] for group in one["groups"])
    assert set(after.json()["reviewers"]) <= set(world.sample.reviews["reviewer_name"])


def test_imported_decisions_reach_area_chairs_once_the_chairs_release_them(settled: World):
    ada, run = settled.area_chair(ADA), f"/api/runs/{settled.run}"

    def decisions() -> list[str] | None:
        shown = ada.get(f"{run}/view").json()["papers"]["decision"]
        assert (DECISION in ada.get(f"{run}/report.html").text) is (shown is not None)
        return shown

    path = f"/api/conferences/{settled.conference}"
    assert decisions() is None
    settled.chair.patch(path, json={"show_decisions": True})
    assert decisions() == [DECISION] * len(settled.sample.papers_of(ADA))
    settled.chair.patch(path, json={"show_decisions": False})
    assert decisions() is None


@pytest.mark.slow
def test_an_area_chair_without_papers_of_the_run_sees_an_empty_one(
    world: World, chair: Person, conference: str
):
    files = chair.upload(conference, world.sample.files)
    run = chair.run(conference, files, method={"conflicts": "scores"})["id"]
    chair.patch(f"/api/runs/{run}", json={"shared": True})
    chair.assign(conference, b"area_chair,paper\nZoe,of another year\n")
    zoe = world.first_area_chair(conference)
    view = zoe.get(f"/api/runs/{run}/view").json()
    assert view["papers"]["paper"] == view["reviewers"] == view["rankings"] == []
    report = zoe.get(f"/api/runs/{run}/report.html")
    assert report.status_code == 200
    assert not {word for word in world.sample.all_words() if word in report.text}
