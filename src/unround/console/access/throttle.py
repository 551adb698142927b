"""Failed tries to enter make the next one wait, address by address."""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

FREE_TRIES = 3
LONGEST_WAIT = 60.0
MOST_ADDRESSES = 10_000


@dataclass
class Throttle:
    """After three failures an address waits 1 s, 2 s, 4 s, .. up to a minute. Nobody sleeps for it.

    >>> clock = iter([0.0] * 9).__next__
    >>> throttle = Throttle(clock)
    >>> for _ in range(4):
    ...     throttle.failed("192.0.2.1")
    >>> throttle.wait("192.0.2.1"), throttle.wait("192.0.2.2")
    (2, 0)
    """

    clock: Callable[[], float] = time.monotonic
    _tries: OrderedDict[str, tuple[int, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, address: str) -> int:
        """Whole seconds until the address may try again."""
        with self._lock:
            _, until = self._tries.get(_network(address), (0, 0.0))
            return max(0, math.ceil(until - self.clock()))

    def failed(self, address: str) -> None:
        """Count a failure."""
        network = _network(address)
        with self._lock:
            count = self._tries.pop(network, (0, 0.0))[0] + 1
            wait = min(2.0 ** (count - FREE_TRIES), LONGEST_WAIT) if count >= FREE_TRIES else 0.0
            self._tries[network] = (count, self.clock() + wait)
            while len(self._tries) > MOST_ADDRESSES:
                self._tries.popitem(last=False)

    def succeeded(self, address: str) -> None:
        """Forget an address's failures."""
        with self._lock:
            self._tries.pop(_network(address), None)


def _network(address: str) -> str:
    """An IPv6 address stands for its network: one host has all of it."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False))
