"""Importing area chairs: asked first, carried out when confirmed, undone when it was wrong."""

from __future__ import annotations

from typing import Any

import pytest

from tests.console.conftest import Person, World

FULL = b"area_chair,paper,email\nAnn,1,ann@example.org\nAnn,2,\nBo,2,\nCy,3,\n"
SLIP = b"area_chair,paper\nAnn,900001\n"


@pytest.fixture
def staffed(chair: Person, conference: str) -> str:
    """A conference with three area chairs."""
    chair.assign(conference, FULL)
    return conference


def _plan(chair: Person, conference: str, content: bytes) -> dict[str, Any]:
    path = f"/api/conferences/{conference}/area-chairs"
    return chair.made(path, status=200, params={"name": "a.csv"}, content=content)


def _people(chair: Person, conference: str) -> dict[str, int]:
    return {one["name"]: one["papers"] for one in chair.access(conference)["area_chairs"]}


def _entered(world: World, conference: str) -> dict[str, Person]:
    """Everybody, by name, entered by a link of their own."""
    links = world.chair.made(f"/api/conferences/{conference}/links/all", {"existing": "keep"})
    assert [link["email"] for link in links] == ["ann@example.org", None, None]
    return {link["name"]: world.nobody().enter(link["url"]) for link in links}


def test_papers_are_compared_with_the_runs(world: World):
    """Unknown papers are in no run; papers without an area chair are of the newest one."""
    paper = next(iter(world.sample.owner))
    table = f"area_chair,paper\nAnn,{paper}\nAnn,900001\n".encode()
    plan = _plan(world.chair, world.conference, table)
    assert (plan["unknown_papers"], plan["unknown_examples"]) == (1, ["900001"])
    assert plan["unassigned_papers"] == 17
    assert (plan["added"], plan["removed"]) == (1, 3)
    assert set(_people(world.chair, world.conference)) == set(world.area_chairs)


def _let_in(people: dict[str, Person]) -> set[str]:
    return {name for name, one in people.items() if one.get("/api/me").status_code == 200}


def test_who_is_removed_is_shut_out_and_undoing_brings_everything_back(world: World, staffed: str):
    """Nothing changes before the plan of it is confirmed."""
    chair, people = world.chair, _entered(world, staffed)
    plan = _plan(chair, staffed, SLIP)
    assert (plan["added"], plan["removed"], plan["removed_links"]) == (0, 2, 2)
    assert not plan["done"]
    assert _people(chair, staffed) == {"Ann": 2, "Bo": 1, "Cy": 1}
    assert _let_in(people) == {"Ann", "Bo", "Cy"}
    bo = next(one["id"] for one in chair.access(staffed)["area_chairs"] if one["name"] == "Bo")
    chair.assign(staffed, SLIP)
    assert _people(chair, staffed) == {"Ann": 1}
    assert _let_in(people) == {"Ann"}
    refused = chair.post(f"/api/conferences/{staffed}/links", json={"area_chair": bo})
    assert refused.status_code == 404
    path = f"/api/conferences/{staffed}/area-chairs/undo"
    former = chair.access(staffed)["former"]
    assert (former["area_chairs"], former["who"]) == (3, "owner")
    plan = chair.made(path, status=200)
    assert (plan["returning"], plan["returning_links"], plan["removed"]) == (2, 2, 0)
    done = chair.made(path, status=200, params={"edition": plan["edition"]})
    assert done["done"]
    assert _people(chair, staffed) == {"Ann": 2, "Bo": 1, "Cy": 1}
    assert _let_in(people) == {"Ann", "Bo", "Cy"}  # by the very same sessions and links


def test_the_right_table_again_brings_links_back_but_not_revoked_ones(world: World, staffed: str):
    people = _entered(world, staffed)
    access = world.chair.access(staffed)
    cy = next(one for one in access["area_chairs"] if one["name"] == "Cy")
    world.chair.assign(staffed, SLIP)
    link = cy["links"][0]["id"]
    assert world.chair.post(f"/api/links/{link}/revoke").status_code == 200
    world.chair.assign(staffed, FULL)
    assert _let_in(people) == {"Ann", "Bo"}


def test_nothing_to_undo_is_not_there(chair: Person, conference: str):
    assert chair.post(f"/api/conferences/{conference}/area-chairs/undo").status_code == 404
    chair.assign(conference, FULL)
    assert chair.access(conference)["former"] is None


def test_a_table_without_emails_keeps_those_that_are_known(chair: Person, conference: str):
    chair.assign(conference, b"area_chair,paper,email\nAnn,1,ann@x.org\nBo,2,\n")
    table = b"area_chair,paper,email\nAnn,2,\nBo,1,bo@x.org\n"
    planned = _plan(chair, conference, table)
    assert (planned["added"], planned["removed"], planned["emails"]) == (0, 0, 1)
    chair.assign(conference, table)
    people = chair.access(conference)["area_chairs"]
    assert [one["email"] for one in people] == ["ann@x.org", "bo@x.org"]
