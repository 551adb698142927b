"""The database: SQLite in the data folder, or PostgreSQL by its URL."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, InterfaceError, OperationalError
from sqlalchemy.orm import Session

from unround.console.errors import DatabaseTaken
from unround.console.settings import BUSY_SECONDS
from unround.console.storage.postgresql import Ownership, wrap_connection_errors
from unround.errors import UsageError

MIGRATIONS = Path(__file__).with_name("migrations")
# All are kept open: a connection beyond the pool's size would be opened anew for every request.
MOST_CONNECTIONS = 48


class Database:
    """Transactions that read, and transactions that write."""

    def __init__(
        self, url: str, busy_seconds: float = BUSY_SECONDS, *, alone: bool = False
    ) -> None:
        """`alone`: SQLite keeps its index of the log in memory, for one connection, on a full disk too."""
        self.url = _with_password(_checked(url))
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = (
            _sqlite(self.url, busy_seconds, alone=alone)
            if self.is_sqlite
            else _postgresql(self.url, busy_seconds)
        )
        self.owner: Ownership | None = None  # of a server on PostgreSQL
        # SQLite has one writer at a time and serves waiting ones in no order: they queue here.
        self._turn = threading.Lock() if self.is_sqlite else nullcontext()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a transaction that sees one state throughout and changes nothing."""
        with _lost_connections_as_database_errors(), Session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self, *, durable: bool = False) -> Iterator[Session]:
        """Open a transaction that is committed when the block ends, and undone when it raises.

        SQLite takes its write lock at the start: a transaction that asks for it later may not wait.
        `durable`: SQLite waits until the commit is on the disk. Otherwise a power failure may lose the
        last transactions, each as a whole.
        """
        if self.owner is not None and self.owner.lost:
            raise DatabaseTaken
        engine = self.engine.execution_options(writing=True, durable=durable)
        with (
            _lost_connections_as_database_errors(),
            self._turn,
            Session(engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    def migrate(self, connection: Connection | None = None, revision: str = "head") -> None:
        """Migrate the tables to this version, in the connection's transaction or in one of its own."""
        if connection is None:
            with self.engine.execution_options(writing=True).begin() as own:
                self.migrate(own, revision)
            return
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, revision)

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


@contextmanager
def _lost_connections_as_database_errors() -> Iterator[None]:
    """Raise pg8000's bare socket errors as errors of the database, as SQLAlchemy does with others."""
    try:
        yield
    except ConnectionError as error:
        raise InterfaceError("the connection was lost", None, error) from error


def _checked(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the second for a port that is no number
        raise UsageError("--database takes a URL such as postgresql://user@host/name") from None
    if parsed.query:
        raise UsageError(
            f"--database takes no options after the name, such as {next(iter(parsed.query))}"
        )
    is_sqlite = parsed.drivername == "sqlite"
    if not is_sqlite and not parsed.username:
        raise UsageError("--database names a user, as in postgresql://user@host/name")
    return parsed if is_sqlite else parsed.set(drivername="postgresql+pg8000")


def _with_password(url: URL) -> URL:
    """Return the URL with the password of PGPASSWORD, unless it has one.

    On a command line, everybody on the machine would see it in the list of processes.
    """
    password = os.environ.get("PGPASSWORD")
    return url if url.password or not password else url.set(password=password)


def _sqlite(url: URL, busy_seconds: float, *, alone: bool) -> Engine:
    engine = create_engine(url, pool_size=MOST_CONNECTIONS, max_overflow=0, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions begin below, not by the driver's guess
        connection.execute(f"PRAGMA busy_timeout={int(busy_seconds * 1000)}")
        if alone:  # before the file is read
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        if connection.execute("PRAGMA auto_vacuum").fetchone() != (1,):
            # A commit gives the space of deleted rows back. Before journal_mode, and once: it writes.
            connection.execute("PRAGMA auto_vacuum=FULL")
        for setting in ("journal_mode=WAL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("writing"):
            mode = "FULL" if options.get("durable") else "NORMAL"
            connection.exec_driver_sql(f"PRAGMA synchronous={mode}")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql("BEGIN")

    return engine


def _postgresql(url: URL, busy_seconds: float) -> Engine:
    engine = create_engine(
        url,
        pool_size=MOST_CONNECTIONS,
        max_overflow=0,
        pool_pre_ping=True,
        hide_parameters=True,
    )

    # pg8000 sends many rows one by one: have SQLAlchemy insert a thousand with each statement.
    engine.dialect.use_insertmanyvalues_wo_returning = True
    wrap_connection_errors(engine)
    # A broken connection is reported by whoever used it. That closing it failed as well adds nothing.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"SET lock_timeout = {int(busy_seconds * 1000)}")
        connection.commit()
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # One statement: the option `isolation_level` sends six around every transaction.
        if not connection.get_execution_options().get("writing"):
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")

    return engine


# PostgreSQL's planner keeps values of a column until it is analysed with rows in it, or altered.
FORGET_STATISTICS = """DO $$ DECLARE one text; BEGIN
FOR one IN SELECT format('ALTER TABLE %I ALTER %I TYPE %s', relname, attname, atttypid::regtype)
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0
    AND atttypid IN ('text'::regtype, 'json'::regtype)
LOOP EXECUTE one; END LOOP; END $$"""


def finish_compaction(database: Database, unfinished: Path) -> None:
    """Compact the database if a file says that this is to be done; the file stays if it fails."""
    if unfinished.exists():
        compact(database)
        unfinished.unlink()


def compact(database: Database) -> None:
    """Have the database write its files anew, without what was deleted from them. Raises DBAPIError."""
    statements = (
        ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
        if database.is_sqlite
        else (FORGET_STATISTICS, "VACUUM (FULL, ANALYZE)")
    )
    connection = database.engine.raw_connection()
    try:
        driver: Any = connection.driver_connection
        driver.rollback()  # neither database does this inside a transaction
        if not database.is_sqlite:
            driver.autocommit = True
        for statement in statements:
            driver.cursor().execute(statement)
    except database.engine.dialect.loaded_dbapi.Error as error:
        raise OperationalError("VACUUM", None, error) from error
    finally:
        connection.invalidate()  # its settings are not those of the others
