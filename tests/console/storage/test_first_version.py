"""A database that the first version made, kept as SQL text: it is opened, and nothing in it is lost.

`first_version.sql` is the whole database of a console with schema 0001: one conference of three papers,
a check, a shared run, two area chairs and a link of one of them.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import unround
from tests.console.conftest import Person, call_on_data, owner_of
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage import database
from unround.console.storage.backup import count_contents, restore_backup, write_backup
from unround.console.storage.open_data import open_alone

SQL = Path(__file__).with_name("first_version.sql")
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


def test_it_is_migrated_with_everything_in_it(old):
    _check_all_there(old)


def test_its_backup_is_restored_by_this_version(old, new_settings, tmp_path):
    """Into either database: the tables of the first version are made, filled, and migrated."""
    backup = tmp_path / "old.backup"
    assert count_contents(write_backup(old, backup))[1] == 2
    settings = replace(new_settings(), data=tmp_path / "new")
    restore_backup(settings, backup)
    _check_all_there(settings)


def test_its_file_learns_to_give_space_back(old):
    with open_alone(old) as opened, opened.reading() as session:
        assert session.connection().exec_driver_sql("PRAGMA auto_vacuum").scalar() == 1


def test_before_the_migration_it_is_backed_up_for_the_way_back(old, tmp_path, monkeypatch, caplog):
    with closing(sqlite3.connect(old.sqlite_file)) as file:
        before = set(file.iterdump())
    with open_alone(old):
        pass
    backup = old.data / f"before-{unround.__version__}.backup"
    assert str(backup) in caplog.text
    # The first version knows the first migration alone.
    migrations = shutil.copytree(database.MIGRATIONS, tmp_path / "migrations")
    for path in (migrations / "versions").glob("*.py"):
        if path.name != "first_tables.py":
            path.unlink()
    monkeypatch.setattr(database, "MIGRATIONS", migrations)
    settings = ConsoleSettings(data=tmp_path / "back")
    restore_backup(settings, backup)
    with closing(sqlite3.connect(settings.sqlite_file)) as file:
        assert set(file.iterdump()) == before
    assert {one.name for one in settings.uploads.iterdir()} == {
        one.name for one in old.uploads.iterdir()
    }


def test_a_backup_before_a_migration_goes_with_what_is_forgotten(old):
    with open_alone(old):
        pass
    assert call_on_data(old, "forget", "person", "Ada Example", "--yes").exit_code == 0
    assert not list(old.data.glob("*.backup"))


def _check_all_there(settings: ConsoleSettings) -> None:
    with open_console(settings) as console:
        chair = owner_of(console)
        (listed,) = chair.get("/api/conferences").json()
        conference = chair.get(f"/api/conferences/{listed['id']}").json()
        assert conference["name"] == "Conference of the first version"
        assert {one["name"] for one in conference["files"]} == {"reviews.csv", "rankings.csv"}
        (run,) = conference["runs"]
        assert (run["status"], run["shared"], run["archived"]) == ("done", True, False)
        view = chair.get(f"/api/runs/{run['id']}/view").json()
        assert view["papers"]["title"] == ["First", "Second", "Third"]
        scores = chair.get(f"/api/runs/{run['id']}/files/scores.csv").text
        assert scores.count("\n") == 7
        ada = Person(console).enter(LINK)
        assert ada.get(f"/api/runs/{run['id']}/view").json()["papers"]["paper"] == ["p1", "p2"]
        log = chair.get(f"/api/conferences/{listed['id']}/log").json()
        assert "shared a run" in {line["action"] for line in log}
