"""Opening the data of a console: alone, for the server or a command that changes them, or beside a server."""

from __future__ import annotations

import logging
import os
import re
import shutil
import struct
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import inspect, select
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError

from unround import __version__
from unround.console.errors import storage_error
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import MIGRATIONS, Database, compact, finish_compaction
from unround.console.storage.orm import Base, FileRow, IdentityRow, new_id
from unround.console.storage.postgresql import Ownership
from unround.console.storage.uploads import settle
from unround.errors import UsageError
from unround.output.atomic import whole_file

RESTORING = "restoring"  # a file in a data folder into which a backup is being restored
BEFORE_UPGRADE = (
    "before-"  # begins the name of a backup made before a migration; then the new revision
)
SCRATCH = re.compile(
    "[0-9a-f]{32}|tmp[a-z0-9_]{8}"
)  # of workers, and of requests (TemporaryDirectory)
SCRIPTS = ScriptDirectory(str(MIGRATIONS))
HEAD = SCRIPTS.get_current_head()
UNUSED_BYTE = 0x3FFFFFFF  # of SQLite's file, before those that it locks
FIRST_TABLE = "conferences"  # a table of the first version
logger = logging.getLogger("unround.console")
ADVICE = "Restore a backup with `unround restore`, into another --data."
UNCHANGED = "Nothing was changed."


@contextmanager
def open_alone(settings: ConsoleSettings) -> Iterator[Database]:
    """Lock the data folder and the database, bring the tables to this version, and close all after.

    Raises UsageError that says why not. A second server would take this one's runs for broken ones.
    """
    with open_locked(settings) as database:
        if (settings.data / RESTORING).exists():
            raise UsageError(
                f"a restore into {settings.data} was interrupted; repeat `unround restore` first"
            )
        check_integrity(database)
        check_identity(settings, database)
        _migrate(settings, database)
        _check_tables(database)
        write_identity(settings, database)
        _sweep(settings, database)
        try:
            finish_compaction(database, settings.uncompacted)
        except DBAPIError as error:
            logger.warning(
                "what was forgotten may still be in the database file: %s", _message(error)
            )
        yield database


@contextmanager
def open_locked(settings: ConsoleSettings) -> Iterator[Database]:
    """Lock the data folder and the database, as they are, and close all after. Raises UsageError."""
    _make_folders(settings)
    with ExitStack() as opened:
        opened.enter_context(_locked(settings.data / "lock"))
        if settings.database is None:
            opened.enter_context(_locked(settings.sqlite_file, database=True))
        database = Database(settings.database_url, settings.busy_seconds)
        opened.callback(database.close)
        if not database.is_sqlite:
            database.owner = Ownership(database.url)
            opened.callback(database.owner.close)
            database.owner.take(settings.busy_seconds)
        yield database


@contextmanager
def plain_database_errors() -> Iterator[None]:
    """Raise UsageError that says why the database cannot be used, in the same words for all commands."""
    try:
        yield
    except IntegrityError:
        raise  # an error in unround
    except DBAPIError as error:
        raise UsageError(f"the database cannot be used: {_message(error)}") from error


def _message(error: DBAPIError) -> str:
    """Return a database error in plain words; a command that leaves something behind adds a note."""
    storage, notes = storage_error(error), getattr(error, "__notes__", [])
    details: Any = error.orig.args[0] if error.orig is not None and error.orig.args else None
    words = details.get("M", details) if isinstance(details, dict) else details
    sentence = storage[1] if storage else str(words)
    return " ".join([sentence.removesuffix(" Nothing was changed.") if notes else sentence, *notes])


def _make_folders(settings: ConsoleSettings) -> None:
    try:
        for folder in (settings.data, settings.uploads, settings.work):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (settings.uploads, settings.work):
            folder.chmod(0o700)
        if settings.database is None:
            used = settings.identity.exists() or any(settings.uploads.iterdir())
            if used and not settings.sqlite_file.exists():
                raise UsageError(
                    f"{settings.data} belongs to a database, and {settings.sqlite_file.name} is not in "
                    f"it. Put that back, or name the right --database or --data. {UNCHANGED}"
                )
            settings.sqlite_file.touch(mode=0o600)
            settings.sqlite_file.chmod(0o600)  # also one that was copied here
    except OSError as error:
        raise UsageError(
            f"--data {settings.data} cannot be used: {error.strerror or error}"
        ) from error


def check_identity(settings: ConsoleSettings, database: Database) -> None:
    """Raise UsageError where the data folder and the database belong to different consoles.

    A folder without an id is new: neither it nor the database holds an upload.
    """
    with database.reading() as session:
        tables = inspect(session.connection()).get_table_names()
        id = session.scalar(select(IdentityRow.id)) if "identity" in tables else None
        uploads = session.scalars(select(FileRow.id)).first() if "files" in tables else None
    if settings.identity.exists():
        belongs = settings.identity.read_text("utf-8").strip() == id
    else:
        belongs = uploads is None and not any(settings.uploads.iterdir())
    if belongs:
        return
    name = "unround.db" if database.is_sqlite else database.url.set(drivername="postgresql")
    mend = f"write {id} into {settings.identity}" if id else "restore a backup"
    raise UsageError(
        f"{settings.data} is not the data folder of {name}: their ids differ. Name the right --data and "
        f"the right --database (none for SQLite). {UNCHANGED} If both are right, {mend}."
    )


