"""Views that a job makes for area chairs: the same bytes as when they are asked for, and none outdated."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from tests.console.conftest import Person, World
from tests.console.hosting import waited_for
from unround.console import views
from unround.console.context import _view_cache
from unround.console.jobs.queue import ask_for_views
from unround.console.storage.orm import ConferenceRow, JobFileRow, JobRow, RunRow


@pytest.fixture
def shared(world: World) -> Iterator[str]:
    """The run of the world, shared in its conference, whose settings are put back."""
    path = f"/api/conferences/{world.conference}"
    before = world.chair.get(path).json()
    yield path
    kept = {name: before[name] for name in ("show_stars", "disclosure")}
    assert world.chair.patch(path, json=kept).status_code == 200


def _made(world: World) -> dict[str, bytes]:
    """The views that the job for the present edition has made, once it is done."""
    with world.console.database.reading() as session:
        edition = session.get_one(ConferenceRow, world.conference).edition
        shown = {"name": session.get_one(RunRow, world.run).name, "edition": edition}
        job = session.scalar(select(JobRow).where(JobRow.run == world.run, JobRow.kind == "views"))
        if job is None or job.status != "done" or job.request != shown:
            return {}
        files = select(JobFileRow.name, JobFileRow.content).where(JobFileRow.job == job.id)
        return dict(session.execute(files).all())


@pytest.mark.parametrize("disclosure", ["order", "scoped"])
def test_views_are_made_after_a_change_as_they_are_when_asked_for(
    world: World, shared: str, disclosure: str, monkeypatch: pytest.MonkeyPatch
):
    changed = {"show_stars": False, "disclosure": disclosure}
    assert world.chair.patch(shared, json=changed).status_code == 200
    people = {id: world.area_chair(name) for name, id in world.area_chairs.items()}
    asked = {id: _view(world, person) for id, person in people.items()}
    ask_for_views(world.console.database, world.console.supervisor)
    made = waited_for(lambda: _made(world), 240)
    assert made.keys() == people.keys()
    monkeypatch.setattr(world.console, "views", _view_cache())
    monkeypatch.setattr(views, "view", None)  # nothing is computed any more
    assert {id: _view(world, person) for id, person in people.items()} == asked


def _view(world: World, person: Person) -> bytes:
    answer = person.get(f"/api/runs/{world.run}/view")
    assert answer.status_code == 200, answer.text
    return answer.content
