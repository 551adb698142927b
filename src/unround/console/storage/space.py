"""Space that deleted rows leave in a SQLite file: given back to the disk while the server runs.

PostgreSQL does so by itself (autovacuum); `unround forget` has both write their files anew.
"""

from __future__ import annotations

import logging
from typing import Any

from sqlalchemy.exc import DBAPIError

from unround.console.storage.database import Database

PAGES = 2_000  # given back in one transaction, so that others wait little
LEAST = 256  # unused pages that are left for the next rows
INCREMENTAL = 2
logger = logging.getLogger("unround.console")


def prepare_space(database: Database) -> None:
    """Have the file of an earlier version written anew once, so that it can give space back."""
    if not database.is_sqlite or _pragma(database, "auto_vacuum") == INCREMENTAL:
        return
    try:
        compact(database)
    except DBAPIError as error:  # no room for a second copy: it works as before
        logger.warning("the database file keeps the space of what is deleted: %s", error.orig)


def give_back(database: Database) -> int:
    """Give unused pages back to the disk, a few at a time; return how many are left."""
    if not database.is_sqlite:
        return 0
    unused = _pragma(database, "freelist_count")
    if unused <= LEAST:
        return 0
    pages = min(PAGES, unused - LEAST)
    connection = database.engine.raw_connection()
    try:
        driver: Any = connection.driver_connection
        # A script: the driver's plain call takes the first step of this statement, one page, alone.
        driver.executescript(f"PRAGMA incremental_vacuum({pages})")
        if pages < PAGES:
            driver.execute("PRAGMA wal_checkpoint(PASSIVE)")  # shrinks the file
    finally:
        connection.close()
    return unused - LEAST - pages


def compact(database: Database) -> None:
    """Have the database write its files anew, without what was deleted from them."""
    statements = (
        ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)") if database.is_sqlite else ("VACUUM FULL",)
    )
    connection = database.engine.raw_connection()
    try:
        driver: Any = connection.driver_connection
        driver.rollback()  # neither database does this inside a transaction
        if not database.is_sqlite:
            driver.autocommit = True
        for statement in statements:
            driver.cursor().execute(statement)
    finally:
        connection.invalidate()  # its settings are not those of the others


def _pragma(database: Database, name: str) -> int:
    with database.reading() as session:
        return int(session.connection().exec_driver_sql(f"PRAGMA {name}").scalar() or 0)
