"""A console -> the uvicorn server that serves it."""

from __future__ import annotations

import logging
import sys
import threading

import uvicorn

from unround.console.app import make_app
from unround.console.context import Console

GRACE = 3  # seconds for responses under way when the server stops
MOST_CONNECTIONS = 5_000
SPARE_FILES = 200  # descriptors for the database, uploads and workers


def make_server(console: Console) -> uvicorn.Server:
    """Return the server. It stops when another server takes over the database."""
    # A broken connection is reported by whoever used it. That closing it failed as well adds nothing.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
    server = uvicorn.Server(
        uvicorn.Config(
            make_app(console),
            limit_concurrency=raise_file_limit(),
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # the console looks at them itself, and only from a named proxy
            timeout_graceful_shutdown=GRACE,
        )
    )
    owner = console.database.owner
    if owner is not None:
        threading.Thread(target=_stop_when_lost, args=(owner.lost, server), daemon=True).start()
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


def _stop_when_lost(lost: threading.Event, server: uvicorn.Server) -> None:
    lost.wait()
    server.should_exit = True
