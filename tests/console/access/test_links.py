"""Links and sessions: who gets in, and who does not any more."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS
from unround.console.access import links
from unround.console.access.throttle import Throttle
from unround.console.context import Console
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.orm import LinkRow, LogRow, SessionRow

ADA = CHAIRS[0]
ASK = "Ask the chairs for a new one."


@pytest.fixture
def nobody(world: World, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Somebody from an address without a past."""
    monkeypatch.setattr(world.console, "throttle", Throttle())
    return world.nobody()


def _enter(person: Person, secret: str):
    return person.post("/api/enter", json={"secret": secret})


def test_a_link_opens_what_it_is_for(world: World):
    person = world.nobody().enter(world.new_link(ADA, days=3)["url"])
    me = person.get("/api/me").json()
    assert (me["role"], me["name"], me["conference"]) == ("area_chair", ADA, world.conference)
    assert world.chair.get("/api/me").json()["role"] == "chair"


def test_another_chair_can_be_let_in(world: World):
    person = world.nobody().enter(world.new_link(None)["url"])
    assert person.get("/api/me").json()["role"] == "chair"
    assert person.get(f"/api/runs/{world.hidden}/view").status_code == 200


def test_secrets_are_long_random_and_kept_only_as_hashes(world: World):
    secrets = [world.new_link(ADA)["url"].rsplit("#", 1)[1] for _ in range(3)]
    assert len(set(secrets)) == 3
    assert all(len(secret) == 43 for secret in secrets)  # 256 bits, six a letter
    person = world.nobody()
    _enter(person, secrets[0])
    held = {*secrets, person.cookies[world.console.settings.cookie]}
    with world.console.database.reading() as session:
        for table in (LinkRow, SessionRow, LogRow):
            for row in session.scalars(select(table)):
                kept = {str(getattr(row, name)) for name in table.__table__.c.keys()}  # noqa: SIM118
                assert not kept & held


def test_the_cookie_is_for_this_site_and_not_for_scripts(world: World):
    answer = _enter(world.nobody(), world.new_link(ADA)["url"].rsplit("#", 1)[1])
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
    assert "secure" not in cookie  # it is http here


def test_behind_tls_the_cookie_needs_tls(world: World, front_end):
    old = world.console
    settings = ConsoleSettings(data=old.settings.data, public_url="https://unround.example.org")
    secure = Person(Console(settings, old.database, old.supervisor))
    answer = _enter(secure, world.new_link(ADA)["url"].rsplit("#", 1)[1])
    assert answer.headers["set-cookie"].startswith("__Host-unround=")
    assert "Secure" in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda secret: secret[:-1],
        lambda secret: secret + "A",
        lambda secret: secret.swapcase(),
        lambda secret: ("B" if secret[0] == "A" else "A") + secret[1:],
        lambda secret: " " + secret,
        lambda secret: "0" * 43,
        lambda secret: "' OR 1=1 --",
        lambda secret: "ä☃\ud800",
    ],
)
def test_guessed_and_edited_secrets_open_nothing(world: World, nobody: Person, spoil):
    secret = world.new_link(ADA)["url"].rsplit("#", 1)[1]
    body = json.dumps({"secret": spoil(secret)})
    answer = nobody.post("/api/enter", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (401, 422)
    assert "set-cookie" not in answer.headers
    assert nobody.get("/api/me").status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        {"json": {"secret": ""}},
        {"json": {"secret": 3, "more": 4}},
        {"content": b'{"secret": "half', "headers": {"Content-Type": "application/json"}},
        {"content": b'{"secret": "unknown"}'},
        {"content": b'{"secret": "unknown"}', "headers": {"Content-Type": "text/plain"}},
        {"data": {"secret": "unknown"}},
        {"content": b""},
    ],
)
def test_a_malformed_body_opens_nothing(nobody: Person, body: dict[str, Any]):
    answer = nobody.post("/api/enter", **body)
    assert answer.status_code in (401, 422)
    assert "set-cookie" not in answer.headers


def test_a_link_that_opens_nothing_says_why(world: World, nobody: Person):
    expired, revoked = world.new_link(ADA), world.new_link(ADA)
    past = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    assert world.chair.patch(f"/api/links/{expired['id']}", json={"expires": past}).is_success
    assert world.chair.post(f"/api/links/{revoked['id']}/revoke").json()["revoked"]
    answers = [
        _enter(nobody, secret)
        for secret in ("x" * 43, *(link["url"].rsplit("#", 1)[1] for link in (expired, revoked)))
    ]
    assert [answer.status_code for answer in answers] == [401, 401, 401]
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert [answer.json()["detail"] for answer in answers] == [
        f"This link is mistyped or incomplete. {ASK}",
        f"This link expired on {today}. {ASK}",
        f"This link was revoked on {today}. {ASK}",
    ]
    assert {tuple(sorted(answer.headers)) for answer in answers} == {
        tuple(sorted(answers[0].headers))
    }


