"""Writes that come at the same time share one transaction."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Together(Generic[Item, Answer]):
    """Hand what many want to write to one function, in the order of their coming.

    A thread writes. Whatever comes meanwhile waits, and is written together next.

    >>> squares = Together[int, int](lambda numbers: [number**2 for number in numbers])
    >>> squares.submit(3).result()
    9
    >>> squares.close()
    """

    def __init__(self, write: Callable[[Sequence[Item]], Sequence[Answer]]) -> None:
        self._write = write
        self._waiting: list[tuple[Item, Future[Answer]]] = []
        self._guard = threading.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="together")

    def submit(self, item: Item) -> Future[Answer]:
        """Have an item written; the future has its answer, or what writing raised."""
        future = Future[Answer]()
        with self._guard:
            if not self._waiting:
                self._thread.submit(self._write_waiting)
            self._waiting.append((item, future))
        return future

    def close(self) -> None:
        """Write what waits, and stop."""
        self._thread.shutdown()

    def _write_waiting(self) -> None:
        with self._guard:
            calls, self._waiting = self._waiting, []
        try:
            self._answer(calls)
        except Exception:  # each alone: what is wrong with one must not fail the others
            for call in calls:
                try:
                    self._answer([call])
                except Exception as error:
                    call[1].set_exception(error)

    def _answer(self, calls: Sequence[tuple[Item, Future[Answer]]]) -> None:
        answers = self._write([item for item, _ in calls])
        for (_, future), answer in zip(calls, answers, strict=True):
            future.set_result(answer)
