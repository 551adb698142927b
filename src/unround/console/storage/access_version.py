"""The count of changes of who may see what: one short query for every request."""

from __future__ import annotations

import asyncio
import sqlite3
import threading

from sqlalchemy import select, text

from unround.console.storage.database import Database
from unround.console.storage.orm import ACCESS_VERSION
from unround.console.storage.together import Together

QUERY = str(select(ACCESS_VERSION.c.changes))


class AccessVersion:
    """Reads the count that the triggers of the database keep.

    SQLite is read through one connection without SQLAlchemy: that takes microseconds, so that it need
    not leave the event loop. PostgreSQL is read by a thread, once for all requests that wait.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None  # opened at the first query
        self._reading = Together[None, int](lambda requests: [self.read()] * len(requests))

    async def current(self) -> int:
        """Return the count as it is at this moment or a little later."""
        if self._database.is_sqlite:
            return self.read()
        return await asyncio.wrap_future(self._reading.submit(None))

    def read(self) -> int:
        """Return the count."""
        if self._database.is_sqlite:
            return self._read_sqlite()
        with self._database.engine.connect() as connection:
            plain = connection.execution_options(isolation_level="AUTOCOMMIT")
            return int(plain.execute(text(QUERY)).scalar_one())

    def close(self) -> None:
        """End the thread, and close SQLite's connection."""
        self._reading.close()
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _read_sqlite(self) -> int:
        with self._lock:
            if self._connection is None:
                file = self._database.url.database or ""
                self._connection = sqlite3.connect(
                    file, isolation_level=None, check_same_thread=False
                )
            return int(self._connection.execute(QUERY).fetchone()[0])
