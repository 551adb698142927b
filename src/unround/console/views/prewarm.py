"""Views made in advance: after a run, after a change of who sees what, and when the server starts.

Two hundred area chairs may open their links in the same minute; their views are then in the cache.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterable, Sequence

from sqlalchemy import ColumnElement, select

from unround.console.access.permissions import RunAccess, Viewer, authorise, authorise_all
from unround.console.context import Console
from unround.console.storage.orm import RunRow
from unround.console.views.view import encoded_view

logger = logging.getLogger("unround.console")
OWNER = Viewer("chair", "", "server", None)
PATIENCE = 20.0  # seconds; a reverse proxy gives up after 60
START_PATIENCE = 3.0
_Task = Callable[[], None]


class Prewarmer:
    """A thread that makes views before they are asked for."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._waiting: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def run(self, run: str) -> None:
        """Queue the views of a run."""
        self._waiting.put(lambda: self._make(run))

    def conference(self, conference: str) -> None:
        """Make the views of every shared run of a conference, and wait for them as long as one may."""
        self._wait_for(
            self._runs(RunRow.conference == conference, RunRow.shared.is_(True)), PATIENCE
        )

    def everything(self) -> None:
        """Make what people most likely open: every shared run, and the newest run of all.

        Views that were kept are read in milliseconds: the server waits for them before it answers.
        """
        runs = dict.fromkeys([*self._runs(RunRow.shared.is_(True)), *self._runs()[:1]])
        self._wait_for(runs, START_PATIENCE)

    def close(self) -> None:
        """Stop; what is still queued is not made."""
        self._closing.set()
        self._waiting.put(None)
        self._thread.join(PATIENCE)

    def _wait_for(self, runs: Iterable[str], seconds: float) -> None:
        """Queue the views of runs, and wait until they are made, or for so many seconds."""
        done = threading.Event()
        for run in runs:
            self.run(run)
        self._waiting.put(self._tidy)
        self._waiting.put(done.set)
        done.wait(seconds)

    def _serve(self) -> None:
        while (task := self._waiting.get()) is not None:
            try:
                task()
            except Exception:  # opening the run will show the error
                logger.debug("views were not made in advance", exc_info=True)

    def _runs(self, *conditions: ColumnElement[bool]) -> Sequence[str]:
        """Return the runs that are done, newest first."""
        query = select(RunRow.id).where(RunRow.status == "done", *conditions)
        with self._console.database.reading() as session:
            return session.scalars(query.order_by(RunRow.finished.desc())).all()

    def _tidy(self) -> None:
        """Delete kept views of runs that are gone."""
        if not self._closing.is_set():
            self._console.stored.keep_only(self._runs())

    def _make(self, run: str) -> None:
        for access in self._accesses(run):
            if self._closing.is_set():
                return
            encoded_view(self._console, access)

    def _accesses(self, run: str) -> list[RunAccess]:
        """Return the chairs' access to a run and, if it is shared, that of each area chair."""
        with self._console.database.reading() as session:
            chairs = authorise(session, OWNER, run)
            shared = authorise_all(session, OWNER, run) if chairs.run.shared else {}
        return [chairs, *shared.values()]
