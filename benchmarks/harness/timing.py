"""Time the best of several runs: the one that other work on the machine disturbed least."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True)
class Best(Generic[Value]):
    """The shortest time, and what the last run returned."""

    seconds: float
    value: Value


def best_of(repeats: int, work: Callable[[], Value]) -> Best[Value]:
    """Time `work` so many times. With two or more, what is compiled on the first does not count."""
    shortest, value = timed(work)
    for _ in range(repeats - 1):
        del value  # so that a run never holds the memory of the one before
        seconds, value = timed(work)
        shortest = min(shortest, seconds)
    return Best(shortest, value)


def timed(work: Callable[[], Value]) -> tuple[float, Value]:
    """Seconds of one run, and what it returned."""
    begin = time.perf_counter()
    value = work()
    return time.perf_counter() - begin, value
