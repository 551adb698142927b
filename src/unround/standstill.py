"""Tell that a process will never end: its threads all wait for one another.

A library that cannot start a thread, for want of memory or because a system allows no more, may wait for
that thread's work for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

SECONDS = 5.0  # between two looks
_LOOKS = 12  # a minute
# What the kernel calls the places where a thread waits for another thread of its process.
_AMONG_THEMSELVES = ("futex", "epoll")


class Standstill:
    """Looks at a process again and again, every few SECONDS.

    also: Further places where a thread may wait without being at work, such as for its parent.
    """

    def __init__(self, process: int, *, looks: int = _LOOKS, also: Sequence[str] = ()) -> None:
        self._folder, self._looks = Path(f"/proc/{process}"), looks
        self._places = (*_AMONG_THEMSELVES, *also)
        self._spent: list[str] = []
        self._same = 0

    def lasts(self) -> bool:
        """Look once more; return whether nothing has moved for as many looks as it takes."""
        try:
            spent, waits = self._time_spent(), self._waits_for_itself()
        except OSError:  # it has ended, or may not be looked at
            return False
        self._same = self._same + 1 if waits and spent == self._spent else 0
        self._spent = spent
        return self._same >= self._looks

    def _time_spent(self) -> list[str]:
        """Return the processor time of all threads, of user and system."""
        return (self._folder / "stat").read_text().rpartition(")")[2].split()[11:13]

    def _waits_for_itself(self) -> bool:
        """Return whether no thread waits for a file, the network, a person or another process."""
        return not self._is_connected() and all(
            any(place in (thread / "wchan").read_text() for place in self._places)
            and not (thread / "children").read_text()
            for thread in (self._folder / "task").iterdir()
        )

    def _is_connected(self) -> bool:
        """Return whether the process has a socket: what it waits for may be at work elsewhere."""
        opened = (self._folder / "fd").iterdir()
        return any(str(one.readlink()).startswith("socket:") for one in opened)
