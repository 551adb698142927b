"""Opening the data of a console: alone, for the server or a command that changes them, or beside a server."""

from __future__ import annotations

import logging
import os
import re
import shutil
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
from unround.console.storage.database import MIGRATIONS, Database, compact
from unround.console.storage.orm import FileRow
from unround.console.storage.postgresql import Ownership
from unround.errors import UsageError

RESTORING = "restoring"  # a file in a data folder into which a backup is being restored
# Folders of earlier versions in the data folder: hard links to uploads, of killed backups, and kept views.
OF_EARLIER_VERSIONS = re.compile("backup-[0-9a-f]{32}|views")
BEFORE_UPGRADE = "before-"  # how a backup that is made before a migration begins
SCRIPTS = ScriptDirectory(str(MIGRATIONS))
HEAD = SCRIPTS.get_current_head()
FIRST_TABLE = "conferences"  # a table of the first version
logger = logging.getLogger("unround.console")
ADVICE = "Restore a backup with `unround restore`, into another --data."


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
        _migrate(settings, database)
        _sweep(settings, database)
        yield database


@contextmanager
def open_locked(settings: ConsoleSettings) -> Iterator[Database]:
    """Lock the data folder and the database, as they are, and close all after. Raises UsageError."""
    _make_folders(settings)
    with _lock_folder(settings.data), ExitStack() as opened:
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
    except CommandError as error:
        raise UsageError(
            "the database was made by a later version of unround; use that, or another --data"
        ) from error


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
            settings.sqlite_file.touch(mode=0o600)
            settings.sqlite_file.chmod(0o600)  # also one that was copied here
    except OSError as error:
        raise UsageError(
            f"--data {settings.data} cannot be used: {error.strerror or error}"
        ) from error


def _sweep(settings: ConsoleSettings, database: Database) -> None:
    """Remove what killed servers, workers and commands left: nobody else uses a folder opened alone.

    Such files would outlive what people delete or `unround forget` removes.
    """
    with database.reading() as session:
        owned = set(session.scalars(select(FileRow.id)))
    uploads = [path for path in settings.uploads.iterdir() if path.name not in owned]
    earlier = [one for one in settings.data.iterdir() if OF_EARLIER_VERSIONS.fullmatch(one.name)]
    for path in (*uploads, *earlier, *settings.work.iterdir()):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _migrate(settings: ConsoleSettings, database: Database) -> None:
    """Bring the tables to this version, which no earlier one can open: back up such a database first."""
    from unround.console.storage.backup import write_backup

    version = _version(database)
    if version == HEAD:
        return
    if version is None and inspect(database.engine).has_table(FIRST_TABLE):
        raise UsageError(f"the database does not say which version of unround made it. {ADVICE}")
    if version is not None:
        SCRIPTS.get_revision(version)  # raises CommandError where it is that of a later unround
        file = settings.data / f"{BEFORE_UPGRADE}{__version__}.backup"
        write_backup(settings, file)
        logger.warning("%s holds the data as they were before unround %s", file, __version__)
    database.migrate()
    with suppress(DBAPIError):  # no room for a second copy: files stay as large as they are
        compact(database)


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Lock the data folder, against a second server."""
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform != "win32":  # no fcntl there: the operator must not start two
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(
                    f"{folder} is used by another `unround serve`; stop it, or name another --data"
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
