"""The tables of the database, and its address."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from tests.console.conftest import World
from unround.console.access.log import note
from unround.console.errors import DATABASE_AWAY, storage_error
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.orm import Base, LogRow
from unround.errors import UsageError


def test_migrations_make_what_the_tables_say(world: World):
    with world.console.database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []


def test_a_reading_transaction_sees_one_state_throughout(new_settings):
    database = Database(new_settings().database_url)
    database.migrate()
    lines = select(func.count()).select_from(LogRow)
    with database.reading() as session:
        assert session.scalar(lines) == 0
        with database.writing() as other:
            note(other, None, "somebody", "wrote a line meanwhile")
        assert session.scalar(lines) == 0
    with database.reading() as session:
        assert session.scalar(lines) == 1
    database.close()


@pytest.mark.parametrize("transaction", ["reading", "writing"])
def test_a_socket_that_breaks_is_an_error_of_the_database(new_settings, transaction):
    """pg8000 raises the bare error of the socket when the server dies during a commit."""
    database = Database(new_settings().database_url)
    with pytest.raises(DBAPIError) as broken, getattr(database, transaction)():
        raise ConnectionResetError
    assert storage_error(broken.value) == (503, DATABASE_AWAY)
    database.close()


OTHERS = ["mysql://x", "what", "oracle://x/y", "sqlite:///x", "postgres:"]
OTHERS += ["postgresql://", "postgresql:///x", "postgresql://u@h:port/x"]
OTHERS += ["postgresql://ann@host/name?sslmodes=x"]


@pytest.mark.parametrize("url", OTHERS)
def test_other_databases_are_refused_in_words(url, tmp_path):
    with pytest.raises(UsageError, match="--database"):
        Database(ConsoleSettings(data=tmp_path, database=url).database_url)
