"""The parts of a running console, shared by all requests, and a request of a viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from sqlalchemy.orm import Session

from unround.console.access.log import RecentOpenings, note
from unround.console.access.permissions import RunAccess, Viewer, lock_conference
from unround.console.cache import Cache, EncodedView
from unround.console.jobs.supervisor import Supervisor
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.run_files import OpenedRun, open_run_files
from unround.console.telemetry import Metrics

MOST_VIEW_BYTES = 256_000_000
VIEWS_AT_ONCE = 2  # more would compete for the processor with quick requests
MOST_RUNS = 3  # finished runs that are kept in memory


def _view_cache() -> Cache[EncodedView]:
    return Cache(MOST_VIEW_BYTES, lambda view: len(view.packed))


def _view_makers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(VIEWS_AT_ONCE, thread_name_prefix="views")


@dataclass
class Console:
    """The parts of a running console."""

    settings: ConsoleSettings
    database: Database
    supervisor: Supervisor
    metrics: Metrics = field(default_factory=Metrics)
    views: Cache[EncodedView] = field(default_factory=_view_cache)
    view_makers: ThreadPoolExecutor = field(default_factory=_view_makers)
    runs: Cache[OpenedRun] = field(default_factory=lambda: Cache(MOST_RUNS))
    exchanges: set[str] = field(default_factory=set)  # conferences that fetch or send now
    openings: RecentOpenings = field(default_factory=RecentOpenings)
    on_database_lost: Callable[[], object] = lambda: None

    def opened_run(self, run: str) -> OpenedRun:
        """Return a finished run, from memory where possible."""

        def read() -> OpenedRun:
            with self.database.reading() as session:
                return open_run_files(session, run)

        return self.runs.get(run, read)


@dataclass(frozen=True)
class Visit:
    """A request: of whom, to which console, and the session in which its rows are opened.

    With `changes` the session may write: rows are locked, and what is checked is read after the lock.
    """

    console: Console
    session: Session
    viewer: Viewer
    changes: bool = False

    @contextmanager
    def change(self, conference: str | None = None, *, durable: bool = False) -> Iterator[Visit]:
        """Open a transaction that may write, with a conference locked; it is committed at the end.

        What was read for the visit stays as it was; its connection is given back first.
        """
        self.session.close()
        with self.console.database.writing(durable=durable) as session:
            if conference is not None:
                lock_conference(session, conference)
            yield replace(self, session=session, changes=True)

    def note(self, conference: str | None, action: str, detail: str = "") -> None:
        """Add a line to the log, in the transaction of the change that it records."""
        note(self.session, conference, self.viewer.label, action, detail)

    def note_opening(self, access: RunAccess, action: str = "opened") -> None:
        """Log that the viewer opened or downloaded a run, unless they did so a moment ago."""
        run, area_chair = access.run, access.area_chair
        seen_as = area_chair.name if area_chair is not None and self.viewer.is_chair else None
        if self.console.openings.is_new((self.viewer.link, run.id, seen_as, action)):
            with self.change() as change:
                shown = f"{run.name} as {seen_as}" if seen_as else run.name
                change.note(run.conference, action, shown)
