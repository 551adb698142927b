"""Views lie ready before area chairs come."""

from __future__ import annotations

import time
from contextlib import closing
from threading import Event
from types import SimpleNamespace

from tests.console.conftest import World
from tests.console.sample import CHAIRS
from unround.console import views
from unround.console.context import _view_cache
from unround.console.views import Prewarmer


def test_a_shared_runs_views_are_made_for_everybody(world: World, monkeypatch):
    kept = _view_cache()
    monkeypatch.setattr(world.console, "views", kept)
    with closing(Prewarmer(world.console)) as warmer:
        assert warmer.run("0" * 32).exception() is not None  # no results, which stops nothing
        warmer.conference(world.conference)
        warmer.run(world.run).result()  # after those that were queued before
    made = {key[1] for key in kept.cached_keys() if key[0] == world.run}
    assert made == {"", *world.area_chairs.values()}
    monkeypatch.setattr("unround.console.views._view", None)  # nothing is made again
    for name in world.area_chairs:
        assert world.area_chair(name).get(f"/api/runs/{world.run}/view").status_code == 200


def test_who_shares_a_run_does_not_wait_for_the_views(world: World, monkeypatch):
    monkeypatch.setattr(world.console, "views", _view_cache())
    go_on = Event()
    monkeypatch.setattr(views, "_view", lambda *_: go_on.wait(60) and {})
    with closing(Prewarmer(world.console)) as warmer:
        began = time.monotonic()
        warmer.conference(world.conference)
        assert time.monotonic() - began < 5
        go_on.set()


def test_nobody_waits_long_while_other_views_are_made(world: World, monkeypatch):
    monkeypatch.setattr(world.console, "views", _view_cache())
    both_at_work = SimpleNamespace(acquire=lambda timeout: timeout > 2)
    monkeypatch.setattr(views, "_ENCODERS", both_at_work)
    answer = world.area_chair(CHAIRS[0]).get(f"/api/runs/{world.run}/view")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "2"
    assert "being prepared" in answer.json()["detail"]
