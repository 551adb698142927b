"""Writes that come at the same time share one transaction, and one bad one fails alone."""

from __future__ import annotations

import threading
from collections.abc import Sequence

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
    first = together.submit(0)
    assert begun.wait(SECONDS)
    others = [together.submit(number) for number in range(1, 8)]
    go_on.set()
    assert first.result(SECONDS) == 0
    assert [other.result(SECONDS) for other in others] == [10 * n for n in range(1, 8)]
    together.close()
    assert batches == [[0], list(range(1, 8))]


def test_what_is_wrong_with_one_fails_that_one_alone():
    def write(items: Sequence[int]) -> list[int]:
        if 13 in items:
            raise ValueError("thirteen")
        return [item + 1 for item in items]

    together = Together[int, int](write)
    answers = {number: together.submit(number) for number in (1, 13, 2)}
    together.close()
    assert (answers[1].result(), answers[2].result()) == (2, 3)
    with pytest.raises(ValueError, match="thirteen"):
        answers[13].result()
