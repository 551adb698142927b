"""What kind of numbers area chairs receive, over every route that sends any."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS
from unround.disclosure.scope import DISCLOSURES

ADA = CHAIRS[0]


@pytest.fixture
def settled(world: World) -> Iterator[World]:
    yield world
    _choose(world, "order")


def _choose(world: World, disclosure: str) -> None:
    answer = world.chair.patch(
        f"/api/conferences/{world.conference}", json={"disclosure": disclosure}
    )
    assert answer.json()["disclosure"] == disclosure


def _view(person: Person, run: str) -> dict[str, Any]:
    answer: dict[str, Any] = person.get(f"/api/runs/{run}/view").json()
    return answer


def _moved(world: World) -> list[str]:
    """The first digits of exact scores that moved, of all reviews."""
    text = world.chair.get(f"/api/runs/{world.run}/files/scores.csv").text
    rows = csv.DictReader(io.StringIO(text))
    scores = [float(row["dequantized"]) for row in rows]
    return [f"{score:.7f}" for score in scores if abs(2 * score - round(2 * score)) > 1e-3]


def _everything(person: Person, run: str) -> bytes:
    """All that an area chair can fetch of a run."""
    pages = ("view", "report.html")
    return b"\n".join(person.get(f"/api/runs/{run}/{page}").content for page in pages)


def test_existing_and_new_conferences_give_the_order(world: World):
    assert world.chair.get(f"/api/conferences/{world.conference}").json()["disclosure"] == "order"
    assert _view(world.area_chair(ADA), world.run)["disclosure"] == "order"
    assert world.chair.get(f"/api/runs/{world.run}/view").json()["disclosure"] is None
    area_chair = world.area_chair(ADA).get(f"/api/conferences/{world.conference}").json()
    assert area_chair["disclosure"] is None


def test_no_route_sends_exact_digits_but_where_they_are_allowed(settled: World):
    person, digits = settled.area_chair(ADA), _moved(settled)
    assert digits
    found = {}
    for disclosure in DISCLOSURES:
        _choose(settled, disclosure)
        received = _everything(person, settled.run)
        found[disclosure] = sum(one.encode() in received for one in digits)
    assert found["exact"] > 0
    assert found["order"] == 0


def test_a_change_reaches_views_that_were_cached(settled: World):
    person = settled.area_chair(ADA)
    path = f"/api/runs/{settled.run}/view"
    tags = set()
    for disclosure in DISCLOSURES:
        _choose(settled, disclosure)
        answer = person.get(path)
        assert answer.json()["disclosure"] == disclosure
        assert (
            person.get(path, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
        )
        tags.add(answer.headers["etag"])
    assert len(tags) == len(DISCLOSURES)


def test_an_unknown_kind_is_refused(world: World):
    answer = world.chair.patch(
        f"/api/conferences/{world.conference}", json={"disclosure": "everything"}
    )
    assert answer.status_code == 422


def test_scoped_views_have_no_stars(settled: World):
    _choose(settled, "scoped")
    text = json.dumps(_view(settled.area_chair(ADA), settled.run)["rankings"])
    assert "-1" not in text


def test_sides_of_the_line_show_when_chairs_show_them(world: World):
    """An area chair learns the side of their own papers, and only while the chairs say so."""
    run, conference = f"/api/runs/{world.run}", f"/api/conferences/{world.conference}"
    ann = world.area_chair()
    world.chair.patch(run, json={"line": {"amount": 5}})
    assert ann.get(f"{run}/sides").json() == {}
    world.chair.patch(conference, json={"show_line": True})
    shown = ann.get(f"{run}/sides").json()
    assert set(shown) == set(map(str, ann.get(f"{run}/view").json()["papers"]["paper"]))
    assert set(shown.values()) <= {"above", "near", "below"}
    preview = {"as": world.area_chairs[CHAIRS[0]]}
    assert world.chair.get(f"{run}/sides", params=preview).json() == shown
    world.chair.patch(conference, json={"show_line": False})
    world.chair.patch(run, json={"line": None})
    assert ann.get(f"{run}/sides").json() == {}
