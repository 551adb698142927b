"""Who opened what, for the log. Looking at the same thing again within ten minutes is one look."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unround.console.log import note
from unround.console.people import Who

if TYPE_CHECKING:
    from unround.console.showing import Look
    from unround.console.state import Console

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
