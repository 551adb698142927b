"""Writes that come at the same time share one transaction, and one bad one fails alone."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from unround.console.storage.together import Together

SECONDS = 30.0


def test_those_who_come_during_a_write_are_written_together():
    begun, go_on = threading.Event(), threading.Event()
    batches: list[list[int]] = []

    def write(items: Sequence[int]) -> list[int]:
        batches.append(list(items))
        begun.set()
        assert go_on.wait(SECONDS)
        return [10 * item for item in items]

    together = Together[int, int](write)
    with ThreadPoolExecutor(8) as threads:
        first = threads.submit(together.write, 0)
        assert begun.wait(SECONDS)
        others = [threads.submit(together.write, number) for number in range(1, 8)]
        while len(together._waiting) < 7:
            threading.Event().wait(0.001)
        go_on.set()
        assert first.result(SECONDS) == 0
        assert [other.result(SECONDS) for other in others] == [10 * n for n in range(1, 8)]
    assert batches[0] == [0]
    assert sorted(batches[1]) == list(range(1, 8))
    assert len(batches) == 2


def test_what_is_wrong_with_one_fails_that_one_alone():
    def write(items: Sequence[int]) -> list[int]:
        if 13 in items:
            raise ValueError("thirteen")
        return [item + 1 for item in items]

    together = Together[int, int](write)
    with ThreadPoolExecutor(4) as threads:
        answers = {number: threads.submit(together.write, number) for number in (1, 13, 2)}
    assert (answers[1].result(), answers[2].result()) == (2, 3)
    with pytest.raises(ValueError, match="thirteen"):
        answers[13].result()
