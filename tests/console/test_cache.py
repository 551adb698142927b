"""Caches: bounded, made once, and never waiting for another key."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from unround.console.access.log import SPAN, RecentOpenings
from unround.console.cache import Cache

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
