"""A database of an earlier version is brought up to date with everything in it.

That of the first version is kept as SQL text: `first_version.sql` is the whole database of a console with
schema 0001: one conference of three papers, a check, a shared run, two area chairs and a link of one of them.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import func, inspect, select, text
from sqlalchemy.orm import Session

import unround
from tests.console.conftest import Person, call_on_data, owner_of
from unround.console.access.links import find_viewer, hashed, renew_printed
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage import database as storage
from unround.console.storage.backup import count_contents, restore_backup, write_backup
from unround.console.storage.database import Database
from unround.console.storage.open_data import open_alone
from unround.console.storage.orm import Base, CheckRow, LineRow, LinkRow, new_id, now

SQL = Path(__file__).with_name("first_version.sql")
NAME = "Conference of the first version"
LINK = "x#3F5MbA08qg4ZnNbhqdpvSzGPwJIUlsuGMWUoATvRHv0"
REVIEWS = b"""\
reviewer,paper,score,title,track,area_chair
ann,p1,3,First,Theory,Ada Example
ann,p2,3,Second,Theory,Ada Example
bob,p1,4,First,Theory,Ada Example
bob,p3,2,Third,Theory,Ben Example
cat,p2,3,Second,Theory,Ada Example
cat,p3,3,Third,Theory,Ben Example
"""
RANKINGS = b"reviewer,paper,rank\nann,p1,1\nann,p2,2\ncat,p3,1\ncat,p2,2\n"


@pytest.fixture
def old(tmp_path, front_end) -> ConsoleSettings:
    settings = ConsoleSettings(data=tmp_path / "old", front_end=front_end)
    settings.uploads.mkdir(parents=True)
    with closing(sqlite3.connect(settings.sqlite_file)) as file:
        file.executescript(SQL.read_text("utf-8"))
        names = dict(file.execute("SELECT name, id FROM files"))
    (settings.uploads / names["reviews.csv"]).write_bytes(REVIEWS)
    (settings.uploads / names["rankings.csv"]).write_bytes(RANKINGS)
    return settings


def test_the_first_version_and_its_backup_are_migrated_with_everything_in_them(
    old, new_settings, tmp_path
):
    """The backup into either database: the tables of the first version are made, filled, and migrated."""
    backup = tmp_path / "old.backup"
    assert count_contents(write_backup(old, backup))[1] == 2
    settings = replace(new_settings(), data=tmp_path / "new")
    restore_backup(settings, backup)
    for each in (settings, old):
        _check_all_there(each)


def test_before_the_migration_the_data_are_backed_up_until_somebody_is_forgotten(
    old, tmp_path, monkeypatch, caplog
):
    with closing(sqlite3.connect(old.sqlite_file)) as file:
        before = set(file.iterdump())
    with open_alone(old) as opened, opened.reading() as session:  # its file gives space back now
        assert session.connection().exec_driver_sql("PRAGMA auto_vacuum").scalar() == 1
    backup = old.data / f"before-{unround.__version__}.backup"
    assert str(backup) in caplog.text
    # The first version knows the first migration alone.
    migrations = shutil.copytree(storage.MIGRATIONS, tmp_path / "migrations")
    for path in (migrations / "versions").glob("*.py"):
        if path.name != "first_tables.py":
            path.unlink()
    monkeypatch.setattr(storage, "MIGRATIONS", migrations)
    monkeypatch.setattr(f"{restore_backup.__module__}.write_identity", lambda *_: None)
    settings = ConsoleSettings(data=tmp_path / "back")
    restore_backup(settings, backup)
    with closing(sqlite3.connect(settings.sqlite_file)) as file:
        assert set(file.iterdump()) == before
    kept, restored = ({one.name for one in each.uploads.iterdir()} for each in (old, settings))
    assert kept == restored
    monkeypatch.undo()
    # What is forgotten goes with the backup of the time before.
    assert call_on_data(old, "forget", "person", "Ada Example", "--yes").exit_code == 0
    assert not backup.exists()


def _check_all_there(settings: ConsoleSettings) -> None:
    with open_console(settings) as console:
        chair = owner_of(console)
        (listed,) = chair.get("/api/conferences").json()
        conference = chair.get(f"/api/conferences/{listed['id']}").json()
        assert (conference["name"], conference["disclosure"]) == (NAME, "order")
        assert {one["name"] for one in conference["files"]} == {"reviews.csv", "rankings.csv"}
        (run,) = conference["runs"]
        assert (run["status"], run["shared"], run["archived"]) == ("done", True, False)
        view = chair.get(f"/api/runs/{run['id']}/view").json()
        assert view["papers"]["title"] == ["First", "Second", "Third"]
        scores = chair.get(f"/api/runs/{run['id']}/files/scores.csv").text
        assert scores.count("\n") == 7
        with console.database.reading() as session:
            check = session.scalars(select(CheckRow.id)).one()
        found = chair.get(f"/api/checks/{check}").json()
        assert (found["status"], found["contradictions"]["reviewers"]) == ("done", 0)
        ada = Person(console).enter(LINK)
        assert ada.get(f"/api/runs/{run['id']}/view").json()["papers"]["paper"] == ["p1", "p2"]
        assert "shared a run" in {line["action"] for line in chair.log(listed["id"])}
        tables = inspect(console.database.engine).get_table_names()
        assert sorted(tables) == sorted([*Base.metadata.tables, "alembic_version"])
        # Triggers that a later version set on changes are gone with their table.
        for method, path in (
            ("PATCH", "conferences"),
            ("DELETE", "conferences"),
            ("DELETE", "bin"),
        ):
            changed = chair.request(method, f"/api/{path}/{listed['id']}", json={"name": "New"})
            assert changed.is_success, changed.text


# --- versions in between --------------------------------------------------------------------------


@pytest.fixture
def database(new_settings) -> Iterator[Database]:
    with closing(Database(new_settings().database_url)) as made:
        yield made


def _insert(session: Session, table: str, **values: object) -> None:
    """Add a row as a version did whose tables we have no classes for."""
    columns, places = ", ".join(values), ", ".join(f":{name}" for name in values)
    session.execute(text(f"INSERT INTO {table} ({columns}) VALUES ({places})"), values)


def _add_conference(session: Session) -> str:
    """With the columns that every version has."""
    id, flags = new_id(), {"show_stars": True, "show_names": False}
    values = {"id": id, "name": "Old", "created": now(), "edition": 0, "key": "0" * 64}
    _insert(session, "conferences", **values, **flags)
    return id


def test_links_of_an_earlier_version_still_open_what_they_opened(database: Database):
    """Chairs' links opened every conference; sessions outlive the change of their table."""
    database.migrate(revision="0004")
    person, made = new_id(), {"created": now()}
    with database.writing() as session:
        conference = _add_conference(session)
        _insert(session, "area_chairs", id=person, conference=conference, name="Ada")
        for label in ("ada", "chair", "printed at the start of 2026"):
            link = {"id": new_id(), "label": label, "secret": hashed(label)}
            link["area_chair"] = person if label == "ada" else None
            _insert(session, "links", **link, **made)
            entered = {"id": new_id(), "link": link["id"], "secret": hashed(f"{label}'s cookie")}
            _insert(session, "sessions", **entered, **made, expires=now() + timedelta(days=1))
    database.migrate()
    ada = find_viewer(database, "ada's cookie")
    assert (ada.role, ada.conference, ada.name) == ("area_chair", conference, "Ada")
    assert find_viewer(database, "chair's cookie").is_owner
    with database.writing() as session:
        renew_printed(session, 30)
        assert session.scalar(select(func.count()).where(LinkRow.printed)) == 1
    assert find_viewer(database, "printed at the start of 2026's cookie").is_owner


def test_the_line_of_the_newest_run_becomes_the_conferences(database: Database):
    database.migrate(revision="0010")
    run = {"status": "done", "request": "{}", "name": "Run", "inputs": "[]"}
    run |= {"shared": False, "archived": False}
    with database.writing() as session:
        with_lines, without = _add_conference(session), _add_conference(session)
        lines = [(with_lines, one) for one in ('{"amount": 5}', '{"amount": 9}', "null")]
        for days, (conference, line) in enumerate([*lines, (without, "null")]):
            own = {"id": new_id(), "conference": conference, "line": line}
            _insert(session, "runs", **run, **own, created=now() + timedelta(days=days))
    database.migrate()
    with database.reading() as session:
        found = {row.conference: row.value for row in session.scalars(select(LineRow))}
    assert found == {with_lines: {"amount": 9}}


def test_a_version_has_one_schema():
    """Add a line, and raise the version, with every migration: two schemas never share a version."""
    schemas = {"0.2.0": "0011", "1.0.0": "0013"}
    assert (
        schemas[unround.__version__] == ScriptDirectory(str(storage.MIGRATIONS)).get_current_head()
    )
