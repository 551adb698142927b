"""Values made in the background: once, one at a time, and errors are not kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from unround.console.background import Background

SECONDS = 30.0


@pytest.fixture
def background() -> Iterator[Background[str]]:
    made = Background[str](limit=2)
    yield made
    made.close()


def test_who_asks_too_early_gets_nothing_and_later_the_value(background):
    go_on = threading.Event()

    def make() -> str:
        assert go_on.wait(SECONDS)
        return "value"

    assert background.get("key", make, patience=0.0) is None
    assert background.get("other", lambda: "other", patience=0.0) is None, "one at a time"
    go_on.set()
    assert background.get("other", lambda: "another", patience=SECONDS) == "other"
    assert background.get("key", lambda: "another", patience=SECONDS) == "value"


def test_an_error_is_told_once_and_then_tried_again(background):
    def broken() -> str:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        background.get("key", broken, patience=SECONDS)
    assert background.get("key", lambda: "whole", patience=SECONDS) == "whole"


def test_only_the_last_values_are_kept(background):
    for key in "abc":
        background.get(key, lambda key=key: key, patience=SECONDS)
    assert background.get("a", lambda: "anew", patience=SECONDS) == "anew"
    assert background.get("c", lambda: "anew", patience=SECONDS) == "c"
