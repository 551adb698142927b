"""Views lie ready before area chairs come."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from tests.console.conftest import World
from tests.console.sample import CHAIRS
from unround.console import views
from unround.console.cache import ViewStore
from unround.console.context import _view_cache
from unround.console.storage.orm import RunRow, new_id
from unround.console.views import Prewarmer


def test_a_shared_runs_views_are_made_for_everybody(world: World, monkeypatch):
    kept = _view_cache()
    monkeypatch.setattr(world.console, "views", kept)
    warmer = Prewarmer(world.console)
    try:
        warmer.conference(world.conference)
    finally:
        warmer.close()
    made = {key[1] for key in kept.cached_keys() if key[0] == world.run}
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


def test_nobody_waits_long_while_other_views_are_made(world: World, monkeypatch, tmp_path):
    monkeypatch.setattr(world.console, "views", _view_cache())
    monkeypatch.setattr(world.console, "stored", ViewStore(tmp_path, tmp_path))
    monkeypatch.setattr(views, "_ENCODERS", threading.Semaphore(0))  # both are at work
    answer = world.area_chair(CHAIRS[0]).get(f"/api/runs/{world.run}/view")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "2"
    assert "being prepared" in answer.json()["detail"]


def test_the_server_is_ready_when_its_views_are_made(world: World, monkeypatch):
    first: Future[None] = Future()
    monkeypatch.setattr(world.console, "first_views", first)
    answer = world.nobody().get("/readyz")
    assert (answer.status_code, set(answer.json()["missing"])) == (503, {"views"})
    first.set_result(None)
    assert world.nobody().get("/readyz").status_code == 200


def test_views_of_a_conference_deleted_for_good_go_from_the_disk(world: World):
    """Also where nothing else changes afterwards."""
    chair, kept = world.chair, world.console.settings.views
    conference = chair.post("/api/conferences", json={"name": "To go"}).json()["id"]
    run = new_id()
    with world.console.database.writing() as session:
        row = session.get_one(RunRow, world.run)
        values = {column.key: getattr(row, column.key) for column in RunRow.__table__.columns}
        session.add(RunRow(**values | {"id": run, "conference": conference}))
    (kept / f"{run}.chairs.0").write_bytes(b"names and scores")
    assert chair.delete(f"/api/conferences/{conference}").status_code == 204
    assert (kept / f"{run}.chairs.0").exists()  # it can be restored
    assert chair.delete(f"/api/bin/{conference}").status_code == 204
    assert not (kept / f"{run}.chairs.0").exists()
