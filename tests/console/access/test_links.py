"""Links and sessions: who gets in, and who does not any more."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tests.console.conftest import Person, World, secret_of
from tests.console.sample import CHAIRS
from unround.console.access.throttle import Throttle
from unround.console.context import Console
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.orm import LinkRow, LogRow, RunRow, SessionRow, now

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


def test_secrets_are_long_random_and_kept_only_as_hashes(world: World):
    secrets = [secret_of(world.new_link(ADA)["url"]) for _ in range(3)]
    assert len(set(secrets)) == 3
    assert all(len(secret) == 43 for secret in secrets)  # 256 bits, six a letter
    entered = [world.nobody().enter(f"#{secrets[0]}"), world.reviewer()]
    held = {*secrets, *(person.cookies[world.console.settings.cookie] for person in entered)}
    with world.console.database.reading() as session:
        for table in (LinkRow, SessionRow, LogRow):
            for row in session.scalars(select(table)):
                kept = {str(getattr(row, name)) for name in table.__table__.c.keys()}  # noqa: SIM118
                assert not kept & held


def test_the_cookie_is_for_this_site_not_for_scripts_and_behind_tls_for_tls(world: World):
    console, secret = world.console, secret_of(world.new_link(ADA)["url"])
    settings = ConsoleSettings(data=console.settings.data, public_url="https://un.example.org")
    secure = Person(Console(settings, console.database, console.supervisor))
    plain, guarded = (
        _enter(person, secret).headers["set-cookie"] for person in (world.nobody(), secure)
    )
    for word in ("httponly", "samesite=strict", "path=/"):
        assert word in plain.lower()
        assert word in guarded.lower()
    assert "secure" not in plain.lower()  # it is http here
    assert guarded.startswith("__Host-unround=")
    assert "Secure" in guarded


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
    secret = secret_of(world.new_link(ADA)["url"])
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
    revoked = world.new_link(ADA)
    assert world.chair.post(f"/api/links/{revoked['id']}/revoke").json()["revoked"]
    answers = [_enter(nobody, secret) for secret in ("x" * 43, secret_of(revoked["url"]))]
    assert [answer.status_code for answer in answers] == [401, 401]
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert [answer.json()["detail"] for answer in answers] == [
        f"This link is mistyped or incomplete. {ASK}",
        f"This link was revoked on {today}. {ASK}",
    ]
    assert sorted(answers[0].headers) == sorted(answers[1].headers)


@pytest.mark.parametrize("end", ["revoked", "expired"])
@pytest.mark.parametrize("who", ["area chair", "reviewer"])
def test_the_end_of_a_link_is_the_end_of_its_sessions(world: World, who: str, end: str):
    person = world.area_chair(ADA) if who == "area chair" else world.reviewer()
    paths = ("/api/me", f"/api/runs/{world.run}/view" if who == "area chair" else "/api/ballot")
    assert {person.get(path).status_code for path in paths} == {200}
    with world.console.database.writing() as session:
        newest = session.scalars(select(LinkRow).order_by(LinkRow.created.desc()).limit(1)).one()
        link = newest.id
        if end == "expired":
            newest.expires = now()
    if end == "revoked":
        world.chair.post(f"/api/links/{link}/revoke")
    assert {person.get(path).status_code for path in paths} == {401}


def test_what_another_program_changes_holds_at_the_next_request(world: World):
    """No process remembers who was let in, and to what."""
    link = world.new_link(ADA)
    person, view = world.nobody().enter(link["url"]), f"/api/runs/{world.run}/view"
    assert person.get(view).status_code == 200
    with closing(Database(world.console.settings.database_url)) as elsewhere:
        try:
            with elsewhere.writing() as session:
                session.get_one(RunRow, world.run).shared = False
            assert person.get(view).status_code == 404
        finally:
            with elsewhere.writing() as session:
                session.get_one(RunRow, world.run).shared = True
        with elsewhere.writing() as session:
            session.get_one(LinkRow, link["id"]).revoked = now()
    assert person.get(view).status_code == 401


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
    good = secret_of(world.new_link(ADA)["url"])
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
    lines = world.chair.log(world.conference)
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
        lines = world.chair.log(world.conference)
        return sum(line["who"] == CHAIRS[2] and line["action"] == "opened" for line in lines)

    before = opened()
    for _ in range(3):
        person.get(f"/api/runs/{world.run}/view")
    assert opened() == before + 1


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


def test_a_link_is_for_an_area_chair_of_its_conference(world: World, conference: str):
    ada = {"area_chair": world.area_chairs[ADA]}
    assert world.chair.post(f"/api/conferences/{conference}/links", json=ada).status_code == 404


def test_links_for_all_ask_replace_or_leave_out(world: World, conference: str):
    world.chair.assign(conference, b"area_chair,paper\nAnn,1\nBo,2\nCy,3\n")
    path = f"/api/conferences/{conference}/links/all"
    first = world.chair.made(path, {})
    world.chair.post(f"/api/links/{first[0]['id']}/revoke")
    asked = world.chair.post(path, json={})
    assert asked.status_code == 409
    assert asked.json()["detail"].startswith("2 of 3 area chairs have links already")
    assert [one["name"] for one in world.chair.made(path, {"existing": "skip"})] == ["Ann"]
    assert len(world.chair.made(path, {"existing": "replace", "days": 3})) == 3
    people = world.chair.access(conference)["area_chairs"]
    assert [sum(not link["revoked"] for link in one["links"]) for one in people] == [1, 1, 1]


def test_chairs_are_warned_before_they_send_links(world: World, conference: str):
    local, unshared = world.chair.access(conference)["warnings"]
    assert "work on this computer only" in local
    assert "--public-url" in local
    assert "No run is shared" in unshared
    assert world.chair.access(world.conference)["warnings"] == [local]
    settings = ConsoleSettings(data=Path(), public_url="https://unround.example.org")
    assert not settings.is_local
    assert ConsoleSettings(data=Path(), host="::1").is_local
