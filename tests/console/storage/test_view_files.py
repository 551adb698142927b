"""Views lie ready after a restart; what is damaged or of no use any more is not served."""

from __future__ import annotations

import pytest

from tests.console.conftest import World
from tests.console.sample import CHAIRS
from unround.console.cache import EncodedView, ViewStore
from unround.console.context import _view_cache

VIEW = EncodedView.of(b'{"name":"First"}')
OTHER = EncodedView.of(b'{"name":"Second"}')
ADA = ("run", "ada")


@pytest.fixture
def store(tmp_path) -> ViewStore:
    return ViewStore(tmp_path, tmp_path)


def test_a_kept_view_is_found_by_the_next_server(store, tmp_path):
    store.put(*ADA, "a", VIEW)
    assert ViewStore(tmp_path, tmp_path).get(*ADA, "a") == VIEW
    assert (tmp_path / "run.ada.a").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "damage", [b"", VIEW.packed[:-9], b"not gzip", VIEW.packed[:-8] + b"\0" * 8]
)
def test_a_damaged_file_is_not_served(store, tmp_path, damage):
    (tmp_path / "run.ada.a").write_bytes(damage)
    assert store.get(*ADA, "a") is None
    store.put(*ADA, "a", VIEW)
    assert store.get(*ADA, "a") == VIEW


def test_a_viewer_has_one_file(store, tmp_path):
    store.put(*ADA, "a", VIEW)
    store.put(*ADA, "b", OTHER)
    assert [path.name for path in tmp_path.iterdir()] == ["run.ada.b"]


def test_views_of_deleted_runs_and_unused_files_go(store, tmp_path):
    store.put(*ADA, "a", VIEW)
    store.put("gone", "ada", "b", OTHER)
    (tmp_path / "c").write_bytes(b"of an earlier version")
    store.keep_only({"run"})
    assert [path.name for path in tmp_path.iterdir()] == ["run.ada.a"]


def test_a_disk_without_room_only_costs_time(tmp_path):
    store = ViewStore(tmp_path / "nowhere", tmp_path)
    store.put(*ADA, "a", VIEW)
    assert store.get(*ADA, "a") is None


def test_a_restart_makes_no_view_again(world: World, monkeypatch):
    path = f"/api/runs/{world.run}/view"
    ada = world.area_chair(CHAIRS[0])
    before, settings = ada.get(path), world.console.settings
    monkeypatch.setattr(world.console, "views", _view_cache())
    monkeypatch.setattr(world.console, "stored", ViewStore(settings.views, settings.work))
    monkeypatch.setattr("unround.console.views._view", None)
    after = ada.get(path)
    assert after.content == before.content
    assert after.headers["etag"] == before.headers["etag"]


def test_a_change_of_what_is_shown_never_finds_the_old_view(world: World, monkeypatch):
    """The count of changes may repeat after a restored backup: names do not lean on it."""
    path, conference = f"/api/runs/{world.run}/view", f"/api/conferences/{world.conference}"
    ada = world.area_chair(CHAIRS[0])
    assert ada.get(path).json()["disclosure"] == "order"
    try:
        assert world.chair.patch(conference, json={"disclosure": "exact"}).status_code == 200
        monkeypatch.setattr(world.console, "views", _view_cache())
        assert ada.get(path).json()["disclosure"] == "exact"
    finally:
        world.chair.patch(conference, json={"disclosure": "order"})
    assert ada.get(path).json()["disclosure"] == "order"
