"""Links and sessions: who gets in, and who does not any more."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from tests.console.client import secret_of
from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS
from unround.console.access.log import RecentOpenings
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.orm import LinkRow, LogRow, RunRow, SessionRow, now

ADA = CHAIRS[0]


@pytest.fixture
def nobody(world: World) -> Person:
    return world.nobody()


def _enter(person: Person, secret: str):
    return person.post("/api/enter", json={"secret": secret})


def test_a_link_opens_what_it_is_for(world: World):
    for name, role in ((ADA, "area_chair"), (None, "chair")):
        me = world.nobody().enter(world.new_link(name, days=3)["url"]).get("/api/me").json()
        expected = (role, name or "Dana Chair", world.conference)
        assert (me["role"], me["name"], me["conference"]) == expected
    owner = world.chair.get("/api/me").json()
    assert (owner["role"], owner["conference"]) == ("chair", None)


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


def test_the_cookie_is_for_this_site_and_not_for_scripts(world: World):
    """What it is behind TLS, `test_proxy.py` looks at."""
    secret = secret_of(world.new_link(ADA)["url"])
    cookie = _enter(world.nobody(), secret).headers["set-cookie"].lower()
    for word in ("httponly", "samesite=strict", "path=/"):
        assert word in cookie
    assert "secure" not in cookie  # it is http here


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
    ],
)
def test_guessed_and_edited_secrets_open_nothing(world: World, nobody: Person, spoil):
    answer = _enter(nobody, spoil(secret_of(world.new_link(ADA)["url"])))
    assert answer.status_code == 401
    assert answer.json()["detail"] == (
        "This link is mistyped or incomplete. Ask the chairs for a new one."
    )
    assert "set-cookie" not in answer.headers
    assert nobody.get("/api/me").status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        {"json": {"secret": ""}},
        {"json": {"secret": 3, "more": 4}},
        {"content": b'{"secret": "\\ud800"}', "headers": {"Content-Type": "application/json"}},
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


def test_a_cookie_that_somebody_left_or_made_up_is_worth_nothing(world: World):
    person, name = world.area_chair(), world.console.settings.cookie
    old = person.cookies[name]
    assert person.post("/api/leave").status_code == 204
    assert name not in person.cookies
    for cookie in (old, "", "x", "0" * 43, "a" * 5000, "%00"):
        person.cookies.set(name, cookie)
        assert person.get("/api/me").status_code == 401, cookie[:50]


def test_wrong_secrets_delay_nobody_and_fill_no_log(world: World, nobody: Person, monkeypatch):
    monkeypatch.setattr(world.console, "openings", RecentOpenings())
    link = world.new_link(ADA)
    before = _failures(world, None), _failures(world, world.conference)
    assert {_enter(nobody, f"wrong {number}").status_code for number in range(20)} == {401}
    assert _enter(nobody, secret_of(link["url"])).status_code == 204
    world.chair.post(f"/api/links/{link['id']}/revoke")
    for _ in range(3):
        assert "was revoked on" in _enter(nobody, secret_of(link["url"])).json()["detail"]
    after = _failures(world, None), _failures(world, world.conference)
    assert after == (before[0] + 1, before[1] + 1)


def _failures(world: World, conference: str | None) -> int:
    entered = LogRow.conference == conference, LogRow.action == "failed to enter"
    with world.console.database.reading() as session:
        return session.scalar(select(func.count()).select_from(LogRow).where(*entered))


def test_everything_is_in_the_log(world: World, nobody: Person):
    link = world.new_link(ADA)
    _enter(nobody, "wrong")
    person = world.nobody().enter(link["url"])
    for page in ("view", "report.html", "view"):
        person.get(f"/api/runs/{world.run}/{page}")
    world.chair.post(f"/api/links/{link['id']}/revoke")
    lines = world.chair.log(world.conference)
    after = lines[: next(n for n, line in enumerate(lines) if line["action"] == "made a link")]
    assert [line["action"] for line in after] == [
        "revoked a link",
        "downloaded the report",
        "opened",  # once, though it was opened twice
        "entered",
    ]
    assert [line["who"] for line in after[1:]] == [ADA] * 3
    assert {line["action"] for line in lines} >= {
        "made a link", "revoked a link", "uploaded", "started a run",
        "shared a run", "replaced the area chairs", "made the conference",
    }  # fmt: skip
    assert "wrong" not in str(lines)


def test_making_a_link_again_asks_what_becomes_of_the_old_one(world: World, conference: str):
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
    elsewhere = world.chair.post(f"/api/conferences/{conference}/links", json=ben)
    assert elsewhere.status_code == 404


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
