"""Chairs of one conference, and the owner of the server."""

from __future__ import annotations

from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS
from unround.console.server import start_link


def _chair_of(world: World, conference: str, name: str) -> Person:
    link = world.chair.made(f"/api/conferences/{conference}/links", {"label": name})
    return world.nobody().enter(link["url"])


def test_a_link_needs_a_name_and_the_log_shows_it(world: World, conference: str):
    refused = world.chair.post(f"/api/conferences/{conference}/links", json={"label": "  "})
    assert refused.status_code == 422
    assert "for whom" in refused.json()["detail"]
    person = _chair_of(world, conference, "Fritz Vice")
    person.patch(f"/api/conferences/{conference}", json={"show_stars": False})
    told = {(line["who"], line["action"]) for line in person.log(conference)}
    assert ("Fritz Vice (chair)", "changed the conference") in told
    assert ("Fritz Vice (chair)", "entered") in told
    assert ("owner", "made a link") in told


def test_logs_are_apart(world: World, conference: str):
    stranger = _chair_of(world, conference, "Otto Other")
    world.chair.delete(f"/api/conferences/{world.chair.new_conference('Gone again')}")
    world.nobody().post("/api/enter", json={"secret": "wrong"})
    for person in (world.chair, stranger):
        log = str(person.log(conference))
        assert "Gone again" not in log
        assert "unknown link" not in log
        assert "Conference of the tests" not in log
    server = world.chair.get("/api/server/log").json()
    told = {(line["who"], line["action"], line["detail"]) for line in server}
    assert ("owner", "deleted a conference", "Gone again") in told
    assert ("nobody", "failed to enter", "with an unknown link") in told
    assert not any("started a run" in line["action"] for line in server)
    assert "testclient" not in str(server)  # no address is kept


def test_owners_can_let_another_owner_in(world: World):
    link = world.chair.made("/api/server/links", {"label": "Olga"})
    olga = world.nobody().enter(link["url"])
    assert olga.get(f"/api/runs/{world.hidden}/view").status_code == 200
    listed = {one["id"]: one["label"] for one in olga.get("/api/server/access").json()["links"]}
    assert listed[link["id"]] == "Olga"
    revoke = f"/api/links/{link['id']}/revoke"
    chair = world.nobody().enter(world.new_link(None)["url"])
    assert chair.get(f"/api/runs/{world.hidden}/view").status_code == 200
    own = f"/api/links/{world.new_link(CHAIRS[0])['id']}/revoke"
    # A chair ends links of their conference, and no others.
    assert [chair.post(path).status_code for path in (own, revoke)] == [200, 404]
    assert olga.post(revoke).status_code == 200
    assert olga.get("/api/me").status_code == 401


def test_a_revoked_printed_link_is_followed_by_a_new_one(world: World):
    link = start_link(world.console)
    signed_in = world.nobody().enter(link)
    (printed,) = (
        one
        for one in world.chair.get("/api/server/access").json()["links"]
        if one["label"].startswith("printed") and not one["revoked"]
    )
    keeper = world.chair.made("/api/server/links", {"label": "the tests"})
    world.chair.enter(keeper["url"])  # the chair of the tests came by the printed link, too
    world.chair.post(f"/api/links/{printed['id']}/revoke")
    assert signed_in.get("/api/me").status_code == 401
    world.nobody().enter(start_link(world.console))
