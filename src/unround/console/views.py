"""Finished runs as each viewer may see them, and a thread that makes these views in advance.

Views are made after a run, after a change of who sees what, and when the server starts: two hundred area
chairs may open their links in the same minute, and find their views in the cache.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import cast

from sqlalchemy import ColumnElement, select

from unround.console.access.permissions import RunAccess, Viewer, authorise, authorise_all
from unround.console.cache import EncodedView
from unround.console.context import Console
from unround.console.errors import RETRY_AFTER, Refusal
from unround.console.storage.orm import AssignmentRow, RunRow
from unround.disclosure.model import View
from unround.disclosure.scope import CHAIR, Disclosure, Scope
from unround.disclosure.view import encoded, view

# At most two views are made at once: more would compete for the processor with quick requests.
_ENCODERS = threading.Semaphore(2)
REQUEST_PATIENCE = 1.0  # seconds
BEING_MADE = (
    "The tables of this run are being prepared, as after a restart or a change of what is shown. Try "
    "again in a moment."
)


def encoded_view(
    console: Console, access: RunAccess, patience: float | None = REQUEST_PATIENCE
) -> EncodedView:
    """Return the response body of a view, from memory where possible.

    Raises Refusal where others are being made for longer than `patience`; None waits for them.
    """

    def make() -> EncodedView:
        if not _ENCODERS.acquire(timeout=patience):
            raise Refusal(503, BEING_MADE, RETRY_AFTER)
        try:
            return EncodedView.of(encoded(_view(console, access)))
        finally:
            _ENCODERS.release()

    return console.views.get(access.key, make)


def _view(console: Console, access: RunAccess) -> View:
    run = access.run
    finished = run.finished.isoformat(timespec="seconds") if run.finished else None
    return view(
        console.opened_run(run.id).snapshot,
        _scope(console, access),
        conference=access.conference.name,
        name=run.name,
        finished=finished,
    )


def _scope(console: Console, access: RunAccess) -> Scope:
    if access.area_chair is None:
        return CHAIR
    query = select(AssignmentRow.paper).where(AssignmentRow.area_chair == access.area_chair.id)
    with console.database.reading() as session:
        papers = frozenset(session.scalars(query))
    return Scope(
        area_chair=access.area_chair.name,
        papers=papers,
        stars=access.conference.show_stars,
        names=access.conference.show_names,
        decisions=access.conference.show_decisions,
        disclosure=cast(Disclosure, access.conference.disclosure),
        key=bytes.fromhex(access.conference.key),
    )


OWNER = Viewer("chair", "", "server", None)


class Prewarmer:
    """Makes views before they are opened, in a thread of its own."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._closing = threading.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="views")

    def run(self, run: str) -> Future[None]:
        """Queue the views of a run. An error shows when somebody opens the run."""
        return self._thread.submit(self._make, run)

    def conference(self, conference: str) -> None:
        """Queue the views of every shared run of a conference; whoever comes earlier has theirs made."""
        for run in self._runs(RunRow.conference == conference, RunRow.shared.is_(True)):
            self.run(run)

    def everything(self) -> Future[None]:
        """Queue what people most likely open: every shared run, and the newest run of all."""
        return self._make_all(
            dict.fromkeys([*self._runs(RunRow.shared.is_(True)), *self._runs()[:1]])
        )

    def close(self) -> None:
        """Stop; what is still queued is not made."""
        self._closing.set()
        self._thread.shutdown(cancel_futures=True)

    def _make_all(self, runs: Iterable[str]) -> Future[None]:
        """Queue the views of runs; what is returned is done when all are made."""
        for run in runs:
            self.run(run)
        return self._thread.submit(lambda: None)

    def _runs(self, *conditions: ColumnElement[bool]) -> Sequence[str]:
        """Return the runs that are done, newest first."""
        query = select(RunRow.id).where(RunRow.status == "done", *conditions)
        with self._console.database.reading() as session:
            return session.scalars(query.order_by(RunRow.finished.desc())).all()

    def _make(self, run: str) -> None:
        for access in self._accesses(run):
            if self._closing.is_set():
                return
            encoded_view(self._console, access, patience=None)

    def _accesses(self, run: str) -> list[RunAccess]:
        """Return the chairs' access to a run and, if it is shared, that of each area chair."""
        with self._console.database.reading() as session:
            chairs = authorise(session, OWNER, run)
            shared = authorise_all(session, OWNER, run) if chairs.run.shared else []
        return [chairs, *shared]
