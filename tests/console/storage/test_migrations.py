"""A database of an earlier version is brought up to date with everything in it."""

from __future__ import annotations

from alembic import command
from sqlalchemy import inspect, text

from unround.console import serializers
from unround.console.storage import database as storage
from unround.console.storage.database import Database
from unround.console.storage.ids import new_id, now
from unround.console.storage.orm import Base, CheckRow, ConferenceRow


def _migrated_to(database: Database, version: str, monkeypatch) -> None:
    upgrade = command.upgrade
    with monkeypatch.context() as patched:
        patched.setattr(command, "upgrade", lambda config, _head: upgrade(config, version))
        database.migrate()


def test_checks_of_the_first_version_are_still_there(new_settings, monkeypatch):
    settings = new_settings()
    database = Database(settings.database_url)
    _migrated_to(database, "0001", monkeypatch)
    conference, check = new_id(), new_id()
    with database.writing() as session:
        session.execute(
            text(
                "INSERT INTO conferences (id, name, created, show_stars, show_names, edition, key) "
                "VALUES (:id, 'Old', :created, true, false, 0, :key)"
            ),
            {"id": conference, "created": now(), "key": "0" * 64},
        )
        session.execute(
            text(
                "INSERT INTO checks (id, conference, status, created, request, found) "
                "VALUES (:id, :conference, 'done', :created, '{}', '{\"ready\": true}')"
            ),
            {"id": check, "conference": conference, "created": now()},
        )
    database.migrate()
    with database.reading() as session:
        row = session.get_one(CheckRow, check)
        assert row.contradictions_csv is None
        assert session.get_one(ConferenceRow, conference).disclosure == "order"
        told = serializers.check_out(row, None)
    assert told.ready
    assert told.contradictions.reviewers == 0
    database.close()


def test_migrations_make_the_tables_that_the_code_expects(new_settings):
    database = Database(new_settings().database_url)
    database.migrate()
    there = inspect(database.engine)
    for name, table in Base.metadata.tables.items():
        assert {column["name"] for column in there.get_columns(name)} == set(table.columns.keys())
    database.close()
    assert storage.MIGRATIONS.is_dir()
