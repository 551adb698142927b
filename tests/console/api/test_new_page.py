"""The recipe for a new page of the console: its router in ROUTERS, and its schema."""

from __future__ import annotations

import pytest
from fastapi import APIRouter
from pydantic import BaseModel

from tests.console.conftest import Person, World
from unround.console import app
from unround.console.api.routes import ROUTERS
from unround.console.api.routing import ChairRoute, PathId, error_responses


class RoomShares(BaseModel):
    conference: str


router = APIRouter(prefix="/conferences", route_class=ChairRoute)


@router.get("/{conference}/room-shares", responses=error_responses())
def room_shares(conference: PathId) -> RoomShares:
    """Return the room of each track."""
    return RoomShares(conference=conference)


def test_a_new_route_is_described_and_answers_chairs_and_nobody_else(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "ROUTERS", (*ROUTERS, router))
    assert '"/api/conferences/{conference}/room-shares"' in app.openapi_document()
    address = f"/api/conferences/{world.conference}/room-shares"
    extended = app.make_app(world.console)

    def answer(link: str) -> int:
        return Person(world.console, extended).enter(link).get(address).status_code

    area_chair = min(world.area_chairs)
    assert answer(world.new_link(None)["url"]) == 200
    assert answer(world.new_link(area_chair)["url"]) == 404
    assert Person(world.console, extended).get(address).status_code == 401
