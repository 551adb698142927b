"""Views made before they are asked for: after a run, a change of who sees what, and at the start.

Two hundred area chairs may open their link in the same minute; their views then lie ready.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Iterator

from sqlalchemy import select

from unround.console.access.permissions import Look, looking
from unround.console.access.viewer import Who
from unround.console.context import Console
from unround.console.storage.orm import AreaChair, Run
from unround.console.views.view import encoded_view, whole_run
from unround.report.snapshot import Snapshot

logger = logging.getLogger("unround.console")
CHAIR = Who("chair", "", "server", None)
PATIENCE = 10.0


class Warmer:
    """A thread that makes views while nobody waits for them."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def run(self, run: str) -> None:
        """Make a run's views soon."""
        self._waiting.put(run)

    def conference(self, conference: str) -> None:
        """Make the views of every shared run of a conference soon."""
        wanted = select(Run.id).where(Run.conference == conference, Run.shared)
        with self._console.database.reading() as session:
            for run in session.scalars(wanted).all():
                self.run(run)

    def newest(self) -> None:
        """Make the views of the run that people most likely open first."""
        wanted = select(Run.id).where(Run.status == "done").order_by(Run.finished.desc())
        with self._console.database.reading() as session:
            run = session.scalar(wanted.limit(1))
        if run is not None:
            self.run(run)

    def close(self) -> None:
        """Leave the rest unmade."""
        self._closing.set()
        self._waiting.put(None)
        self._thread.join(PATIENCE)

    def _serve(self) -> None:
        while (run := self._waiting.get()) is not None:
            try:
                self._make(run)
            except Exception:  # whoever opens the run will be told
                logger.debug("views were not made in advance", exc_info=True)

    def _make(self, run: str) -> None:
        whole: Snapshot | None = None
        for look in self._looks(run):
            if self._closing.is_set():
                return
            whole = whole or whole_run(self._console, look.run)
            encoded_view(self._console, look, whole)

    def _looks(self, run: str) -> Iterator[Look]:
        with self._console.database.reading() as session:
            chairs = looking(session, CHAIR, run)
            everyone = select(AreaChair.id).where(AreaChair.conference == chairs.run.conference)
            ids = session.scalars(everyone).all() if chairs.run.shared else []
        yield chairs
        for area_chair in ids:
            with self._console.database.reading() as session:
                yield looking(session, CHAIR, run, area_chair)
