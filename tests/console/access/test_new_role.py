"""The recipe for a role: its name, its links, its rules and guards. It opens nothing but these."""

from __future__ import annotations

from typing import Annotated

import pytest

from tests.console.access.test_matrix import OPERATIONS
from tests.console.conftest import Person, World
from unround.console import app
from unround.console.api.guards import guard, require
from unround.console.api.routes import ROUTERS
from unround.console.api.routing import new_router
from unround.console.context import Visit
from unround.console.storage.orm import ConferenceRow, LinkRow

NAME = "Olive Observer"
role_of = LinkRow.role.fget
router = new_router("observers", "/conferences")


def _observed(visit: Visit, conference: str) -> ConferenceRow:
    """The rule: observers see the conference of their link."""
    viewer = visit.viewer
    require(viewer.role == "observer" and viewer.conference == conference, viewer)
    return visit.session.get_one(ConferenceRow, conference)


@router.get("/{conference}/observed")
def observe(
    conference: Annotated[
        ConferenceRow, guard(lambda visit, conference: _observed(visit, conference))
    ],
) -> str:
    return conference.name


def test_a_new_role_opens_what_its_guards_open_and_nothing_else(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(app, "ROUTERS", (*ROUTERS, router))
    extended, path = app.make_app(world.console), f"/api/conferences/{world.conference}"
    made = world.chair.made(f"{path}/links", {"label": NAME})
    role = property(lambda link: "observer" if link.label == NAME else role_of(link))
    monkeypatch.setattr(LinkRow, "role", role)
    person = Person(world.console, extended).enter(made["url"])
    assert person.get(f"{path}/observed").json() == "Conference of the tests"
    assert person.get(f"/api/conferences/{'0' * 32}/observed").status_code == 404
    chair = Person(world.console, extended).enter(world.new_link(None)["url"])
    assert chair.get(f"{path}/observed").status_code == 404
    ids = {"conference": world.conference, "run": world.run, "collection": world.collection}
    ids |= {"name": "papers.csv", "target": "hotcrp", "file": world.files[0]}
    others = [one.split()[1] for one in OPERATIONS if one.startswith("GET")]
    for other in set(others) - {"/api/me"}:
        address = other.format_map(ids | dict.fromkeys(("check", "ballot"), "0" * 32))
        assert person.get(address).status_code == 404, address
