"""A cache of signed-in viewers, cleared on every change of links, sessions or area chairs."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import datetime

from cachetools import TLRUCache

from unround.console.access.links import find_viewer
from unround.console.access.tokens import hashed
from unround.console.access.viewer import Viewer
from unround.console.storage.database import Database
from unround.console.storage.ids import now

MOST_KEPT = 10_000
_Entry = tuple[Viewer, datetime]  # and when the session expires


def _new_cache() -> TLRUCache[str, _Entry]:
    return TLRUCache(MOST_KEPT, ttu=lambda _key, entry, _now: entry[1], timer=now)


@dataclass
class Sessions:
    """Viewers by session cookie. Code that changes links, sessions or area chairs calls `forget`.

    A database has one server, so nobody else can change them. A viewer that was read before a change
    and arrives after it is not kept: `_edition` counts the changes.
    """

    database: Database
    _kept: TLRUCache[str, _Entry] = field(default_factory=_new_cache)
    _edition: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def cached(self, cookie: str) -> Viewer | None:
        """Return the viewer from the cache, unless something has changed or the session expired."""
        with self._lock:
            entry = self._kept.get(hashed(cookie))
        return entry[0] if entry is not None else None

    def look_up(self, cookie: str) -> Viewer | None:
        """Return the viewer from the database, and keep it."""
        edition = self._edition
        entry = find_viewer(self.database, cookie)
        if entry is None:
            return None
        with self._lock:
            if edition == self._edition:
                self._kept[hashed(cookie)] = entry
        return entry[0]

    def forget(self) -> None:
        """Clear the cache."""
        with self._lock:
            self._edition += 1
            self._kept.clear()
