"""The recipe for a new page of the console: its router in ROUTERS, its guard, and its schema."""

from __future__ import annotations

import pytest
from fastapi import APIRouter
from pydantic import BaseModel

from tests.console.conftest import Person, World
from unround.console import app
from unround.console.api.guards import OwnConference, SignedIn
from unround.console.api.routes import ROUTERS
from unround.console.api.routing import PathId, Reading, new_router


class RoomShares(BaseModel):
    conference: str


router = new_router("rooms", "/conferences")


@router.get("/{conference}/room-shares")
def room_shares(conference: OwnConference) -> RoomShares:
    """Return the room of each track."""
    return RoomShares(conference=conference.id)


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


def test_an_application_with_a_handler_that_says_not_whom_it_is_for_is_not_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forgotten(visit: Reading) -> None: ...

    def of_another(viewer: SignedIn, conference: PathId) -> None: ...

    for handler, what in ((forgotten, "forgotten"), (of_another, "conference")):
        with pytest.raises(TypeError, match=f"{what} needs a guard"):
            new_router("rooms").get("/conferences/{conference}/rooms")(handler)
    unguarded = APIRouter()
    unguarded.get("/conferences/{conference}/rooms")(of_another)
    monkeypatch.setattr(app, "ROUTERS", (*ROUTERS, unguarded))
    with pytest.raises(TypeError, match="new_router"):
        app.api()
