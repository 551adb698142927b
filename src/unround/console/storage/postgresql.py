"""PostgreSQL: the password, broken connections, and one server to a database.

The password comes from where PostgreSQL's own programs take it: on the command line, everybody on the
machine would see it in the list of processes.

Uploads lie in the server's folder and its caches in its memory, so one server at a time owns a database.
The owner holds an advisory lock, which PostgreSQL drops with the connection; within some seconds the owner
takes it again. A server that starts waits until PostgreSQL has been up for longer, so that it never ends
runs that are in progress elsewhere. An owner that finds its lock taken stops.
"""

from __future__ import annotations

import logging
import os
import re
import stat
import struct
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from unround.console.errors import LOCKED_CODES, postgres_code
from unround.errors import UsageError

PASSWORD, PASSWORD_FILE = "PGPASSWORD", "PGPASSFILE"
PORT = 5432


def with_password(url: URL, environment: Mapping[str, str] = os.environ) -> URL:
    """Return the URL with the password of PGPASSWORD or of the password file, unless it has one."""
    if url.password is not None:
        return url
    password = environment.get(PASSWORD) or _from_file(url, environment)
    return url if password is None else url.set(password=password)


def _from_file(url: URL, environment: Mapping[str, str]) -> str | None:
    """Return the password of the first matching line: host:port:database:user:password."""
    named = environment.get(PASSWORD_FILE)
    path = Path(named) if named else Path.home() / ".pgpass"
    if not path.is_file():
        if named:
            raise UsageError(f"{PASSWORD_FILE} names {path}, which is no file")
        return None
    if sys.platform != "win32" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"others may read the passwords in {path}; run chmod 600 {path}")
    wanted = (url.host or "localhost", str(url.port or PORT), url.database, url.username)
    for line in path.read_text("utf-8").splitlines():
        *fields, password = _fields(line)
        if len(fields) == len(wanted) and all(
            field in ("*", value) for field, value in zip(fields, wanted, strict=True)
        ):
            return password
    return None


def _fields(line: str) -> list[str]:
    r"""Split a line at colons; a backslash makes a colon or a backslash part of a field.

    >>> _fields(r"db.example.org:*:unround:chair:a\:b\\c")
    ['db.example.org', '*', 'unround', 'chair', 'a:b\\c']
    """
    if line.startswith("#"):
        return [""]
    return [
        re.sub(r"\\(.)", r"\1", field) for field in re.findall(r"(?:^|:)((?:\\.|[^:\\])*)", line)
    ]


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