@pytest.mark.parametrize("end", ["revoke", "expire"])
def test_the_end_of_a_link_is_the_end_of_its_sessions(world: World, end: str):
    link = world.new_link(ADA)
    person = world.nobody().enter(link["url"])
    assert person.get(f"/api/runs/{world.run}/view").status_code == 200
    if end == "revoke":
        world.chair.post(f"/api/links/{link['id']}/revoke")
    else:
        past = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
        world.chair.patch(f"/api/links/{link['id']}", json={"expires": past})
    for path in ("/api/me", f"/api/runs/{world.run}/view"):
        assert person.get(path).status_code == 401


def test_a_revoked_link_stays_revoked(world: World):
    link = world.new_link(ADA)
    world.chair.post(f"/api/links/{link['id']}/revoke")
    answer = world.chair.patch(f"/api/links/{link['id']}", json={"expires": None})
    assert answer.status_code == 409


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "soon", "1e300"]
)
def test_impossible_moments_are_refused_in_words(world: World, moment: str):
    link = world.new_link(ADA)
    answer = world.chair.patch(f"/api/links/{link['id']}", json={"expires": moment})
    assert answer.status_code == 422
    assert "expires" in answer.json()["detail"]


def test_a_moment_without_a_zone_is_in_utc(world: World):
    link = world.new_link(ADA)
    wanted = {"expires": "2100-01-02T03:04:05"}
    changed = world.chair.patch(f"/api/links/{link['id']}", json=wanted).json()
    assert changed["expires"] == "2100-01-02T03:04:05Z"


def test_a_cookie_is_worth_nothing_after_leaving(world: World):
    person = world.area_chair()
    name = world.console.settings.cookie
    old = person.cookies[name]
    assert person.post("/api/leave").status_code == 204
    assert name not in person.cookies
    person.cookies.set(name, old)
    assert person.get("/api/me").status_code == 401


@pytest.mark.parametrize("cookie", ["", "x", "0" * 43, "a" * 5000, "%00"])
def test_made_up_cookies_are_nobody(world: World, cookie: str):
    person = world.nobody()
    person.cookies.set(world.console.settings.cookie, cookie)
    assert person.get("/api/me").status_code == 401


def test_failed_tries_have_to_wait_longer_and_longer(world: World, nobody: Person, monkeypatch):
    moment = [100.0]
    throttle = Throttle(lambda: moment[0])
    monkeypatch.setattr(world.console, "throttle", throttle)
    good = world.new_link(ADA)["url"].rsplit("#", 1)[1]
    waits = []
    for _ in range(5):
        while (answer := _enter(nobody, "wrong")).status_code == 401:
            pass
        assert answer.status_code == 429
        waits.append(int(answer.headers["retry-after"]))
        moment[0] += waits[-1]
    assert waits == [1, 2, 4, 8, 16]
    throttle.failed("testclient")
    assert _enter(nobody, "wrong").status_code == 429
    assert _enter(nobody, good).status_code == 204  # nobody's failures hold up the right secret
    assert throttle.wait("testclient") == 0


def test_one_host_of_ipv6_is_its_whole_network():
    throttle = Throttle(lambda: 0.0)
    for number in range(3):
        throttle.failed(f"2001:db8::{number}")
    assert throttle.wait("2001:db8::ffff")
    assert not throttle.wait("2001:db8:0:1::1")


def test_everything_is_in_the_log(world: World, nobody: Person):
    link = world.new_link(ADA)
    _enter(nobody, "wrong")
    person = world.nobody().enter(link["url"])
    person.get(f"/api/runs/{world.run}/view")
    person.get(f"/api/runs/{world.run}/report.html")
    world.chair.post(f"/api/links/{link['id']}/revoke")
    lines = world.chair.get(f"/api/conferences/{world.conference}/log").json()
    told = [(line["who"], line["action"]) for line in lines]
    for action in ("opened", "downloaded the report", "entered"):
        assert (ADA, action) in told
    actions = {action for _, action in told}
    assert actions >= {
        "made a link", "revoked a link", "uploaded", "started a run",
        "shared a run", "replaced the area chairs", "made the conference",
    }  # fmt: skip
    assert "wrong" not in str(lines)


def test_opening_twice_is_one_line(world: World):
    person = world.area_chair(CHAIRS[2])

    def opened() -> int:
        lines = world.chair.get(f"/api/conferences/{world.conference}/log").json()
        return sum(line["who"] == CHAIRS[2] and line["action"] == "opened" for line in lines)

    before = opened()
    for _ in range(3):
        person.get(f"/api/runs/{world.run}/view")
    assert opened() == before + 1


