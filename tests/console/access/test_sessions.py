"""Every request looks at its session and link in the database, whoever has changed them."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import text

from tests.console.conftest import World
from tests.console.sample import CHAIRS
from unround.console.access import links
from unround.console.storage.database import Database

ADA = CHAIRS[0]


def test_a_link_that_another_program_revokes_is_dead_at_the_next_request(world: World):
    link = world.new_link(ADA)
    person = world.nobody().enter(link["url"])
    view = f"/api/runs/{world.run}/view"
    assert [person.get(view).status_code for _ in range(2)] == [200, 200]
    elsewhere = Database(world.console.settings.database_url)
    with elsewhere.writing() as session:
        session.execute(
            text("UPDATE links SET revoked = created WHERE id = :id"), {"id": link["id"]}
        )
    elsewhere.close()
    assert person.get(view).status_code == 401


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
