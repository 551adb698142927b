"""Who is signed in, remembered between requests, and forgotten at once when anything changes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime

from unround.console.access.links import who_is
from unround.console.access.tokens import hashed
from unround.console.access.viewer import Who
from unround.console.storage.database import Database
from unround.console.storage.ids import now

MOST_KEPT = 10_000


@dataclass
class Sessions:
    """Look-ups of sessions. Whoever changes links, sessions or area chairs calls `forget` after it.

    There is one server to a database, so that nobody else can change them. An answer that was looked
    up before a change and arrives after it is not kept: `_edition` tells.
    """

    database: Database
    _kept: OrderedDict[str, tuple[Who, datetime]] = field(default_factory=OrderedDict)
    _edition: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def known(self, cookie: str) -> Who | None:
        """Who it was at the last look, if nothing has changed or ended since."""
        with self._lock:
            who, until = self._kept.get(hashed(cookie), (None, None))
        return who if until is not None and now() < until else None

    def look_up(self, cookie: str) -> Who | None:
        """Who it is, by the database."""
        edition = self._edition
        found = who_is(self.database, cookie)
        if found is None:
            return None
        who, until = found
        with self._lock:
            if edition == self._edition:
                self._kept[hashed(cookie)] = (who, until)
                while len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)
        return who

    def forget(self) -> None:
        """Look everybody up again."""
        with self._lock:
            self._edition += 1
            self._kept.clear()