def write_identity(settings: ConsoleSettings, database: Database) -> None:
    """Write the database's id into the data folder, which from now on is refused with another one."""
    with database.reading() as session:
        id = session.scalars(select(IdentityRow.id)).one()
    if not settings.identity.exists():
        with whole_file(settings.identity, private=True) as draft:
            draft.write_text(f"{id}\n", "utf-8")


def _sweep(settings: ConsoleSettings, database: Database) -> None:
    """Remove what killed servers, workers and commands left, by names that they alone give.

    Other files among the uploads are set aside: nothing is deleted because it is not known.
    """
    with database.reading() as session:
        listed = set(session.scalars(select(FileRow.id)))
    settle(settings.uploads, listed)
    for scratch in filter(SCRATCH.fullmatch, os.listdir(settings.work)):
        shutil.rmtree(settings.work / scratch, ignore_errors=True)
    for name in set(os.listdir(settings.uploads)) - listed:
        settings.set_aside.mkdir(mode=0o700, exist_ok=True)
        aside = shutil.move(settings.uploads / name, settings.set_aside / f"{name}-{new_id()}")
        logger.warning("an upload that the database does not list was moved to %s", aside)


def _migrate(settings: ConsoleSettings, database: Database) -> None:
    """Bring the tables to this version, which no earlier one can open: back up such a database first."""
    from unround.console.storage.backup import write_backup

    version = _version(database)
    if version == HEAD:
        return
    if version is None and inspect(database.engine).has_table(FIRST_TABLE):
        raise UsageError(f"the database does not say which version of unround made it. {ADVICE}")
    if version is not None:
        try:
            SCRIPTS.get_revision(version)
        except CommandError:
            raise UsageError(
                f"the database was made by another version of unround: its tables are of revision "
                f"{version}, and unround {__version__} knows those up to {HEAD}. Use that version, or "
                "another --data"
            ) from None
        file = settings.data / f"{BEFORE_UPGRADE}{HEAD}.backup"
        write_backup(settings, file)
        logger.warning("%s holds the data as they were before this upgrade", file)
    database.migrate()
    with suppress(DBAPIError):  # no room for a second copy: files stay as large as they are
        compact(database)


def _check_tables(database: Database) -> None:
    """Refuse tables of this revision with other columns than this version has: every page would fail."""
    stored = inspect(database.engine).get_multi_columns()
    for name, table in Base.metadata.tables.items():
        there = {column["name"] for column in stored.get((None, name), ())}
        for column in sorted(there ^ {*table.columns.keys()}):
            raise UsageError(
                f"the tables do not fit unround {__version__}, although their revision is {HEAD}: "
                f"{name}.{column} is {'not known' if column in there else 'missing'}. Use the version of "
                f"unround that made the database. {ADVICE}"
            )


@contextmanager
def _locked(file: Path, *, database: bool = False) -> Iterator[None]:
    """Hold a lock on a file, against a second server. On a database: on a byte that SQLite never locks."""
    handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform != "win32":  # no fcntl there: the operator must not start two
            import fcntl

            try:
                if not database:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                elif hasattr(
                    fcntl, "F_OFD_SETLK"
                ):  # Linux. SQLite's own locks would end with others.
                    byte = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, UNUSED_BYTE, 1, 0)
                    fcntl.fcntl(handle, fcntl.F_OFD_SETLK, byte)
            except OSError as error:
                used = isinstance(error, BlockingIOError)
                raise UsageError(
                    f"the data in {file.parent} are used by another `unround serve`; stop it, or name "
                    "another --data"
                    if used
                    else f"{file} cannot be locked ({error.strerror}), so that a second server could open "
                    "the same data; name a --data on a local disk"
                ) from None
        yield
    finally:
        os.close(handle)


@contextmanager
def open_beside(settings: ConsoleSettings) -> Iterator[Database]:
    """Open the database beside a server or, where its tables are old or missing, alone.

    Both databases let several programs write; only tables must not change under a running server.
    """
    if settings.database is not None or settings.sqlite_file.is_file():
        with closing(Database(settings.database_url, settings.busy_seconds)) as database:
            if _version(database) == HEAD:
                check_identity(settings, database)
                yield database
                return
    with open_alone(settings) as opened:
        yield opened


def _version(database: Database) -> str | None:
    """Return the version of the tables; None where there are none."""
    with database.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def check_integrity(database: Database) -> None:
    """Raise UsageError that says what is damaged and what to do.

    Every page, index and reference of a SQLite file is checked: a copy of a busy one may be torn.
    """
    if not database.is_sqlite:
        return
    try:
        with database.engine.connect() as connection:
            found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
            orphan = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    except DatabaseError as error:
        if "malformed" not in str(error.orig):
            raise
        raise _damaged(str(error.orig)) from None
    if found != "ok":
        raise _damaged(" ".join(str(found).split()))
    if orphan is not None:
        raise _damaged(f"rows of {orphan[0]} belong to nothing")


def _damaged(what: str) -> UsageError:
    return UsageError(
        f"the database file is damaged ({what}), as a copy of a file in use may be. {ADVICE}"
    )
