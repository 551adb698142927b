"""One server to a PostgreSQL database, also after PostgreSQL was restarted.

Uploads lie in the server's folder and its caches in its memory, so one server at a time owns a
database. It holds an advisory lock, which PostgreSQL drops with the connection, and it writes every two
seconds that it is there. After a lost connection it takes the lock again. Another server that gets the
lock first waits for ten seconds: if the owner writes again, it gives up, so that it never ends runs that
are in progress elsewhere. An owner that stays silent is replaced, and steps back when it sees that.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress

from sqlalchemy import Connection, create_engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from unround.console.errors import LOCKED_CODES, postgres_code
from unround.console.storage.postgresql import wrap_connection_errors
from unround.errors import UsageError

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
            self._outwait(connection)
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

    def _outwait(self, connection: Connection) -> None:
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
