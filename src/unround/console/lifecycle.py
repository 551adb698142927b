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

from unround.console.access import links as people
from unround.console.access.audit import note
from unround.console.context import Console
from unround.console.jobs.supervisor import WORKER, Supervisor
from unround.console.settings import Settings
from unround.console.storage.database import Database, trouble
from unround.console.storage.ids import now
from unround.console.storage.orm import TABLES, UNFINISHED, File, Visit
from unround.console.views.prewarm import Warmer
from unround.errors import UsageError

START_DAYS = 30
BROKEN = "The server stopped before this was done. Nothing was kept; start again."


@contextmanager
def running(settings: Settings, worker: Sequence[str] = WORKER) -> Iterator[Console]:
    """A console from its start to its end, alone in its data folder."""
    _prepare(settings)
    with _alone(settings.data):
        database = Database(settings.database_url, settings.busy_seconds)
        try:
            _ready(database)
            with database.alone():
                yield from _working(database, settings, worker)
        finally:
            database.close()


def _working(database: Database, settings: Settings, worker: Sequence[str]) -> Iterator[Console]:
    _tidy(database, settings)
    supervisor = Supervisor(
        database,
        uploads=settings.uploads,
        work=settings.work,
        busy_seconds=settings.busy_seconds,
        worker=worker,
    )
    console = Console(settings, database, supervisor)
    warmer = Warmer(console)
    supervisor.on_done = lambda kind, id: warmer.run(id) if kind == "run" else None
    console.on_shown = warmer.conference
    warmer.newest()
    try:
        yield console
    finally:
        warmer.close()
        supervisor.close()


def start_link(console: Console) -> str:
    """A new link for the one who started the console."""
    with console.database.writing() as session:
        label = f"printed at the start of {now():%Y-%m-%d %H:%M} UTC"
        _, secret = people.make_link(session, None, days=START_DAYS, label=label)
    return f"{console.settings.url}/enter#{secret}"


def _ready(database: Database) -> None:
    """Tables as this version needs them, or a word why not."""
    from alembic.util import CommandError

    try:
        database.migrate()
    except DBAPIError as problem:
        raise UsageError(f"the database cannot be used: {_said(problem)}") from problem
    except CommandError as problem:
        raise UsageError(
            "the database was made by a later version of unround; use that, or another --data"
        ) from problem


def _said(problem: DBAPIError) -> str:
    """The words of a database's error."""
    known = trouble(problem)
    details: Any = problem.orig.args[0] if problem.orig is not None and problem.orig.args else None
    words = details.get("M", details) if isinstance(details, dict) else details
    return known[1] if known else str(words)


def _prepare(settings: Settings) -> None:
    try:
        for folder in (settings.data, settings.uploads, settings.work):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if settings.database is None:
            settings.sqlite_file.touch(mode=0o600)
    except OSError as problem:
        raise UsageError(
            f"--data {settings.data} cannot be used: {problem.strerror or problem}"
        ) from problem


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Two servers in one folder would take each other's runs for broken ones."""
    if sys.platform == "win32":
        yield  # without fcntl it is the operator's care
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


def _tidy(database: Database, settings: Settings) -> None:
    """Call broken jobs broken, and remove what nobody owns."""
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
        session.execute(delete(Visit).where(Visit.expires <= now()))
        known = set(session.scalars(select(File.id)))
    for path in settings.uploads.iterdir():
        if path.name not in known:
            path.unlink()
    for folder in settings.work.iterdir():
        shutil.rmtree(folder, ignore_errors=True)
