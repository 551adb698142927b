"""The log of who did what, for chairs to read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable

from cachetools import TTLCache
from sqlalchemy import select
from sqlalchemy.orm import Session

from unround.console.schemas.access import LogEntry
from unround.console.storage.orm import LogRow, now

NEWEST = 1000
SPAN = 600.0  # seconds in which opening the same thing again is not logged again
MOST_KEPT = 10_000


def note(session: Session, conference: str | None, who: str, action: str, detail: str = "") -> None:
    """Add a line to the log, in the transaction of the change that it records."""
    session.add(LogRow(at=now(), conference=conference, who=who, action=action, detail=detail))


def entries(session: Session, conference: str | None) -> list[LogEntry]:
    """Return the newest lines about a conference, or about the server, newest first."""
    query = (
        select(LogRow)
        .where(LogRow.conference == conference)
        .order_by(LogRow.id.desc())
        .limit(NEWEST)
    )
    return [LogEntry.model_validate(line) for line in session.scalars(query)]


class RecentOpenings:
    """Remembers what was opened in the last ten minutes, so that the log has one line for it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._recent: TTLCache[Hashable, bool] = TTLCache(MOST_KEPT, SPAN, clock)
        self._lock = threading.Lock()

    def is_new(self, key: Hashable) -> bool:
        """Whether this was not opened in the last ten minutes."""
        with self._lock:
            if key in self._recent:
                return False
            self._recent[key] = True
            return True
