"""The parts of a running console, shared by all requests."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from unround.console.access.log import RecentOpenings
from unround.console.cache import Cache, CachedExecutor, EncodedView
from unround.console.jobs.supervisor import Supervisor
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.run_files import OpenedRun, open_run_files
from unround.console.telemetry import Metrics

MOST_VIEW_BYTES = 256_000_000
VIEWS_AT_ONCE = 2  # more would compete for the processor with quick requests
MOST_AUDITS = 100
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
    audits: CachedExecutor = field(default_factory=lambda: CachedExecutor(MOST_AUDITS))
    exchanges: set[str] = field(default_factory=set)  # conferences that fetch or send now
    openings: RecentOpenings = field(default_factory=RecentOpenings)
    on_database_lost: Callable[[], object] = lambda: None

    def opened_run(self, run: str) -> OpenedRun:
        """Return a finished run, from memory where possible."""

        def read() -> OpenedRun:
            with self.database.reading() as session:
                return open_run_files(session, run)

        return self.runs.get(run, read)
