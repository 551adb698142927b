"""Values that take long to make: a thread makes them one by one, and requests do not wait long."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Generic, TypeVar

from cachetools import LRUCache

Value = TypeVar("Value")


class Background(Generic[Value]):
    """Make values in a thread, one at a time, and keep the `limit` used last.

    >>> squares = Background[int](limit=2)
    >>> squares.get(3, lambda: 3**2, patience=10.0)
    9
    >>> squares.close()
    """

    def __init__(self, limit: int) -> None:
        self._futures: LRUCache[Hashable, Future[Value]] = LRUCache(limit)
        self._guard = threading.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="background")

    def get(self, key: Hashable, make: Callable[[], Value], *, patience: float) -> Value | None:
        """Return the value of a key; None where it is still being made after `patience` seconds.

        An error of `make` is raised to whoever asks next. The one after that starts anew.
        """
        with self._guard:
            future = self._futures.get(key)
            if future is None:
                future = self._futures[key] = self._thread.submit(make)
        wait([future], patience)
        if not future.done():
            return None
        if future.exception() is not None:
            with self._guard:
                if self._futures.get(key) is future:
                    del self._futures[key]
        return future.result()

    def close(self) -> None:
        """Stop when the value that is being made is finished; others are not begun."""
        self._thread.shutdown(wait=True, cancel_futures=True)
