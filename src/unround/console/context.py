"""The parts of a running console, shared by all requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from unround.console.access import links
from unround.console.access.audit import RecentOpenings, write_lines
from unround.console.access.remembered import Remembered
from unround.console.access.throttle import Throttle
from unround.console.background import Background
from unround.console.cache import Cache, EncodedView
from unround.console.influence_schemas import InfluenceAudit
from unround.console.jobs.supervisor import Supervisor
from unround.console.metrics import Metrics
from unround.console.schemas import PrivacyAudit
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.console.storage.run_files import OpenedRun, open_run_files
from unround.console.storage.together import Together
from unround.console.storage.view_files import ViewStore

MOST_VIEW_BYTES = 256_000_000
MOST_AUDITS = 100
MOST_RUNS = 3  # finished runs that are kept in memory


def _view_cache() -> Cache[EncodedView]:
    return Cache(MOST_VIEW_BYTES, lambda view: len(view.packed))


def _run_cache() -> Cache[OpenedRun]:
    return Cache(MOST_RUNS)


def _audits() -> Background[PrivacyAudit]:
    return Background(MOST_AUDITS)


def _influences() -> Background[InfluenceAudit]:
    return Background(MOST_AUDITS)


def _do_nothing(_conference: str) -> None:
    pass


@dataclass
class Console:
    """The parts of a running console."""

    settings: ConsoleSettings
    database: Database
    supervisor: Supervisor
    metrics: Metrics = field(default_factory=Metrics)
    throttle: Throttle = field(default_factory=Throttle)
    views: Cache[EncodedView] = field(default_factory=_view_cache)
    runs: Cache[OpenedRun] = field(default_factory=_run_cache)
    audits: Background[PrivacyAudit] = field(default_factory=_audits)
    influences: Background[InfluenceAudit] = field(default_factory=_influences)
    openings: RecentOpenings = field(default_factory=RecentOpenings)
    stored: ViewStore = field(init=False)
    remembered: Remembered = field(init=False)
    entering: Together[str, links.Entered | None] = field(init=False)  # by a link's secret
    log: Together[Mapping[str, Any], None] = field(init=False)
    # Called with a conference when what its area chairs may see has changed.
    on_visibility_change: Callable[[str], None] = _do_nothing

    def __post_init__(self) -> None:
        self.stored = ViewStore(self.settings.views)
        self.remembered = Remembered(self.database)
        self.entering = Together(partial(links.enter, self.database))
        self.log = Together(partial(write_lines, self.database))

    def opened_run(self, run: str) -> OpenedRun:
        """Return a finished run, from memory where possible."""

        def read() -> OpenedRun:
            with self.database.reading() as session:
                return open_run_files(session, run)

        return self.runs.get(run, read)

    def close(self) -> None:
        """Write what waits to be written, and stop the threads of this console."""
        self.entering.close()
        self.log.close()
        self.audits.close()
        self.influences.close()
        self.remembered.close()
