"""The parts of a running console, shared by all requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from unround.console.access.audit import RecentOpenings
from unround.console.access.throttle import Throttle
from unround.console.background import Background
from unround.console.cache import Cache, EncodedView
from unround.console.jobs.supervisor import Supervisor
from unround.console.schemas import PrivacyAudit
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database
from unround.runs.folder import Run

MOST_VIEW_BYTES = 256_000_000
MOST_AUDITS = 100
MOST_RUNS = 3  # runs whose tables are kept in memory for exports


def _view_cache() -> Cache[EncodedView]:
    return Cache(MOST_VIEW_BYTES, lambda view: len(view.packed))


def _run_cache() -> Cache[Run]:
    return Cache(MOST_RUNS)


def _audits() -> Background[PrivacyAudit]:
    return Background(MOST_AUDITS)


def _do_nothing(_conference: str) -> None:
    pass


@dataclass
class Console:
    """The parts of a running console."""

    settings: ConsoleSettings
    database: Database
    supervisor: Supervisor
    throttle: Throttle = field(default_factory=Throttle)
    views: Cache[EncodedView] = field(default_factory=_view_cache)
    finished: Cache[Run] = field(default_factory=_run_cache)
    audits: Background[PrivacyAudit] = field(default_factory=_audits)
    openings: RecentOpenings = field(default_factory=RecentOpenings)
    # Called with a conference when what its area chairs may see has changed.
    on_visibility_change: Callable[[str], None] = _do_nothing
