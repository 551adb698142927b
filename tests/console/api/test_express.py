"""What is answered without FastAPI's routing is answered as by its routes, to the byte."""

from __future__ import annotations

from typing import Any

import pytest

from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS
from unround.console.api import express
from unround.console.api.watching import Watched
from unround.console.app import make_app

UNKNOWN = "0" * 32


def _told(answer: Any) -> tuple[int, bytes, dict[str, str]]:
    changing = {"set-cookie"}
    headers = {name: text for name, text in answer.headers.items() if name not in changing}
    return answer.status_code, answer.content, headers


def _paths(world: World) -> list[str]:
    ids = (world.run, world.hidden, UNKNOWN, "odd", world.conference)
    return [
        "/api/me",
        *(f"/api/runs/{id}/view" for id in ids),
        f"/api/runs/{world.run}/view?as={UNKNOWN}",
        *(f"/api/conferences/{id}" for id in ids),
    ]


def _both_ways(person: Person, monkeypatch: pytest.MonkeyPatch, *request: Any, **more: Any):
    express_way = person.request(*request, **more)
    with monkeypatch.context() as without:
        without.setattr(express, "CROWDED", ())
        return _told(express_way), _told(person.request(*request, **more))


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE"])
def test_reading(world: World, monkeypatch: pytest.MonkeyPatch, method: str):
    for person in (world.chair, world.area_chair(CHAIRS[0]), world.nobody()):
        for path in _paths(world):
            if method == "DELETE" and path == f"/api/conferences/{world.conference}":
                continue
            here, there = _both_ways(person, monkeypatch, method, path)
            assert here == there, path


def test_a_view_that_did_not_change(world: World, monkeypatch: pytest.MonkeyPatch):
    person, path = world.area_chair(CHAIRS[0]), f"/api/runs/{world.run}/view"
    for headers in (
        {"If-None-Match": person.get(path).headers["etag"]},
        {"Accept-Encoding": "identity"},
    ):
        here, there = _both_ways(person, monkeypatch, "GET", path, headers=headers)
        assert here == there
        assert here[0] == (304 if "If-None-Match" in headers else 200)


@pytest.mark.parametrize(
    "body",
    [
        {"json": {"secret": "unknown"}},
        {"json": {"secret": ""}},
        {"json": {"secret": "a\0b"}},
        {"json": {"secret": 3, "more": 4}},
        {"content": b'{"secret": "half', "headers": {"Content-Type": "application/json"}},
        {"content": b'{"secret": "unknown"}'},
        {"content": b'{"secret": "unknown"}', "headers": {"Content-Type": "text/plain"}},
        {"data": {"secret": "unknown"}},
        {"content": b""},
    ],
)
def test_entering_by_nothing_that_opens(world: World, monkeypatch: pytest.MonkeyPatch, body):
    here, there = _both_ways(world.nobody(), monkeypatch, "POST", "/api/enter", **body)
    world.console.throttle.succeeded("testclient")
    assert here == there
    assert here[0] in (401, 422)


def test_entering(world: World, monkeypatch: pytest.MonkeyPatch):
    body = {"secret": world.new_link(CHAIRS[0])["url"].rsplit("#", 1)[1]}
    here, there = _both_ways(world.nobody(), monkeypatch, "POST", "/api/enter", json=body)
    assert here == there
    assert here[0] == 204


def test_an_error_is_told_in_the_same_words(world: World, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    person = world.area_chair(CHAIRS[0])
    monkeypatch.setattr(world.console.views, "kept", broken)
    here, there = _both_ways(person, monkeypatch, "GET", f"/api/runs/{world.run}/view")
    assert here == there
    assert here[0] == 507


def test_they_are_counted_by_their_routes(world: World):
    app = Watched(make_app(world.console), world.console.metrics)
    with Person(world.console, app) as nobody:
        nobody.enter(world.new_link(CHAIRS[0])["url"]).get(f"/api/runs/{world.run}/view")
    told = world.console.metrics.text()
    assert 'route="/api/runs/{run}/view",method="GET",status="200"' in told
    assert 'route="/api/enter",method="POST",status="204"' in told
