"""PostgreSQL: the password, broken connections, and one server to a database.

The password comes from where PostgreSQL's own programs take it: on the command line, everybody on the
machine would see it in the list of processes.

Uploads lie in the server's folder and its caches in its memory, so one server at a time owns a database.
The owner holds an advisory lock, which PostgreSQL drops with the connection, and writes a heartbeat every
two seconds. After a lost connection it takes the lock again. Another server that gets the lock first waits
for ten seconds: if the owner's heartbeat returns, it gives up, so that it never ends runs that are in
progress elsewhere. A silent owner is replaced, and stops when it sees that.
"""

from __future__ import annotations

import logging
import os
import re
import stat
import struct
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
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
BEAT = 2.0  # seconds between two signs of life
SILENT = 10.0  # seconds that another server waits for one before it replaces an owner
LOOK = 0.5  # seconds between two looks at a former owner
USED = "the database is used by another `unround serve`; stop it first"
HAS_TABLE = text("SELECT to_regclass('servers') IS NOT NULL")
OTHERS = text("SELECT max(seen) FROM servers WHERE folder <> :folder")
FORGET_OTHERS = text("DELETE FROM servers WHERE folder <> :folder AND seen <= :seen")
ENTER = text(
    "INSERT INTO servers (folder, seen) VALUES (:folder, clock_timestamp()) "
    "ON CONFLICT (folder) DO UPDATE SET seen = clock_timestamp()"
)
SIGN = text("UPDATE servers SET seen = clock_timestamp() WHERE folder = :folder")
LEAVE = text("DELETE FROM servers WHERE folder = :folder")
IS_OURS = text("SELECT true FROM servers WHERE folder = :folder FOR SHARE")
logger = logging.getLogger("unround.console")


class Ownership:
    """The right of one server to a database. `folder` names the server by its data folder."""

    def __init__(self, url: URL, folder: str) -> None:
        # The connection that holds the lock belongs to no pool: nobody else may use or close it.
        self._engine = create_engine(
            url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args={"timeout": SILENT},
        )
        wrap_connection_errors(self._engine)
        self._folder = {"folder": folder}
        self._connection: Connection | None = None
        self._has_lock = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="ownership", daemon=True)
        self.lost = threading.Event()  # set for good once another server owns the database

    def take(self, patience: float) -> None:
        """Take the lock, and wait until a former owner is silent. Raises UsageError."""
        self._connection = connection = self._engine.connect()
        connection.exec_driver_sql(f"SET lock_timeout = {int(patience * 1000)}")
        try:
            connection.exec_driver_sql(f"SELECT pg_advisory_lock({LOCK})")
            self._has_lock = True
            self._wait_for_silence(connection)
        except DBAPIError as error:
            if postgres_code(error) in LOCKED_CODES:
                raise UsageError(USED) from None
            raise

    def enter(self) -> None:
        """Write down that this server is the owner, once the tables are there; then keep it so."""
        assert self._connection is not None
        self._connection.execute(ENTER, self._folder)
        self._thread.start()

    def holds(self, session: Session) -> bool:
        """Whether this server is the owner, and stays it until the transaction ends."""
        return not self.lost.is_set() and bool(session.scalar(IS_OURS, self._folder))

    def close(self) -> None:
        """Give the database up."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(SILENT)
        if self._connection is not None and self._has_lock:
            with suppress(DBAPIError):  # a lost connection holds no lock
                if self._connection.scalar(HAS_TABLE):
                    self._connection.execute(LEAVE, self._folder)
        self._drop()

    def _wait_for_silence(self, connection: Connection) -> None:
        """Wait until no other owner is left. One that gives a sign of life stays the owner.

        Its silence is counted from now on: while the database was away, nobody could write into it.
        """
        if not connection.scalar(HAS_TABLE):
            return
        last = connection.scalar(OTHERS, self._folder)
        deadline = time.monotonic() + SILENT
        while last is not None and time.monotonic() < deadline:
            time.sleep(LOOK)
            if connection.scalar(OTHERS, self._folder) not in (last, None):
                raise UsageError(USED)
        connection.execute(FORGET_OTHERS, {**self._folder, "seen": last})
        if connection.scalar(OTHERS, self._folder) is not None:  # a sign in the last moment
            raise UsageError(USED)

    def _keep(self) -> None:
        """Give signs of life until the server closes, or another one owns the database."""
        while not self._stop.wait(BEAT) and not self.lost.is_set():
            try:
                self._beat()
            except Exception as error:  # the database is away: tried again at the next beat
                logger.debug("no sign of life could be written: %s", type(error).__name__)
                self._drop()

    def _beat(self) -> None:
        if self._connection is None:
            self._connection = self._engine.connect()
        if self._connection.execute(SIGN, self._folder).rowcount != 1:
            self.lost.set()
            logger.error("another server has taken over the database; this one stops")
        elif not self._has_lock:
            taken = self._connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({LOCK})")
            self._has_lock = bool(taken.scalar())

    def _drop(self) -> None:
        connection, self._connection, self._has_lock = self._connection, None, False
        if connection is not None:
            with suppress(Exception):  # closing a broken connection may fail in many ways
                connection.close()
