"""Caches: bounded, made once, and never waiting for another key."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from unround.console.access.log import SPAN, RecentOpenings
from unround.console.cache import Cache, CachedExecutor

SECONDS = 30.0


def test_two_threads_make_a_value_once_and_hold_up_no_other_key():
    cache, begun, go_on, made = Cache[str](limit=2), threading.Event(), threading.Event(), []

    def make() -> str:
        begun.set()
        assert go_on.wait(SECONDS)
        made.append("value")
        return "value"

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.get, "key", make)
        assert begun.wait(SECONDS)
        second = pool.submit(cache.get, "key", make)
        assert cache.get("other", lambda: "quick") == "quick"
        assert not first.done()
        go_on.set()
        assert first.result(SECONDS) == second.result(SECONDS) == "value"
    assert made == ["value"]


def test_a_failure_is_raised_and_tried_again():
    cache = Cache[int](limit=2)
    with pytest.raises(ZeroDivisionError):
        cache.get("key", lambda: 1 // 0)
    assert cache.get("key", lambda: 1) == 1


def test_the_least_recently_used_value_goes_first():
    cache = Cache[int](limit=2)
    for key in ("a", "b", "a", "c"):
        cache.get(key, lambda: 0)
    assert set(cache.cached_keys()) == {"a", "c"}


def test_sizes_add_up_to_the_limit_and_a_larger_value_is_kept_alone():
    cache = Cache[bytes](limit=10, size=len)
    for key in "abc":
        cache.get(key, lambda: b"1234")
    assert set(cache.cached_keys()) == {"b", "c"}
    cache.get("large", lambda: b"x" * 20)
    assert cache.cached_keys() == ["large"]


def test_an_opening_is_new_again_after_a_while():
    time = [0.0]
    openings = RecentOpenings(lambda: time[0])
    assert openings.is_new("run")
    assert not openings.is_new("run")
    assert openings.is_new("other run")
    time[0] = SPAN + 1
    assert openings.is_new("run")


@pytest.fixture
def executor() -> Iterator[CachedExecutor]:
    made = CachedExecutor(limit=2)
    yield made
    made.close()


def test_who_asks_too_early_gets_nothing_and_later_the_value(executor):
    go_on = threading.Event()

    def make() -> str:
        assert go_on.wait(SECONDS)
        return "value"

    assert executor.get("key", make, patience=0.0) is None
    assert executor.get("other", lambda: "other", patience=0.0) is None, "one at a time"
    go_on.set()
    assert executor.get("other", lambda: "another", patience=SECONDS) == "other"
    assert executor.get("key", lambda: "another", patience=SECONDS) == "value"


def test_an_error_is_raised_once_and_then_tried_again(executor):
    def broken() -> str:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        executor.get("key", broken, patience=SECONDS)
    assert executor.get("key", lambda: "whole", patience=SECONDS) == "whole"


def test_only_the_last_values_are_kept(executor):
    for key in "abc":
        executor.get(key, lambda key=key: key, patience=SECONDS)
    assert executor.get("a", lambda: "anew", patience=SECONDS) == "anew"
    assert executor.get("c", lambda: "anew", patience=SECONDS) == "c"
