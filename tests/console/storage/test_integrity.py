"""A damaged database is told at the start, and a SQLite file gives space back."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage.open_data import open_alone
from unround.console.storage.orm import LogRow, now
from unround.errors import UsageError


@pytest.fixture
def settings(tmp_path) -> ConsoleSettings:
    """A console whose log fills some pages."""
    settings = ConsoleSettings(data=tmp_path)
    with open_alone(settings) as database, database.writing() as session:
        session.add_all(
            LogRow(at=now(), who="x", action="y", detail=f"{number} " * 500)
            for number in range(2_000)
        )
    return settings


def test_a_torn_or_cut_off_copy_is_not_served(settings):
    """Pages of two states in one file, as a copy of a busy one has them, and the first half of it."""
    file = settings.sqlite_file
    whole = file.read_bytes()
    middle = len(whole) // 8192 * 4096
    other_page = whole[middle - 40_960 : middle - 40_960 + 4096]
    for damaged in (whole[:middle] + other_page + whole[middle + 4096 :], whole[:middle]):
        file.write_bytes(damaged)
        with pytest.raises(UsageError, match=r"damaged .* Restore a backup with `unround restore`"):
            open_alone(settings).__enter__()


def test_rows_that_belong_to_nothing_are_reported(settings):
    with closing(sqlite3.connect(settings.sqlite_file)) as file:
        file.execute("INSERT INTO assignments VALUES ('nobody', 'a paper')")
        file.commit()
    with pytest.raises(UsageError, match="rows of assignments belong to nothing"):
        open_alone(settings).__enter__()


@pytest.mark.parametrize("statement", ["DELETE FROM alembic_version", "DROP TABLE alembic_version"])
def test_a_missing_version_is_reported(new_settings, statement):
    settings = new_settings()
    with open_alone(settings) as database, database.writing() as session:
        session.connection().exec_driver_sql(statement)
    with pytest.raises(UsageError, match="does not say which version of unround made it"):
        open_alone(settings).__enter__()


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("ALTER TABLE conferences DROP COLUMN show_line", "conferences.show_line is missing"),
        ("ALTER TABLE notes ADD COLUMN colour TEXT", "notes.colour is not known"),
        ("DROP TABLE saved_views", "saved_views.at is missing"),
    ],
)
def test_tables_that_do_not_fit_are_refused_at_the_start(new_settings, statement, words):
    """As a program between two versions left them: their revision is right, and every page would fail."""
    settings = new_settings()
    with open_alone(settings) as database, database.writing() as session:
        session.connection().exec_driver_sql(statement)
    with pytest.raises(UsageError, match=rf"do not fit unround .*: {words}\."):
        open_alone(settings).__enter__()


def test_deleted_rows_give_their_space_back(settings):
    full = settings.sqlite_file.stat().st_size
    assert full > 4_000_000
    with open_console(settings) as console:
        with console.database.writing() as session:
            session.connection().exec_driver_sql("DELETE FROM log")
        with console.database.reading() as session:
            unused = session.connection().exec_driver_sql("PRAGMA freelist_count").scalar()
    assert unused == 0
    assert settings.sqlite_file.stat().st_size < full / 2
