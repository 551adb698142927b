"""Starting and stopping a console."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.exc import DBAPIError

from unround.console.access import links
from unround.console.access.audit import note
from unround.console.context import Console
from unround.console.errors import storage_error
from unround.console.jobs.supervisor import WORKER, Supervisor
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.ids import now
from unround.console.storage.orm import TABLES, UNFINISHED, FileRow, SessionRow
from unround.console.views.prewarm import Prewarmer
from unround.errors import UsageError

START_DAYS = 30
BROKEN = "The server stopped before this was done. Nothing was kept; start again."


@contextmanager
def open_console(settings: ConsoleSettings, worker: Sequence[str] = WORKER) -> Iterator[Console]:
    """Start a console, alone in its data folder, and stop it when the block ends."""
    _make_folders(settings)
    with _locked(settings.data):
        database = Database(settings.database_url, settings.busy_seconds)
        try:
            _migrate(database)
            with database.alone():
                yield from _started(database, settings, worker)
        finally:
            database.close()


def _started(
    database: Database, settings: ConsoleSettings, worker: Sequence[str]
) -> Iterator[Console]:
    _tidy(database, settings)
    supervisor = Supervisor(
        database,
        uploads=settings.uploads,
        work=settings.work,
        busy_seconds=settings.busy_seconds,
        worker=worker,
    )
    console = Console(settings, database, supervisor)
    prewarmer = Prewarmer(console)
    supervisor.on_done = lambda kind, id: prewarmer.run(id) if kind == "run" else None
    console.on_visibility_change = prewarmer.conference
    prewarmer.newest()
    try:
        yield console
    finally:
        prewarmer.close()
        supervisor.close()


def start_link(console: Console) -> str:
    """Return the owner's link for the person who started the console; the last start's link ends."""
    with console.database.writing() as session:
        secret = links.renew_printed(session, START_DAYS)
    return console.settings.link(secret)


def _migrate(database: Database) -> None:
    """Bring the tables to this version, or raise UsageError that says why not."""
    from alembic.util import CommandError

    try:
        database.migrate()
    except DBAPIError as error:
        raise UsageError(f"the database cannot be used: {_message(error)}") from error
    except CommandError as error:
        raise UsageError(
            "the database was made by a later version of unround; use that, or another --data"
        ) from error


def _message(error: DBAPIError) -> str:
    """Return a database error in plain words."""
    storage = storage_error(error)
    details: Any = error.orig.args[0] if error.orig is not None and error.orig.args else None
    words = details.get("M", details) if isinstance(details, dict) else details
    return storage[1] if storage else str(words)


def _make_folders(settings: ConsoleSettings) -> None:
    try:
        for folder in (settings.data, settings.uploads, settings.work):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if settings.database is None:
            settings.sqlite_file.touch(mode=0o600)
    except OSError as error:
        raise UsageError(
            f"--data {settings.data} cannot be used: {error.strerror or error}"
        ) from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock the data folder: a second server would take this one's runs for broken ones."""
    if sys.platform == "win32":
        yield  # no fcntl: the operator must not start two
        return
    import fcntl

    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"{folder} is used by another `unround serve`; stop it, or name another --data"
            ) from None
        yield
    finally:
        os.close(handle)


def _tidy(database: Database, settings: ConsoleSettings) -> None:
    """Mark interrupted jobs as failed, and remove files that belong to no row."""
    with database.writing() as session:
        for kind, table in TABLES.items():
            broken = select(table.id, table.conference).where(table.status.in_(UNFINISHED))
            for _, conference in session.execute(broken):
                note(session, conference, "server", f"found a broken {kind}", BROKEN)
            session.execute(
                update(table)
                .where(table.status.in_(UNFINISHED))
                .values(status="failed", reason=BROKEN, finished=now())
            )
        session.execute(delete(SessionRow).where(SessionRow.expires <= now()))
        owned = set(session.scalars(select(FileRow.id)))
    for path in settings.uploads.iterdir():
        if path.name not in owned:
            path.unlink()
    for folder in settings.work.iterdir():
        shutil.rmtree(folder, ignore_errors=True)
