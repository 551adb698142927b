"""Everything that a running console holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from unround.console.access.audit import Openings
from unround.console.access.sessions import Sessions
from unround.console.access.throttle import Throttle
from unround.console.cache import Encoded, Recent
from unround.console.jobs.supervisor import Supervisor
from unround.console.settings import Settings
from unround.console.storage.database import Database
from unround.runs.folder import Run

MOST_TABLES = 3  # runs whose tables are kept in memory


def _nothing(_conference: str) -> None:
    pass


@dataclass
class Console:
    """The parts of a running console."""

    settings: Settings
    database: Database
    supervisor: Supervisor
    throttle: Throttle = field(default_factory=Throttle)
    views: Encoded = field(default_factory=Encoded)
    finished: Recent[Run] = field(default_factory=lambda: Recent(MOST_TABLES))  # tables to export
    openings: Openings = field(default_factory=Openings)
    on_shown: Callable[[str], None] = _nothing  # called when area chairs of a conference see anew
    sessions: Sessions = field(init=False)

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.database)
