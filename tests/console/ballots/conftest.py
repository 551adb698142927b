"""A collection of ballots, and the reviewers who fill them in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest

from tests.console.conftest import Person, World, owner_of
from tests.console.sample import make_sample
from unround.console.app import make_app
from unround.console.context import Console

TABLE = b"""\
reviewer,reviewer_name,reviewer_email,paper,title,score
ann@example.org,Ann Ex,,12,Twelve,4
ann@example.org,Ann Ex,,30,Thirty,7
ann@example.org,Ann Ex,,7,Seven,7
bob,,bob@example.org,12,Twelve,5
bob,,bob@example.org,9,Nine,5
dee,,dee@example.org,7,Seven,2
dee,,dee@example.org,9,Nine,1
dee,,dee@example.org,12,Twelve,4
dee,,dee@example.org,30,Thirty,2
cy,,,9,Nine,1
"""


@dataclass
class Polling:
    """A collection with Ann's and Bob's ballots, made for one test."""

    world: World
    conference: str
    id: str
    links: dict[str, str]

    @property
    def path(self) -> str:
        return f"/api/collections/{self.id}"

    def detail(self) -> dict[str, Any]:
        return self.world.chair.get(self.path).json()

    def reviewer(self, name: str = "ann@example.org") -> Voter:
        person = Voter(self.world.console, self.world.app)
        person.enter(self.links[name])
        return person


class Voter(Person):
    """A reviewer's browser."""

    def ballot(self) -> dict[str, Any]:
        answer = self.get("/api/ballot")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def put(self, content: dict[str, Any], base: int, **more: Any) -> Any:
        body = {"save_id": str(uuid4()), "base_version": base, "content": content, **more}
        return self.request("PUT", "/api/ballot", json=body)

    def saved(self, content: dict[str, Any], **more: Any) -> dict[str, Any]:
        answer = self.put(content, self.ballot()["version"], **more)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture(scope="session")
def house(console: Console) -> World:
    """The console without any run: ballots need none."""
    app = make_app(console)
    return World(console, app, make_sample(), owner_of(console, app))


@pytest.fixture
def new_polling(house: World):
    made: list[str] = []

    def make(**options: Any) -> Polling:
        chair = house.chair
        conference = chair.new_conference("Conference of ballots")
        made.append(conference)
        file = chair.upload_one(conference, "papers.csv", TABLE).json()["id"]
        wanted = {"title": "Rankings", "source": {"files": [file]}, **options}
        collection = chair.made(f"/api/conferences/{conference}/collections", wanted)
        links = chair.made(f"/api/collections/{collection['id']}/links", {})["links"]
        urls = {link["reviewer"]: link["url"] for link in links}
        return Polling(house, conference, collection["id"], urls)

    yield make
    for conference in made:
        house.chair.delete(f"/api/conferences/{conference}")


@pytest.fixture
def polling(new_polling) -> Polling:
    return new_polling()
