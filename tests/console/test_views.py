"""Views lie ready before area chairs come."""

from __future__ import annotations

from tests.console.conftest import World
from unround.console.context import _view_cache
from unround.console.views import Prewarmer


def test_a_shared_runs_views_are_made_for_everybody(world: World, monkeypatch):
    views = _view_cache()
    monkeypatch.setattr(world.console, "views", views)
    warmer = Prewarmer(world.console)
    try:
        warmer.conference(world.conference)
    finally:
        warmer.close()
    made = {key[1] for key in views.cached_keys() if key[0] == world.run}
    assert made == {"", *world.area_chairs.values()}
    monkeypatch.setattr("unround.console.views._view", None)  # nothing is made again
    for name in world.area_chairs:
        assert world.area_chair(name).get(f"/api/runs/{world.run}/view").status_code == 200


def test_a_run_without_results_stops_nothing(world: World):
    warmer = Prewarmer(world.console)
    try:
        assert warmer.run("0" * 32).exception() is not None
        warmer.run(world.run).result()
    finally:
        warmer.close()
