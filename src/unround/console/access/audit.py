"""The log of who did what, for chairs to read."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from unround.console.access.viewer import Who
from unround.console.schemas import LogEntry
from unround.console.storage.ids import now
from unround.console.storage.orm import Entry

if TYPE_CHECKING:
    from unround.console.access.permissions import Look
    from unround.console.context import Console


NEWEST = 1000


def note(session: Session, conference: str | None, who: str, action: str, detail: str = "") -> None:
    """Write a line, in the transaction of what it tells about."""
    session.add(Entry(at=now(), conference=conference, who=who, action=action, detail=detail))


def entries(session: Session, conference: str) -> list[LogEntry]:
    """The newest lines about a conference, and those about no conference."""
    wanted = (
        select(Entry)
        .where(or_(Entry.conference == conference, Entry.conference.is_(None)))
        .order_by(Entry.id.desc())
        .limit(NEWEST)
    )
    return [
        LogEntry(when=line.at, who=line.who, action=line.action, detail=line.detail)
        for line in session.scalars(wanted)
    ]


SPAN = 600.0
MOST_KEPT = 10_000


@dataclass
class Openings:
    """What was opened lately."""

    clock: Callable[[], float] = time.monotonic
    _last: OrderedDict[Hashable, float] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def is_new(self, key: Hashable) -> bool:
        """Whether this is the first of its kind for a while."""
        moment = self.clock()
        with self._lock:
            last = self._last.get(key)
            if last is not None and moment - last < SPAN:
                return False
            self._last[key] = moment
            self._last.move_to_end(key)
            while len(self._last) > MOST_KEPT:
                self._last.popitem(last=False)
            return True


def note_opening(here: Console, who: Who, look: Look, action: str = "opened") -> None:
    """Write down that somebody looked at a run."""
    preview = look.area_chair is not None and who.is_chair
    seen_as = look.area_chair.name if preview and look.area_chair else None
    if not here.openings.is_new((who.link, look.run.id, seen_as, action)):
        return
    detail = f"{look.run.name} as {seen_as}" if seen_as else look.run.name
    with here.database.writing() as session:
        note(session, look.run.conference, who.label, action, detail)
