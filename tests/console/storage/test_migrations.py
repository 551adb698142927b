"""A database of an earlier version is brought up to date with everything in it."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import func, inspect, select, text
from sqlalchemy.orm import Session

import unround
from unround.console.access.links import find_viewer, hashed, renew_printed
from unround.console.api.routes import runs
from unround.console.storage import database as storage
from unround.console.storage.database import Database
from unround.console.storage.orm import CheckRow, ConferenceRow, LineRow, LinkRow, new_id, now
from unround.console.storage.run_files import finished_runs, papers_of_run

LATER = now() + timedelta(days=1)


@pytest.fixture
def database_at(new_settings, monkeypatch) -> Iterator[Callable[[str], Database]]:
    """Makes an empty database of an earlier version."""
    database, upgrade = Database(new_settings().database_url), command.upgrade

    def make(version: str) -> Database:
        with monkeypatch.context() as patched:
            patched.setattr(command, "upgrade", lambda config, _head: upgrade(config, version))
            database.migrate()
        return database

    yield make
    database.close()


def _add_conference(session: Session, conference: str, name: str = "Old") -> None:
    """With the columns that every version has."""
    session.execute(
        text(
            "INSERT INTO conferences (id, name, created, show_stars, show_names, edition, key) "
            "VALUES (:id, :name, :created, true, false, 0, :key)"
        ),
        {"id": conference, "name": name, "created": now(), "key": "0" * 64},
    )


def test_checks_of_the_first_version_are_still_there(database_at):
    database = database_at("0001")
    conference, check = new_id(), new_id()
    with database.writing() as session:
        _add_conference(session, conference)
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
        findings = runs._check(row, None)
    assert findings.ready
    assert findings.contradictions.reviewers == 0


def test_links_of_an_earlier_version_still_open_what_they_opened(database_at):
    """Chairs' links opened every conference; sessions outlive the change of their table."""
    database = database_at("0004")
    conference, person = new_id(), new_id()
    links = {name: new_id() for name in ("ada", "chair", "printed at the start of 2026")}
    with database.writing() as session:
        _add_conference(session, conference)
        session.flush()
        session.execute(
            text("INSERT INTO area_chairs (id, conference, name) VALUES (:id, :of, 'Ada')"),
            {"id": person, "of": conference},
        )
        for label, id in links.items():
            row = {"id": id, "label": label, "at": now(), "of": person if label == "ada" else None}
            row |= {"secret": hashed(label), "cookie": hashed(f"{label}'s cookie"), "end": LATER}
            session.execute(
                text(
                    "INSERT INTO links (id, area_chair, secret, label, created) "
                    "VALUES (:id, :of, :secret, :label, :at)"
                ),
                row,
            )
            session.execute(
                text(
                    "INSERT INTO sessions (id, link, secret, created, expires) "
                    "VALUES (:id, :id, :cookie, :at, :end)"
                ),
                row,
            )
    database.migrate()
    ada = find_viewer(database, "ada's cookie")
    assert (ada.role, ada.conference, ada.name) == ("area_chair", conference, "Ada")
    assert find_viewer(database, "chair's cookie").is_owner
    with database.writing() as session:
        renew_printed(session, 30)
        assert session.scalar(select(func.count()).where(LinkRow.printed)) == 1
    assert find_viewer(database, "printed at the start of 2026's cookie").is_owner


def test_results_that_were_stored_twice_stay_in_their_files(database_at):
    """Version 0008 kept the tables of a run as rows, too."""
    database = database_at("0008")
    conference, run = new_id(), new_id()
    with database.writing() as session:
        _add_conference(session, conference)
        session.flush()
        values = {"id": run, "of": conference, "at": now(), "file": gzip.compress(b"paper\n7\n")}
        for statement in (
            "INSERT INTO runs (id, conference, status, created, request, name, shared, inputs, "
            "kinds, archived) VALUES (:id, :of, 'done', :at, '{}', 'Run', false, '[]', '{}', false)",
            "INSERT INTO papers (run, place, paper) VALUES (:id, 0, '7')",
            "INSERT INTO run_files (run, name, content) VALUES (:id, 'papers.csv', :file)",
        ):
            session.execute(text(statement), values)
    database.migrate()
    with database.reading() as session:
        assert finished_runs(session, conference) == [run]
        assert papers_of_run(session, run) == ["7"]
    assert not {"papers", "reviews", "ranks"} & set(inspect(database.engine).get_table_names())


def test_rows_change_after_the_triggers_that_counted_changes_are_dropped(database_at):
    database = database_at("0008")
    assert inspect(database.engine).has_table("access_version")
    with database.writing() as session:
        _add_conference(session, new_id())
    database.migrate()
    assert not inspect(database.engine).has_table("access_version")
    with database.writing() as session:
        session.execute(text("UPDATE conferences SET name = 'New'"))
        session.execute(text("DELETE FROM conferences"))


def test_the_line_of_the_newest_run_becomes_the_conferences(database_at):
    database = database_at("0010")
    conferences = {"two lines": new_id(), "none": new_id()}
    lines = {"two lines": ['{"amount": 5}', '{"amount": 9}', "null"], "none": ["null"]}
    with database.writing() as session:
        for name, conference in conferences.items():
            _add_conference(session, conference, name)
            session.flush()
            for days, line in enumerate(lines[name]):
                session.execute(
                    text(
                        "INSERT INTO runs (id, conference, status, created, request, name, shared, "
                        "inputs, archived, line) VALUES (:id, :of, 'done', :at, '{}', 'Run', false, "
                        "'[]', false, :line)"
                    ),
                    {
                        "id": new_id(),
                        "of": conference,
                        "at": now() + timedelta(days=days),
                        "line": line,
                    },
                )
    database.migrate()
    with database.reading() as session:
        found = {row.conference: row.value for row in session.scalars(select(LineRow))}
    assert found == {conferences["two lines"]: {"amount": 9}}


def test_a_version_has_one_schema():
    """Add a line, and raise the version, with every migration: two schemas never share a version."""
    schemas = {"0.2.0": "0011", "1.0.0": "0011"}
    assert (
        schemas[unround.__version__] == ScriptDirectory(str(storage.MIGRATIONS)).get_current_head()
    )
