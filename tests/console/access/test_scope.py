"""What area chairs see: all that is theirs, as the chairs choose."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

import pytest

from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS, DECISION
from unround.console.api.routes.conferences import SHOWN
from unround.disclosure.scope import DISCLOSURES

ADA = CHAIRS[0]


@pytest.mark.parametrize("path", ["/api/", "/api/nothing", "/api/openapi.json", "/api/docs"])
def test_what_is_not_there_is_not_there(world: World, path: str):
    assert world.nobody().get(path).status_code == 404
    assert world.area_chair().get(path).status_code == 404
    assert world.chair.get(path).status_code == 404


def test_an_area_chair_sees_all_that_is_theirs(world: World):
    person = world.area_chair(ADA)
    assert [one["id"] for one in person.get("/api/conferences").json()] == [world.conference]
    conference = person.get(f"/api/conferences/{world.conference}").json()
    assert [run["id"] for run in conference["runs"]] == [world.run]
    assert conference["files"] == []
    assert {conference[name] for name in SHOWN} == {None}
    summary = conference["runs"][0]
    assert summary["lam"] is summary["conflicts"] is summary["finished"] is None
    assert summary["created"].endswith("T12:00:00Z")  # the day alone
    view = person.get(f"/api/runs/{world.run}/view").json()
    assert set(view["papers"]["paper"]) == world.sample.papers_of(ADA)
    assert view["viewer"] == {"role": "area_chair", "name": ADA, "reviewer_names": False}
    assert all(re.fullmatch(r"Reviewer \d+", name) for name in view["reviewers"])
    assert any(-1 in group for one in view["rankings"] for group in one["groups"])
    assert view["disclosure"] == "order"  # which conferences give unless their chairs choose
    assert view["run"]["lam"] is view["run"]["settings"]["lam"] is None
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", view["finished"])
    assert world.chair.get(f"/api/runs/{world.run}/view").json()["disclosure"] is None


def test_a_preview_is_exactly_what_the_area_chair_gets(world: World):
    for name, id in world.area_chairs.items():
        theirs = world.area_chair(name)
        for page in ("view", "report.html"):
            path = f"/api/runs/{world.run}/{page}"
            assert world.chair.get(path, params={"as": id}).content == theirs.get(path).content


@pytest.fixture
def settled(world: World) -> Iterator[World]:
    """What a test chooses is taken back behind it."""
    yield world
    change = {"show_stars": True, "show_names": False, "show_decisions": False}
    change |= {"disclosure": "order"}
    world.chair.patch(f"/api/conferences/{world.conference}", json=change)


def test_chairs_choose_what_area_chairs_see(settled: World):
    world, person = settled, settled.area_chair(ADA)
    path = f"/api/runs/{world.run}"
    before = person.get(f"{path}/view")
    assert before.json()["papers"]["decision"] is None
    assert DECISION not in person.get(f"{path}/report.html").text
    change = {"show_stars": False, "show_names": True, "show_decisions": True}
    conference = f"/api/conferences/{world.conference}"
    assert world.chair.patch(conference, json={"disclosure": "everything"}).status_code == 422
    world.chair.patch(conference, json=change)
    after = person.get(f"{path}/view", headers={"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200
    shown = after.json()
    assert not any(-1 in group for one in shown["rankings"] for group in one["groups"])
    assert set(shown["reviewers"]) <= set(world.sample.reviews["reviewer_name"])
    assert shown["papers"]["decision"] == [DECISION] * len(world.sample.papers_of(ADA))
    assert DECISION in person.get(f"{path}/report.html").text


def test_an_area_chair_without_papers_of_the_run_sees_an_empty_one(
    world: World, chair: Person, conference: str
):
    run = f"/api/runs/{world.stored_run(conference, shared=True)}"
    chair.assign(conference, b"area_chair,paper\nZoe,of another year\n")
    (zoe,) = chair.made(f"/api/conferences/{conference}/links/all", {})
    person = world.nobody().enter(zoe["url"])
    view = person.get(f"{run}/view").json()
    assert view["papers"]["paper"] == view["reviewers"] == view["rankings"] == []
    report = person.get(f"{run}/report.html")
    assert report.status_code == 200
    assert not {word for word in world.sample.all_words() if word in report.text}


# --- the kind of numbers that they receive, over every route that sends any -----------------------


def _moved(world: World) -> list[str]:
    """The first digits of exact scores that moved, of all reviews."""
    text = world.chair.get(f"/api/runs/{world.run}/files/scores.csv").text
    rows = csv.DictReader(io.StringIO(text))
    scores = [float(row["dequantized"]) for row in rows]
    return [f"{score:.7f}" for score in scores if abs(2 * score - round(2 * score)) > 1e-3]


def test_no_route_sends_exact_digits_but_where_they_are_allowed(settled: World):
    """And a change reaches views that were cached, on the server and in the browser."""
    person, digits = settled.area_chair(ADA), _moved(settled)
    assert digits
    path, found, tags = f"/api/runs/{settled.run}", {}, set()
    for disclosure in DISCLOSURES:
        choice = {"disclosure": disclosure}
        settled.chair.patch(f"/api/conferences/{settled.conference}", json=choice)
        view, report = (person.get(f"{path}/{page}") for page in ("view", "report.html"))
        assert view.json()["disclosure"] == disclosure
        known = {"If-None-Match": view.headers["etag"]}
        assert person.get(f"{path}/view", headers=known).status_code == 304
        tags.add(view.headers["etag"])
        found[disclosure] = sum(one in view.text + report.text for one in digits)
    assert len(tags) == len(DISCLOSURES)
    assert found["exact"] > 0
    assert found["order"] == 0


def test_sides_of_the_line_show_when_chairs_show_them(world: World):
    """An area chair learns the side of their own papers, and only while the chairs say so."""
    run, conference = f"/api/runs/{world.run}", f"/api/conferences/{world.conference}"
    ada = world.area_chair(ADA)
    world.chair.patch(run, json={"line": {"amount": 5}})
    assert ada.get(f"{run}/sides").json() == {}
    world.chair.patch(conference, json={"show_line": True})
    shown = ada.get(f"{run}/sides").json()
    assert set(shown) == world.sample.papers_of(ADA)
    assert set(shown.values()) <= {"above", "near", "below"}
    preview = {"as": world.area_chairs[ADA]}
    assert world.chair.get(f"{run}/sides", params=preview).json() == shown
    world.chair.patch(conference, json={"show_line": False})
    world.chair.patch(run, json={"line": None})
    assert ada.get(f"{run}/sides").json() == {}