def test_a_link_revoked_by_another_program_is_dead_at_once(world: World):
    """Whatever writes to the database: no process remembers who was let in."""
    link = world.new_link(ADA)
    person = world.nobody().enter(link["url"])
    assert person.get("/api/me").status_code == 200
    elsewhere = Database(world.console.settings.database_url)
    with elsewhere.writing() as session:
        session.get_one(LinkRow, link["id"]).revoked = datetime.now(UTC)
    elsewhere.close()
    assert person.get("/api/me").status_code == 401
    assert person.get(f"/api/runs/{world.run}/view").status_code == 401


def test_addresses_of_people_are_not_kept(world: World, nobody: Person):
    _enter(nobody, "wrong")
    with world.console.database.reading() as session:
        kept = [f"{row.who} {row.action} {row.detail}" for row in session.scalars(select(LogRow))]
    assert not [line for line in kept if "testclient" in line]


def test_making_a_link_again_asks_what_becomes_of_the_old_one(world: World):
    path = f"/api/conferences/{world.conference}/links"
    ben = {"area_chair": world.area_chairs[CHAIRS[1]]}
    old = world.nobody().enter(world.new_link(CHAIRS[1])["url"])
    asked = world.chair.post(path, json=ben)
    assert asked.status_code == 409
    assert asked.json()["detail"].startswith(f"{CHAIRS[1]} has a link already")
    assert old.get("/api/me").status_code == 200
    world.chair.made(path, ben | {"existing": "keep"})
    assert old.get("/api/me").status_code == 200
    new = world.nobody().enter(world.chair.made(path, ben | {"existing": "replace"})["url"])
    assert old.get("/api/me").status_code == 401
    assert new.get("/api/me").status_code == 200


def test_links_for_all_ask_replace_or_leave_out(world: World):
    conference = world.chair.new_conference("Links again and again")
    world.chair.assign(conference, b"area_chair,paper\nAnn,1\nBo,2\nCy,3\n")
    path = f"/api/conferences/{conference}/links/all"
    first = world.chair.made(path, {})
    world.chair.post(f"/api/links/{first[0]['id']}/revoke")
    asked = world.chair.post(path, json={})
    assert asked.status_code == 409
    assert asked.json()["detail"].startswith("2 of 3 area chairs have links already")
    assert [one["name"] for one in world.chair.made(path, {"existing": "skip"})] == ["Ann"]
    assert len(world.chair.made(path, {"existing": "replace", "days": 3})) == 3
    people = world.chair.get(f"/api/conferences/{conference}/access").json()["area_chairs"]
    assert [sum(not link["revoked"] for link in one["links"]) for one in people] == [1, 1, 1]
    world.chair.delete(f"/api/conferences/{conference}")


def test_chairs_are_warned_before_they_send_links(world: World):
    conference = world.chair.new_conference("Nothing to see yet")
    path = f"/api/conferences/{conference}/access"
    local, unshared = world.chair.get(path).json()["warnings"]
    assert "work on this computer only" in local
    assert "--public-url" in local
    assert "No run is shared" in unshared
    shared = world.chair.get(f"/api/conferences/{world.conference}/access").json()["warnings"]
    assert shared == [local]
    settings = ConsoleSettings(data=Path(), public_url="https://unround.example.org")
    assert not settings.is_local
    assert ConsoleSettings(data=Path(), host="::1").is_local
    world.chair.delete(f"/api/conferences/{conference}")


def test_two_who_come_by_one_link_get_a_session_each(world: World):
    secret = world.new_link(CHAIRS[0])["url"].rsplit("#", 1)[1]
    one, other = (links.enter(world.console.database, secret) for _ in range(2))
    assert one != other
    viewers = [links.find_viewer(world.console.database, cookie) for cookie in (one, other)]
    assert viewers[0] is not None
    assert viewers[0] == viewers[1]


def test_a_run_that_another_program_hides_is_absent_at_the_next_request(world: World):
    person = world.nobody().enter(world.new_link(ADA)["url"])
    view = f"/api/runs/{world.run}/view"
    assert person.get(view).status_code == 200
    elsewhere = Database(world.console.settings.database_url)
    sharing = text("UPDATE runs SET shared = :shared WHERE id = :id")
    try:
        with elsewhere.writing() as session:
            session.execute(sharing, {"shared": False, "id": world.run})
        assert person.get(view).status_code == 404
    finally:
        with elsewhere.writing() as session:
            session.execute(sharing, {"shared": True, "id": world.run})
        elsewhere.close()
    assert person.get(view).status_code == 200


def test_a_session_ends_when_its_link_expires_though_nothing_changes(world: World, monkeypatch):
    person = world.nobody().enter(world.new_link(ADA, days=3)["url"])
    assert person.get("/api/me").status_code == 200
    real = links.now
    monkeypatch.setattr(links, "now", lambda: real() + timedelta(days=4))
    assert person.get("/api/me").status_code == 401
