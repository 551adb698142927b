"""Whether a database is whole: looked at before anything is served from it."""

from __future__ import annotations

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DatabaseError

from unround.console.storage.database import Database
from unround.errors import UsageError

VERSION = "alembic_version"
OURS = "conferences"  # a table of the first version
ADVICE = "Restore a backup with `unround restore`, into another --data."


def check_integrity(database: Database) -> None:
    """Raise UsageError that says what is damaged and what to do."""
    try:
        with database.engine.connect() as connection:
            if database.is_sqlite:
                _check_file(connection)
            _check_version(connection)
    except DatabaseError as error:
        if "malformed" not in str(error.orig):
            raise
        raise _damaged(str(error.orig)) from None


def _check_file(connection: Connection) -> None:
    """Check every page, index and reference of a SQLite file: a copy of a busy one may be torn."""
    found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
    if found != "ok":
        raise _damaged(" ".join(str(found).split()))
    orphan = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if orphan is not None:
        raise _damaged(f"rows of {orphan[0]} belong to nothing")


def _damaged(what: str) -> UsageError:
    return UsageError(
        f"the database file is damaged ({what}), as a copy of a file in use may be. {ADVICE}"
    )


def _check_version(connection: Connection) -> None:
    """Refuse tables whose version is not written down: they cannot be migrated."""
    tables = inspect(connection).get_table_names()
    if OURS not in tables:
        return
    rows = (
        connection.exec_driver_sql(f"SELECT version_num FROM {VERSION}").all()  # noqa: S608
        if VERSION in tables
        else []
    )
    if len(rows) != 1:
        raise UsageError(
            f"the database does not say which version of unround made it: its table {VERSION} has "
            f"{len(rows)} rows where one belongs. {ADVICE}"
        )
