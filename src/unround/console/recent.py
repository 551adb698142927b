"""The last few things that were made, kept for whoever asks next."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


@dataclass
class Recent(Generic[Thing]):
    """Things that never change, by key. Whoever asks while one is made waits for it.

    >>> squares = Recent[int](most=2)
    >>> [squares.get(number, lambda: number**2) for number in (3, 4, 3)]
    [9, 16, 9]
    """

    most: int
    _kept: OrderedDict[Hashable, Thing] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """The thing under a key, made if it is not there."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
            self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
            return self._kept[key]
