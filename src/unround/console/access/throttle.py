"""A growing delay per client address after failed attempts to enter."""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections.abc import Callable

from cachetools import LRUCache

FREE_TRIES = 3
LONGEST_WAIT = 60.0
MOST_ADDRESSES = 10_000


class Throttle:
    """After three failures an address must wait 1 s, 2 s, 4 s, … up to a minute.

    The server does not block: callers get the number of seconds to wait.

    >>> clock = iter([0.0] * 9).__next__
    >>> throttle = Throttle(clock)
    >>> for _ in range(4):
    ...     throttle.failed("192.0.2.1")
    >>> throttle.wait("192.0.2.1"), throttle.wait("192.0.2.2")
    (2, 0)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # Failures, and the time of the next allowed attempt, by network.
        self._failures: LRUCache[str, tuple[int, float]] = LRUCache(MOST_ADDRESSES)
        self._lock = threading.Lock()

    def wait(self, address: str) -> int:
        """Return the whole seconds until the address may try again."""
        with self._lock:
            _, until = self._failures.get(_network(address), (0, 0.0))
            return max(0, math.ceil(until - self._clock()))

    def failed(self, address: str) -> None:
        """Count a failure."""
        network = _network(address)
        with self._lock:
            count = self._failures.get(network, (0, 0.0))[0] + 1
            wait = min(2.0 ** (count - FREE_TRIES), LONGEST_WAIT) if count >= FREE_TRIES else 0.0
            self._failures[network] = count, self._clock() + wait

    def succeeded(self, address: str) -> None:
        """Forget an address's failures."""
        with self._lock:
            self._failures.pop(_network(address), None)


def _network(address: str) -> str:
    """IPv6 clients are counted by /64 network, because one host owns a whole /64."""
    try:
        return str(ipaddress.IPv6Network((address, 64), strict=False))
    except ValueError:
        return address
