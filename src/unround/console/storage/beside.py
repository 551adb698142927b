"""Opening the data of a console for a short command, while a server may be running on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from unround.console.settings import ConsoleSettings
from unround.console.storage.database import MIGRATIONS, Database
from unround.console.storage.opening import open_alone


@contextmanager
def open_beside(settings: ConsoleSettings) -> Iterator[Database]:
    """Open the database beside a server or, where its tables are old or missing, alone.

    Both databases let several programs write; only tables must not change under a running server.
    """
    database = Database(settings.database_url, settings.busy_seconds) if _exists(settings) else None
    if database is not None and _is_current(database):
        try:
            yield database
        finally:
            database.close()
        return
    if database is not None:
        database.close()
    with open_alone(settings) as opened:
        yield opened


def _exists(settings: ConsoleSettings) -> bool:
    return settings.database is not None or settings.sqlite_file.is_file()


def _is_current(database: Database) -> bool:
    """Whether the tables are those of this version."""
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    try:
        with database.engine.connect() as connection:
            present = MigrationContext.configure(connection).get_current_revision()
    except DBAPIError:
        return False  # opening it alone tells why
    return present == ScriptDirectory(str(MIGRATIONS)).get_current_head()
