"""Starting and stopping a console: its threads, and the uvicorn server that serves it."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import uvicorn
from sqlalchemy import delete

from unround.console.access import links
from unround.console.app import make_app
from unround.console.context import Console
from unround.console.errors import storage_error
from unround.console.jobs.job import fail_interrupted
from unround.console.jobs.queue import ask_for_views
from unround.console.jobs.supervisor import WORKER, Supervisor
from unround.console.settings import ConsoleSettings
from unround.console.storage.bin import empty_bin
from unround.console.storage.open_data import open_alone
from unround.console.storage.orm import SessionRow, now
from unround.console.telemetry import Metrics

START_DAYS = 30
INTERRUPTED = "The server stopped before this was done. Nothing was kept; start again."
PAUSE = 5.0  # seconds between two rounds of housekeeping
PATIENCE = 10.0  # seconds
logger = logging.getLogger("unround.console")


def _keep_house(console: Console, closing: threading.Event) -> None:
    """Every few seconds keep the database, have outdated views made again, and empty the bin.

    Tried again where the database is away. Stops the server when another one owns the database.
    """
    owner = console.database.owner
    while not closing.wait(PAUSE):
        try:
            if owner is not None:
                owner.keep()
                if owner.lost:
                    console.on_database_lost()
                    return
            ask_for_views(console.database, console.supervisor)
            empty_bin(console.database, console.settings.uploads)
        except Exception as error:
            if storage_error(error) is None:
                logger.exception("housekeeping failed")


@contextmanager
def open_console(settings: ConsoleSettings, worker: Sequence[str] = WORKER) -> Iterator[Console]:
    """Start a console, alone in its data folder, and stop it when the block ends."""
    with open_alone(settings) as database, ExitStack() as closing:
        with database.writing() as session:
            fail_interrupted(session, INTERRUPTED)
            session.execute(delete(SessionRow).where(SessionRow.expires <= now()))
        metrics = Metrics()
        supervisor = Supervisor(database, settings, metrics, worker)
        console = Console(settings, database, supervisor, metrics)
        stop = threading.Event()
        housekeeper = threading.Thread(target=_keep_house, args=(console, stop), daemon=True)
        housekeeper.start()
        closing.callback(console.view_makers.shutdown, cancel_futures=True)
        closing.callback(supervisor.close)
        closing.callback(housekeeper.join, PATIENCE)
        closing.callback(stop.set)
        yield console


def start_link(console: Console) -> str:
    """Return the owner's link for the person who started the console; the last start's link ends."""
    with console.database.writing() as session:
        secret = links.renew_printed(session, START_DAYS)
    return console.settings.link(secret)


GRACE = 3  # seconds for responses under way when the server stops
MOST_CONNECTIONS = 5_000
SPARE_FILES = 200  # descriptors for the database, uploads and workers


def make_server(console: Console) -> uvicorn.Server:
    """Return the server. It stops when another server takes over the database."""
    server = uvicorn.Server(
        uvicorn.Config(
            make_app(console),
            limit_concurrency=raise_file_limit(),
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # nothing asks for the addresses of clients
            timeout_graceful_shutdown=GRACE,
        )
    )
    console.on_database_lost = lambda: setattr(server, "should_exit", True)
    return server


def raise_file_limit() -> int:
    """Allow as many open files as the system permits, and return how many connections fit."""
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + SPARE_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MOST_CONNECTIONS if soft > MOST_CONNECTIONS else max(soft - SPARE_FILES, 50)
