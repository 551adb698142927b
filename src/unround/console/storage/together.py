"""Writes that come at the same time share one transaction."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


@dataclass
class _Call(Generic[Item, Answer]):
    item: Item
    answers: list[Answer] | None = None  # this call's alone
    error: Exception | None = None


class Together(Generic[Item, Answer]):
    """Hand what several threads want to write to one function, in the order of their coming.

    While one thread writes, others queue; the next one writes for all of them.

    >>> squares = Together[int, int](lambda numbers: [number**2 for number in numbers])
    >>> squares.write(3)
    9
    """

    def __init__(self, write: Callable[[Sequence[Item]], Sequence[Answer]]) -> None:
        self._write = write
        self._waiting: list[_Call[Item, Answer]] = []
        self._guard, self._turn = threading.Lock(), threading.Lock()

    def write(self, item: Item) -> Answer:
        """Write an item, with those that wait; return its answer, or raise what writing raised."""
        call = _Call[Item, Answer](item)
        with self._guard:
            self._waiting.append(call)
        with self._turn:
            if call.answers is None and call.error is None:
                self._write_waiting()
        if call.answers is None:
            assert call.error is not None
            raise call.error
        return call.answers[0]

    def _write_waiting(self) -> None:
        with self._guard:
            calls, self._waiting = self._waiting, []
        try:
            self._write_all(calls)
        except Exception:  # each alone: what is wrong with one must not fail the others
            for call in calls:
                try:
                    self._write_all([call])
                except Exception as error:
                    call.error = error

    def _write_all(self, calls: Sequence[_Call[Item, Answer]]) -> None:
        answers = self._write([call.item for call in calls])
        for call, answer in zip(calls, answers, strict=True):
            call.answers = [answer]
