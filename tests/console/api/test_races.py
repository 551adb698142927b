"""What two windows do at once: one is done, the others are refused in words, and nothing is an error."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest

from tests.console.ballots.conftest import TABLE
from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS
from unround.console.storage.orm import ConferenceRow

RACES = int(os.environ.get("UNROUND_RACES", "2"))  # of each kind
Request = Callable[[], Any]
Race = tuple[list[Request], Callable[[list[int]], None]]  # what is sent at once, what must hold


def at_once(requests: list[Request]) -> list[int]:
    """Send requests at one moment, and return their statuses in the order of the requests."""
    start = Barrier(len(requests))

    def send(request: Request) -> int:
        start.wait()
        return request().status_code

    with ThreadPoolExecutor(len(requests)) as threads:
        return list(threads.map(send, requests))


def one_of(done: int, *others: int) -> Callable[[list[int]], None]:
    """Exactly one request is done; the others have one of these statuses."""

    def holds(statuses: list[int]) -> None:
        assert statuses.count(done) == 1, statuses
        assert set(statuses) <= {done, *others}, statuses

    return holds


def all_of(*allowed: int) -> Callable[[list[int]], None]:
    def holds(statuses: list[int]) -> None:
        assert set(statuses) <= set(allowed), statuses

    return holds


class Place:
    """A conference with a run, a table of area chairs, a collection and an uploaded file."""

    def __init__(self, world: World) -> None:
        self.world, self.chair = world, world.chair
        self.id = self.chair.new_conference("Of a race")
        self.path = f"/api/conferences/{self.id}"
        self.run = world.stored_run(self.id, files=world.files, shared=True)
        self.papers = sorted(world.sample.owner)

    def put(self, person: Person, path: str, **body: Any) -> Request:
        return lambda: person.put(path, json=body)

    def post(self, path: str, body: Any = None, **more: Any) -> Request:
        return lambda: self.chair.post(path, json=body, **more)

    def patch(self, path: str, **body: Any) -> Request:
        return lambda: self.chair.patch(path, json=body)

    def delete(self, path: str) -> Request:
        return lambda: self.chair.delete(path)

    def area_chair(self) -> Person:
        """An area chair of all papers, newly named."""
        rows = "".join(f"Ada,{paper}\n" for paper in self.papers)
        self.chair.assign(self.id, f"area_chair,paper\n{rows}".encode())
        made = self.chair.made(f"{self.path}/links/all", {"existing": "replace"})
        return self.world.nobody().enter(made[0]["url"])

    def collection(self) -> str:
        file = self.chair.upload_one(self.id, "papers.csv", TABLE).json()["id"]
        wanted = {"title": "Rankings", "source": {"files": [file]}}
        return f"/api/collections/{self.chair.made(f'{self.path}/collections', wanted)['id']}"

    def reviewer(self) -> Person:
        links = self.chair.made(f"{self.collection()}/links", {})["links"]
        return self.world.nobody().enter(links[0]["url"])


def recommendations(place: Place, *, notes: bool) -> Race:
    person, paper = place.area_chair(), place.papers[0]
    path = f"{place.path}/recommendations"
    if notes:
        sent = [place.put(person, path, paper=paper, note=text, before="") for text in "ab"]
        return sent, one_of(204, 409)
    sent = [place.put(person, path, paper=paper, value=value) for value in ("Accept", "Reject")]
    sent.append(place.put(person, path, paper=paper, note="A note.", before=""))

    def holds(statuses: list[int]) -> None:
        assert statuses == [204] * 3
        (kept,) = person.get(path).json()
        assert kept["note"] == "A note."
        assert kept["value"] in ("Accept", "Reject")

    return sent, holds


def decisions(place: Place) -> Race:
    path, paper = f"{place.path}/papers", place.papers[0]
    seen = place.chair.get(path).json()["version"]
    wanted = {"papers": [paper], "seen": seen}
    sent = [place.post(f"{path}/decisions", {**wanted, "decision": one}) for one in "abc"]
    return sent, one_of(200, 409)


def notes(place: Place) -> Race:
    path, paper = f"{place.path}/papers/note", place.papers[0]
    sent = [place.put(place.chair, path, paper=paper, note=text, before="") for text in "abc"]
    return sent, one_of(200, 409)


def tags(place: Place) -> Race:
    path, papers = f"{place.path}/papers", place.papers
    sent = [place.post(f"{path}/tags", {"papers": papers, "add": ["x"]}) for _ in range(2)]
    sent.append(place.post(f"{path}/tags", {"papers": papers, "remove": ["x"]}))
    return sent, all_of(200)


def undoing(place: Place) -> Race:
    path = f"{place.path}/papers"
    batch = place.chair.made(f"{path}/decisions", {"papers": place.papers, "decision": "x"}, 200)
    sent = [place.post(f"{path}/undo", {"batch": batch["batch"]}) for _ in range(3)]

    def holds(statuses: list[int]) -> None:
        assert set(statuses) <= {200, 404}
        assert place.chair.get(path).json()["papers"] == []

    return sent, holds


def lines(place: Place) -> Race:
    line = {"amount": 3, "percent": False, "per_track": False}
    other = {**line, "amount": 4}
    path = f"/api/runs/{place.run}"
    sent = [place.patch(path, line=one) for one in (line, other, None)]
    return sent, all_of(200)


def views(place: Place) -> Race:
    path = f"{place.path}/views"
    sent = [place.post(path, {"name": "Mine", "query": f"q={n}"}) for n in range(3)]

    def holds(statuses: list[int]) -> None:
        assert statuses == [201] * 3
        assert len(place.chair.get(path).json()) == 1

    return sent, holds


def deleted_views(place: Place) -> Race:
    path = f"{place.path}/views"
    view = place.chair.made(path, {"name": "Mine", "query": ""})["id"]
    return [place.delete(f"{path}/{view}")] * 3, one_of(204, 404)


def shared_and_archived(place: Place) -> Race:
    path = f"/api/runs/{place.run}"
    sent = [place.patch(path, archived=True), place.patch(path, shared=True)]

    def holds(statuses: list[int]) -> None:
        assert set(statuses) <= {200, 409}
        run = place.chair.get(path).json()
        assert not (run["archived"] and run["shared"])

    return sent, holds


def renamed(place: Place) -> Race:
    path = f"/api/runs/{place.run}"
    sent = [place.patch(path, name=one) for one in ("One", "Two")]
    sent.append(place.patch(place.path, name="Another"))
    return sent, all_of(200)


def what_area_chairs_see(place: Place) -> Race:
    """Every change has an edition of its own, by which views are cached."""
    sent = [place.patch(place.path, show_stars=one) for one in (True, False, True)]

    def holds(statuses: list[int]) -> None:
        assert statuses == [200] * 3
        with place.world.console.database.reading() as session:
            assert session.get_one(ConferenceRow, place.id).edition == 3

    return sent, holds


def deleted_runs(place: Place) -> Race:
    path = f"/api/runs/{place.run}"
    sent = [place.delete(path), place.delete(path), place.patch(path, name="x")]

    def holds(statuses: list[int]) -> None:
        one_of(204, 404)(statuses[:2])
        assert statuses[2] in (200, 404)

    return sent, holds


def deleted_conferences(place: Place) -> Race:
    return [place.delete(place.path)] * 3, one_of(204, 404)


def restored_or_gone(place: Place) -> Race:
    place.chair.delete(place.path)
    path = f"/api/bin/{place.id}"
    sent = [place.post(f"{path}/restore"), place.delete(path), place.post(f"{path}/restore")]

    def holds(statuses: list[int]) -> None:
        one_of(204, 404)(statuses)
        there = place.chair.get(place.path).status_code
        assert there == (404 if statuses[1] == 204 else 200)

    return sent, holds


def imported_area_chairs(place: Place) -> Race:
    place.area_chair()
    tables = [f"area_chair,paper\n{name},{place.papers[0]}\n".encode() for name in CHAIRS]
    path, send = f"{place.path}/area-chairs", place.chair.post
    planned = [send(path, params={"name": "a.csv"}, content=one).json() for one in tables]

    def confirm(table: bytes, edition: int) -> Request:
        return lambda: send(path, params={"name": "a.csv", "edition": edition}, content=table)

    sent = [confirm(*one) for one in zip(tables, (p["edition"] for p in planned), strict=True)]
    return sent, one_of(200, 409)


def links(place: Place) -> Race:
    """Two windows make the first link of an area chair: one of them learns that there is one."""
    rows = f"area_chair,paper\nAda,{place.papers[0]}\n".encode()
    place.chair.assign(place.id, rows)
    (person,) = place.chair.access(place.id)["area_chairs"]
    wanted = {"area_chair": person["id"], "existing": "refuse"}
    return [place.post(f"{place.path}/links", wanted)] * 3, one_of(201, 409)


def replaced_and_revoked_links(place: Place) -> Race:
    place.area_chair()
    (person,) = place.chair.access(place.id)["area_chairs"]
    wanted = {"area_chair": person["id"], "existing": "replace"}
    sent = [place.post(f"{place.path}/links", wanted)] * 2
    sent += [place.post(f"/api/links/{person['links'][0]['id']}/revoke")] * 2

    def holds(statuses: list[int]) -> None:
        assert statuses == [201, 201, 200, 200]
        (after,) = place.chair.access(place.id)["area_chairs"]
        assert sum(link["revoked"] is None for link in after["links"]) == 1

    return sent, holds


def saved_ballots(place: Place) -> Race:
    person = place.reviewer()
    papers = [one["paper"] for one in person.get("/api/ballot").json()["papers"]]
    orders = [papers, papers[::-1], papers[1:] + papers[:1]]

    def body(order: list[str], submit: bool) -> dict[str, Any]:
        content = {"groups": [[paper] for paper in order]}
        return {"save_id": str(uuid4()), "base_version": 0, "content": content, "submit": submit}

    sent = [place.put(person, "/api/ballot", **body(one, submit=one is papers)) for one in orders]
    return sent, one_of(200, 409)


def a_save_sent_again(place: Place) -> Race:
    person = place.reviewer()
    papers = [one["paper"] for one in person.get("/api/ballot").json()["papers"]]
    body = {"save_id": str(uuid4()), "base_version": 0, "content": {"groups": [papers[:1]]}}

    def holds(statuses: list[int]) -> None:
        assert statuses == [200] * 3
        assert len(person.get("/api/ballot/versions").json()) == 1

    return [place.put(person, "/api/ballot", **body)] * 3, holds


def closed_and_saved_ballots(place: Place) -> Race:
    person = place.reviewer()
    (collection,) = place.chair.get(f"{place.path}/collections").json()
    papers = [one["paper"] for one in person.get("/api/ballot").json()["papers"]]
    body = {"base_version": 0, "content": {"groups": [[one] for one in papers]}}
    sent = [place.put(person, "/api/ballot", save_id=str(uuid4()), **body)]
    sent.append(place.patch(f"/api/collections/{collection['id']}", state="closed"))
    sent.append(place.patch(f"/api/collections/{collection['id']}", title="Other"))
    return sent, all_of(200, 423)


def deleted_collections(place: Place) -> Race:
    person = place.reviewer()
    (collection,) = place.chair.get(f"{place.path}/collections").json()
    path = f"/api/collections/{collection['id']}"
    sent = [place.delete(path), place.delete(path), place.post(f"{path}/links", {})]
    sent += [place.patch(path, title="x"), lambda: person.get("/api/ballot")]

    def holds(statuses: list[int]) -> None:
        one_of(204, 404)(statuses[:2])
        assert set(statuses[2:]) <= {200, 201, 401, 404}

    return sent, holds


def deleted_files(place: Place) -> Race:
    file = place.chair.upload_one(place.id, "a.csv", b"reviewer,paper,score\n").json()["id"]
    path = f"{place.path}/files/{file}"
    return [place.delete(path)] * 3, one_of(204, 404)


def left_sessions(place: Place) -> Race:
    person = place.area_chair()
    sent: list[Request] = [lambda: person.post("/api/leave")] * 2
    return sent, all_of(204, 401)


KINDS: dict[str, Callable[[Place], Race]] = {
    "an area chair's value and note": lambda place: recommendations(place, notes=False),
    "an area chair's notes": lambda place: recommendations(place, notes=True),
    "decisions": decisions,
    "notes": notes,
    "tags": tags,
    "undoing": undoing,
    "lines": lines,
    "views": views,
    "deleted views": deleted_views,
    "a run shared and archived": shared_and_archived,
    "names": renamed,
    "what area chairs see": what_area_chairs_see,
    "deleted runs": deleted_runs,
    "deleted conferences": deleted_conferences,
    "restored or deleted for good": restored_or_gone,
    "imported area chairs": imported_area_chairs,
    "links": links,
    "replaced and revoked links": replaced_and_revoked_links,
    "saved ballots": saved_ballots,
    "a save that is sent again": a_save_sent_again,
    "closed and saved ballots": closed_and_saved_ballots,
    "deleted collections": deleted_collections,
    "deleted files": deleted_files,
    "left sessions": left_sessions,
}


@pytest.mark.slow
@pytest.mark.parametrize("what", KINDS)
def test_what_two_windows_do_at_once_is_done_once(world: World, what: str):
    for _ in range(RACES):
        place = Place(world)
        requests, holds = KINDS[what](place)
        statuses = at_once(requests)
        assert max(statuses) < 500, statuses
        holds(statuses)
        place.chair.delete(place.path)
