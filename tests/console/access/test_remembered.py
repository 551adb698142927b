"""Sessions and permissions are remembered, and forgotten at once when one of them changes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from tests.console.conftest import World
from tests.console.sample import CHAIRS
from unround.console.access import remembered
from unround.console.storage.access_version import AccessVersion
from unround.console.storage.database import Database

ADA = CHAIRS[0]
# What somebody with another program might do, and whether it changes who may see what.
STATEMENTS = {
    "UPDATE links SET opened = created": False,
    "UPDATE runs SET reason = reason, finished = finished": False,
    "UPDATE links SET revoked = created WHERE id = '0'": False,  # no row is touched
    "UPDATE links SET label = label": True,
    "UPDATE sessions SET expires = expires": True,
    "UPDATE area_chairs SET removed = removed": True,
    "UPDATE conferences SET edition = edition": True,
    "UPDATE runs SET shared = shared": True,
    "DELETE FROM sessions": True,
    "DELETE FROM links": True,
    "DELETE FROM area_chairs": True,
    "DELETE FROM runs": True,
    "DELETE FROM conferences": True,
}


@pytest.mark.parametrize(("statement", "counted"), STATEMENTS.items())
def test_the_database_counts_changes_whoever_makes_them(world: World, statement, counted):
    database = Database(world.console.settings.database_url)
    version = AccessVersion(database)
    before = version.read()
    with database.engine.connect() as connection, connection.begin() as change:
        connection.execute(text(statement))
        after = connection.execute(text("SELECT changes FROM access_version")).scalar_one()
        change.rollback()
    assert (after > before) == counted
    assert version.read() == before, "a change that was taken back changes nothing"
    version.close()
    database.close()


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
    real = remembered.now
    monkeypatch.setattr(remembered, "now", lambda: real() + timedelta(days=4))
    assert person.get("/api/me").status_code == 401


def test_what_is_remembered_is_not_asked_again(world: World, monkeypatch):
    person = world.nobody().enter(world.new_link(ADA)["url"])
    view = f"/api/runs/{world.run}/view"
    assert person.get(view).status_code == 200
    monkeypatch.setattr(remembered, "find_session", None)
    monkeypatch.setattr(remembered, "authorise", None)
    assert person.get(view).status_code == 200
