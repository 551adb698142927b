"""PostgreSQL: broken connections, and one server to a database.

Uploads lie in the server's folder and its caches in its memory, so one server at a time owns a database.
The owner holds an advisory lock, which PostgreSQL drops with the connection; within some seconds the owner
takes it again. A server that starts waits until PostgreSQL has been up for longer, so that it never ends
runs that are in progress elsewhere. An owner that finds its lock taken stops.
"""

from __future__ import annotations

import logging
import struct
import time
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from unround.console.errors import LOCKED_CODES, postgres_code
from unround.errors import UsageError


def wrap_connection_errors(engine: Engine) -> None:
    """Wrap socket errors during connect in the driver's InterfaceError.

    A server that crashes at that moment shows as an error of the socket, or as a message cut off.
    """

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Dialect, _record: object, arguments: Any, options: Any) -> Any:
        driver: Any = dialect.dbapi
        try:
            return driver.connect(*arguments, **options)
        except (OSError, struct.error) as error:
            raise driver.InterfaceError("network error") from error


LOCK = 0x756E726F756E64  # an arbitrary number that no other program locks
UP = 10.0  # seconds that PostgreSQL must be up before a server takes the lock
TIMEOUT = 10.0  # seconds to connect
UP_SINCE = "SELECT EXTRACT(EPOCH FROM clock_timestamp() - pg_postmaster_start_time())"
logger = logging.getLogger("unround.console")


class Ownership:
    """The right of one server to a database."""

    def __init__(self, url: URL) -> None:
        # The connection that holds the lock belongs to no pool: nobody else may use or close it.
        self._engine = create_engine(
            url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args={"timeout": TIMEOUT},
        )
        wrap_connection_errors(self._engine)
        self._connection: Connection | None = None  # which holds the lock
        self.lost = False  # true for good once another server owns the database

    def take(self, patience: float) -> None:
        """Take the lock, once an owner has had the time to take it again. Raises UsageError."""
        connection = self._connection = self._engine.connect()
        while (up := float(connection.exec_driver_sql(UP_SINCE).scalar_one())) < UP:
            time.sleep(UP - up)
        connection.exec_driver_sql(f"SET lock_timeout = {int(patience * 1000)}")
        try:
            connection.exec_driver_sql(f"SELECT pg_advisory_lock({LOCK})")
        except DBAPIError as error:
            if postgres_code(error) not in LOCKED_CODES:
                raise
            raise UsageError(
                "the database is used by another `unround serve`; stop it first"
            ) from None

    def keep(self) -> None:
        """Take the lock again if it is gone; if another server has it, the database is lost."""
        try:
            if self._connection is not None:
                self._connection.exec_driver_sql("SELECT 1")
                return
        except (DBAPIError, ConnectionError):
            self.close()
        connection = self._engine.connect()
        if connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({LOCK})").scalar():
            self._connection = connection
            return
        connection.close()
        self.lost = True
        logger.error("another server has taken over the database; this one stops")

    def close(self) -> None:
        """Give the database up."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):  # closing a broken connection may fail in many ways
                connection.close()
