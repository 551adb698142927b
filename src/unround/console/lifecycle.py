"""Starting and stopping a console."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import delete, select

from unround.console.access import links
from unround.console.context import Console
from unround.console.housekeeping import Housekeeper
from unround.console.jobs import rows
from unround.console.jobs.supervisor import WORKER, Supervisor
from unround.console.metrics import Metrics
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.opening import open_alone
from unround.console.storage.orm import FileRow, SessionRow, now
from unround.console.views.prewarm import Prewarmer

START_DAYS = 30
BROKEN = "The server stopped before this was done. Nothing was kept; start again."


@contextmanager
def open_console(settings: ConsoleSettings, worker: Sequence[str] = WORKER) -> Iterator[Console]:
    """Start a console, alone in its data folder, and stop it when the block ends."""
    with open_alone(settings) as database:
        yield from _started(database, settings, worker)


def _started(
    database: Database, settings: ConsoleSettings, worker: Sequence[str]
) -> Iterator[Console]:
    _tidy(database, settings)
    metrics = Metrics()
    supervisor = Supervisor(
        database,
        uploads=settings.uploads,
        work=settings.work,
        busy_seconds=settings.busy_seconds,
        worker=worker,
        metrics=metrics,
    )
    console = Console(settings, database, supervisor, metrics)
    prewarmer = Prewarmer(console)
    supervisor.on_done = lambda kind, id: prewarmer.run(id) if kind == "run" else None
    console.on_visibility_change = prewarmer.conference
    prewarmer.everything()
    housekeeper = Housekeeper(database, supervisor)
    try:
        yield console
    finally:
        housekeeper.close()
        prewarmer.close()
        console.close()
        supervisor.close()


def start_link(console: Console) -> str:
    """Return the owner's link for the person who started the console; the last start's link ends."""
    with console.database.writing() as session:
        secret = links.renew_printed(session, START_DAYS)
    return console.settings.link(secret)


def _tidy(database: Database, settings: ConsoleSettings) -> None:
    """Mark interrupted jobs as failed, and remove files that belong to no row."""
    with database.writing() as session:
        rows.fail_left(session, rows.unfinished_jobs(session), BROKEN)
        session.execute(delete(SessionRow).where(SessionRow.expires <= now()))
        owned = set(session.scalars(select(FileRow.id)))
    for path in settings.uploads.iterdir():
        if path.name not in owned:
            path.unlink()
    for folder in settings.work.iterdir():
        shutil.rmtree(folder, ignore_errors=True)
