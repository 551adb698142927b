"""Sessions are remembered, and never longer than they hold."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from unround.console.access import sessions
from unround.console.access.sessions import Sessions
from unround.console.access.viewer import Viewer

CHAIR = Viewer("chair", "link", "chair", None)


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cookies that the database was asked about."""
    asked: list[str] = []
    later = datetime.now(UTC) + timedelta(hours=1)

    def find_viewer(_database: object, cookie: str) -> tuple[Viewer, datetime] | None:
        asked.append(cookie)
        return (CHAIR, later) if cookie == "good" else None

    monkeypatch.setattr(sessions, "find_viewer", find_viewer)
    return asked


def test_a_session_is_looked_up_once(looked_up: list[str]):
    kept = Sessions(None)
    assert kept.cached("good") is None
    assert kept.look_up("good") is CHAIR
    assert kept.cached("good") is CHAIR
    assert looked_up == ["good"]


def test_strangers_are_not_remembered(looked_up: list[str]):
    kept = Sessions(None)
    assert kept.look_up("bad") is None
    assert kept.cached("bad") is None


def test_a_change_is_the_end_of_what_was_known(looked_up: list[str]):
    kept = Sessions(None)
    kept.look_up("good")
    kept.forget()
    assert kept.cached("good") is None


def test_what_was_asked_before_a_change_is_not_kept_after_it(monkeypatch: pytest.MonkeyPatch):
    kept = Sessions(None)
    later = datetime.now(UTC) + timedelta(hours=1)

    def find_viewer(_database: object, _cookie: str) -> tuple[Viewer, datetime]:
        kept.forget()  # somebody revokes the link while the database answers
        return CHAIR, later

    monkeypatch.setattr(sessions, "find_viewer", find_viewer)
    kept.look_up("good")
    assert kept.cached("good") is None


def test_the_end_of_a_link_needs_no_change(monkeypatch: pytest.MonkeyPatch):
    kept = Sessions(None)
    past = datetime.now(UTC) - timedelta(seconds=1)
    monkeypatch.setattr(sessions, "find_viewer", lambda *_: (CHAIR, past))
    kept.look_up("good")
    assert kept.cached("good") is None
