"""The database: SQLite in the data folder, or PostgreSQL by its address."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.orm import Session

from unround.console.settings import BUSY_SECONDS
from unround.errors import UsageError

MIGRATIONS = Path(__file__).with_name("migrations")
SERVER_LOCK = 0x756E726F756E64  # a number that nobody else has reason to lock
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+pg8000", "postgres": "postgresql+pg8000"}
# PostgreSQL's codes: a lock was not had in time; no connection, no memory, no disk is left.
LOCKED, FULL = ("55P03", "40P01", "53300"), ("53100", "53200")


class Database:
    """Transactions that read, and transactions that write.

    durable  SQLite: have every transaction on the disk before going on, so that not even the last
             one is lost when the power fails; else it may be, whole
    """

    def __init__(
        self, url: str, busy_seconds: float = BUSY_SECONDS, *, durable: bool = False
    ) -> None:
        self.url = _checked(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = (
            _sqlite(self.url, busy_seconds, durable=durable)
            if self.is_sqlite
            else _postgresql(self.url, busy_seconds)
        )
        self._writer = self.engine.execution_options(writing=True)
        # SQLite has one writer at a time, and those who wait there may wait long: they queue here.
        self._turn = threading.Lock() if self.is_sqlite else nullcontext()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that sees one state throughout, and changes nothing."""
        with Session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that happens whole when the block ends well, or not at all.

        SQLite takes its write lock at the beginning: one that asks for it later may not wait.
        """
        with (
            self._turn,
            Session(self._writer, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    def migrate(self) -> None:
        """Bring the tables to this version."""
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        with self._writer.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Be the only server of a PostgreSQL database. SQLite's lies in a folder that is locked."""
        if self.is_sqlite:
            yield
            return
        with self.engine.connect() as connection:
            held = connection.execution_options(isolation_level="AUTOCOMMIT")
            try:
                held.exec_driver_sql(f"SELECT pg_advisory_lock({SERVER_LOCK})")
            except DBAPIError as problem:
                if _code(problem) not in LOCKED:
                    raise
                raise UsageError("the database is used by another `unround serve`") from None
            try:
                yield
            finally:
                with suppress(DBAPIError):  # a connection that is gone holds nothing
                    held.exec_driver_sql(f"SELECT pg_advisory_unlock({SERVER_LOCK})")

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def trouble(problem: BaseException) -> tuple[int, str] | None:
    """The status and the words for a database or a disk that cannot go on; None for anything else."""
    if isinstance(problem, OSError) and not isinstance(problem, ConnectionError):
        return (507, FULL_WORDS) if problem.errno in (27, 28, 122) else None
    if not isinstance(problem, DBAPIError):
        return None
    said, code = str(problem.orig), _code(problem)
    if code in FULL or "is full" in said or "disk I/O error" in said:
        return 507, FULL_WORDS
    if code in LOCKED or "is locked" in said or "busy" in said:
        return 503, "The database is locked by another program. Try again in a moment."
    if problem.connection_invalidated or "connect" in said.lower() or "network" in said.lower():
        return 503, "The database cannot be reached. Try again in a moment."
    return None


FULL_WORDS = "There is no room left on the disk. Nothing was changed."


def _code(problem: DBAPIError) -> str:
    details: Any = problem.orig.args[0] if problem.orig is not None and problem.orig.args else None
    return str(details.get("C", "")) if isinstance(details, dict) else ""


def _checked(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UsageError(
            "--database takes an address such as postgresql://user@host/name or sqlite:///file.db"
        ) from None
    known = DRIVERS.get(parsed.drivername.split("+")[0])
    if known is None:
        raise UsageError(f"--database knows sqlite and postgresql, not {parsed.drivername}")
    return parsed.set(drivername=known)


def _sqlite(url: URL, busy_seconds: float, *, durable: bool) -> Engine:
    engine = create_engine(url, pool_size=16, max_overflow=48, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions begin below, not where the driver guesses
        for setting in (
            f"busy_timeout={int(busy_seconds * 1000)}",
            "journal_mode=WAL",
            "foreign_keys=ON",
            f"synchronous={'FULL' if durable else 'NORMAL'}",
        ):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get("writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _postgresql(url: URL, busy_seconds: float) -> Engine:
    engine = create_engine(
        url, pool_size=16, max_overflow=32, pool_pre_ping=True, hide_parameters=True
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"SET lock_timeout = {int(busy_seconds * 1000)}")
        connection.commit()
        cursor.close()

    return engine
