"""Views are made when somebody asks, each once, and whoever waits holds up nobody else."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import httpx2
import pytest

from tests.console.conftest import World
from tests.console.hosting import served, waited_for
from tests.console.sample import CHAIRS
from unround.console import views
from unround.console.context import VIEWS_AT_ONCE, _view_cache

MANY = 60


@pytest.fixture
def held(world: World, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], Event]:
    """Who asked for a view that is being made, and what lets it be finished."""
    asked, go_on, make = list[str](), Event(), views._view

    def wait(console, access):
        asked.append(access.area_chair.name)
        assert go_on.wait(60)
        return make(console, access)

    monkeypatch.setattr(world.console, "views", _view_cache())
    monkeypatch.setattr(views, "_view", wait)
    return asked, go_on


def test_a_view_that_several_ask_for_at_once_is_made_once(world: World, held):
    asked, go_on = held
    people = [world.area_chair(CHAIRS[0]) for _ in range(4)]
    with ThreadPoolExecutor(len(people)) as pool:
        answers = [pool.submit(_look, world, one) for one in people]
        assert waited_for(lambda: asked)
        go_on.set()
        bodies = {answer.result(60) for answer in answers}
    assert asked == [CHAIRS[0]]
    assert len(bodies) == 1
    assert _look(world, people[0]) in bodies
    assert len(asked) == 1


def test_who_waits_for_a_view_holds_up_no_other_request(world: World, held):
    """More wait than the server has threads for requests."""
    asked, go_on = held
    cookies = dict(world.area_chair(CHAIRS[0]).cookies)
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        served(world.console, listener),
        ThreadPoolExecutor(MANY) as pool,
        httpx2.Client(
            base_url=f"http://127.0.0.1:{listener.getsockname()[1]}", cookies=cookies, timeout=60
        ) as person,
    ):
        answers = [pool.submit(_look, world, person) for _ in range(MANY)]
        assert waited_for(lambda: asked)
        for _ in range(10):
            assert person.get("/api/conferences", timeout=10).status_code == 200
        assert not any(answer.done() for answer in answers)
        go_on.set()
        assert len({answer.result(60) for answer in answers}) == 1


def test_few_views_are_made_at_once(world: World, held):
    asked, go_on = held
    names = list(world.area_chairs)
    assert len(names) > VIEWS_AT_ONCE
    people = [world.area_chair(name) for name in names]
    with ThreadPoolExecutor(len(people)) as pool:
        answers = [pool.submit(_look, world, one) for one in people]
        assert waited_for(lambda: len(asked) == VIEWS_AT_ONCE)
        assert world.chair.get("/api/me").status_code == 200
        assert len(asked) == VIEWS_AT_ONCE
        go_on.set()
        assert len({answer.result(60) for answer in answers}) == len(people)


def _look(world: World, person: httpx2.Client) -> bytes:
    answer = person.get(f"/api/runs/{world.run}/view")
    assert answer.status_code == 200, answer.text
    return answer.content
