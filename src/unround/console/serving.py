"""A console -> the uvicorn server that serves it."""

from __future__ import annotations

import gc
import logging
import sys
import threading

import uvicorn

from unround.console.api.connections import ImpatientProtocol, raise_file_limit
from unround.console.api.watching import Watched
from unround.console.app import make_app
from unround.console.context import Console

GRACE = 3  # seconds for responses under way when the server stops
# Seconds until a thread must let another one go on. Whoever waits for a database waits that long for the
# busy one each time that it answers: at Python's 5 ms, a thread that writes would take a second.
SWITCH = 0.0005


def make_server(
    console: Console, protocol: type[ImpatientProtocol] = ImpatientProtocol
) -> uvicorn.Server:
    """Return the server. It stops when another server takes over the database."""
    sys.setswitchinterval(SWITCH)
    gc.freeze()  # what is loaded stays: to search all of it for garbage would hold up every answer
    # Whoever met a broken connection tells it; that closing it failed, too, is no news.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
    server = uvicorn.Server(
        uvicorn.Config(
            Watched(make_app(console), console.metrics),
            http=protocol,
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


def _stop_when_lost(lost: threading.Event, server: uvicorn.Server) -> None:
    lost.wait()
    server.should_exit = True
