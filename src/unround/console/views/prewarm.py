"""Views made in advance: after a run, after a change of who sees what, and when the server starts.

Two hundred area chairs may open their links in the same minute; their views are then in the cache.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Iterator

from sqlalchemy import select

from unround.console.access.permissions import RunAccess, authorise
from unround.console.access.viewer import Viewer
from unround.console.context import Console
from unround.console.storage.orm import AreaChairRow, RunRow
from unround.console.views.view import encoded_view, whole_run
from unround.report.snapshot import Snapshot

logger = logging.getLogger("unround.console")
OWNER = Viewer("chair", "", "server", None)
PATIENCE = 10.0


class Prewarmer:
    """A thread that fills the cache of views."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def run(self, run: str) -> None:
        """Queue the views of a run."""
        self._waiting.put(run)

    def conference(self, conference: str) -> None:
        """Queue the views of every shared run of a conference."""
        query = select(RunRow.id).where(RunRow.conference == conference, RunRow.shared)
        with self._console.database.reading() as session:
            for run in session.scalars(query).all():
                self.run(run)

    def newest(self) -> None:
        """Queue the views of the run that people most likely open first."""
        query = select(RunRow.id).where(RunRow.status == "done").order_by(RunRow.finished.desc())
        with self._console.database.reading() as session:
            run = session.scalar(query.limit(1))
        if run is not None:
            self.run(run)

    def close(self) -> None:
        """Stop; what is still queued is not made."""
        self._closing.set()
        self._waiting.put(None)
        self._thread.join(PATIENCE)

    def _serve(self) -> None:
        while (run := self._waiting.get()) is not None:
            try:
                self._make(run)
            except Exception:  # opening the run will show the error
                logger.debug("views were not made in advance", exc_info=True)

    def _make(self, run: str) -> None:
        whole: Snapshot | None = None
        for access in self._accesses(run):
            if self._closing.is_set():
                return
            whole = whole or whole_run(self._console, access.run)
            encoded_view(self._console, access, whole)

    def _accesses(self, run: str) -> Iterator[RunAccess]:
        with self._console.database.reading() as session:
            chairs = authorise(session, OWNER, run)
            everyone = select(AreaChairRow.id).where(
                AreaChairRow.conference == chairs.run.conference, AreaChairRow.removed.is_(None)
            )
            ids = session.scalars(everyone).all() if chairs.run.shared else []
        yield chairs
        for area_chair in ids:
            with self._console.database.reading() as session:
                yield authorise(session, OWNER, run, area_chair)
