"""Every operation of the API, as each role, with each kind of id: who is answered, and who finds nothing.

The operations are those of the API's own description. A new one that is not for chairs alone fails
`test_who_is_answered` until it has a rule.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.routing import APIRoute

from tests.console.api.test_openapi import DESCRIBED
from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS
from unround.console.api.routes import ROUTERS
from unround.console.storage.orm import JobFileRow, JobRow, new_id, now

ADA = CHAIRS[0]
OWNER, CHAIR, AREA_CHAIR, REVIEWER = "owner", "chair", "area chair", "reviewer"
ELSEWHERE = {"other chair", "other area chair"}
STAFF = frozenset({OWNER, CHAIR})
PEOPLE = STAFF | {AREA_CHAIR, REVIEWER} | ELSEWHERE
CONFERENCE, RUN = "/api/conferences/{conference}", "/api/runs/{run}"
COLLECTION = "/api/collections/{collection}"

# Every operation that is described, with whether it takes a body.
OPERATIONS = {
    f"{method.upper()} {path}": "requestBody" in facts
    for path, methods in DESCRIBED["paths"].items()
    for method, facts in methods.items()
}
# Who may use what. All but the owner need ids of their own conference; an area chair, shared runs.
# An operation that is not named here is for the owner and the conference's chairs alone.
RULES: dict[str, frozenset[str]] = {
    **dict.fromkeys(OPERATIONS, STAFF),
    "POST /api/enter": PEOPLE | {"nobody", "revoked"},
    **dict.fromkeys(("GET /api/me", "POST /api/leave"), PEOPLE),
    "GET /api/conferences": PEOPLE - {REVIEWER},
    **dict.fromkeys(
        ("GET /api/ballot", "PUT /api/ballot", "GET /api/ballot/versions"), frozenset({REVIEWER})
    ),
    **dict.fromkeys(
        (
            f"GET {CONFERENCE}",
            f"GET {CONFERENCE}/recommendations",
            f"GET {RUN}/view",
            f"GET {RUN}/report.html",
            f"GET {RUN}/sides",
        ),
        STAFF | {AREA_CHAIR},
    ),
    f"PUT {CONFERENCE}/recommendations": frozenset({AREA_CHAIR}),
    **dict.fromkeys(
        (
            "POST /api/conferences",
            "GET /api/bin",
            "DELETE /api/bin/{deleted}",
            "POST /api/bin/{deleted}/restore",
            "GET /api/server/access",
            "POST /api/server/links",
            "GET /api/server/log",
        ),
        frozenset({OWNER}),
    ),
}
# Answers 404 to chairs, too: the run was not refused, and no ballot orders papers yet.
NOTHING_THERE = {f"GET {RUN}/contradictions.csv", f"GET {COLLECTION}/export"}
WORDS = {"name": "papers.csv", "target": "hotcrp"}  # in paths, but no ids
STRANGE = ("f" * 32, "0", "..%2f..%2fx", "x" * 500, "%00")
NOTHING = {"detail": "There is nothing here."}


def test_rules_are_for_operations_that_are_described_as_every_route_is():
    routes = [route for router in ROUTERS for route in router.routes]
    assert set(OPERATIONS) == set(RULES)
    assert set(OPERATIONS) == {
        f"{method} /api{route.path}"
        for route in routes
        if isinstance(route, APIRoute)
        for method in route.methods
    }


@dataclass
class Places:
    """The people of the matrix, and ids by kind and by their names in paths."""

    people: dict[str, Person]
    ids: dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def places(world: World) -> Iterator[Places]:
    owner = world.chair
    other, binned = (owner.new_conference(name) for name in ("The other one", "Soon in the bin"))
    revoked = world.new_link(ADA)
    people = {
        "nobody": world.nobody(),
        "revoked": world.nobody().enter(revoked["url"]),
        REVIEWER: world.reviewer(),
        AREA_CHAIR: world.area_chair(ADA),
        CHAIR: world.nobody().enter(world.new_link(None)["url"]),
        OWNER: owner,
    }
    owner.post(f"/api/links/{revoked['id']}/revoke")
    owner.assign(other, b"area_chair,paper\nZoe Elsewhere,1\n")
    chair = owner.made(f"/api/conferences/{other}/links", {"label": "Otto Elsewhere"})
    (area_chair,) = owner.made(f"/api/conferences/{other}/links/all", {})
    people["other chair"] = world.nobody().enter(chair["url"])
    people["other area chair"] = world.nobody().enter(area_chair["url"])
    ids = {
        "own": _ids(world, world.conference) | {"file": world.files[0]},
        "other": _ids(world, other),
        "binned": _ids(world, binned),
    }
    ids["own"] |= {"collection": world.collection, "ballot": world.ballots[min(world.ballots)]}
    ids["unshared"] = ids["own"] | {"run": world.hidden}
    ours = {"conference": world.conference, "collection": world.collection}
    ids["mixed"] = ids["other"] | ours
    owner.delete(f"/api/conferences/{binned}")
    yield Places(people, ids)
    for gone in (other, binned):
        owner.delete(f"/api/conferences/{gone}")
        owner.delete(f"/api/bin/{gone}")


def _ids(world: World, conference: str) -> dict[str, str]:
    """Make something of every kind in a conference, and return the ids."""
    chair, home = world.chair, f"/api/conferences/{conference}"
    table = b"reviewer,paper\nr,1\nr,2\n"
    file = chair.upload_one(conference, "a.csv", table).json()["id"]
    collection = chair.made(f"{home}/collections", {"title": "T", "source": {"files": [file]}})
    ended = {"status": "done", "created": now(), "finished": now(), "request": {"files": []}}
    packed = gzip.compress(b"kind\n")
    check = JobRow(id=new_id(), kind="check", conference=conference, **ended)
    with world.console.database.writing() as session:
        session.add(check)
        session.flush()
        for name in ("issues.csv", "contradictions.csv"):
            session.add(JobFileRow(job=check.id, name=name, content=packed))
    # Other tests open the newest run of the world's own conference.
    own = conference == world.conference
    return {
        "conference": conference,
        "run": world.run if own else world.stored_run(conference, shared=True),
        "check": check.id,
        "file": file,
        "view": chair.made(f"{home}/views", {"name": "v", "query": ""})["id"],
        "link": chair.made(f"{home}/links", {"label": "Somebody"})["id"],
        "collection": collection["id"],
        "ballot": collection["ballots"][0]["id"],
        "deleted": conference,
    }


def _named(operation: str) -> list[str]:
    return [name for name in re.findall(r"{(\w+)}", operation) if name not in WORDS]


def _ask(person: Person, operation: str, ids: dict[str, str]) -> Any:
    method, path = operation.split()
    address = path.format(**{**WORDS, **ids})
    # Whoever may use the operation is told that the body is none; all others find nothing.
    return person.request(method, address, content=b"{" if OPERATIONS.get(operation) else None)


def _is_allowed(operation: str, role: str, kind: str) -> bool:
    if role not in RULES[operation]:
        return False
    named = _named(operation)
    if not named:
        return True
    if named == ["deleted"]:
        return kind == "binned"
    unshared = kind == "unshared" and "run" in named and role == AREA_CHAIR
    return kind in ("own", "unshared") and not unshared


@pytest.mark.parametrize("operation", OPERATIONS)
def test_who_is_answered(world: World, places: Places, operation: str):
    changes = operation.split()[0] != "GET" and not OPERATIONS[operation]
    several = len(_named(operation)) > 1
    for role, person in places.people.items():
        for kind, ids in places.ids.items():
            allowed = _is_allowed(operation, role, kind)
            owns = kind == "other" and role in {OWNER, *ELSEWHERE}
            alike = kind == "unshared" and role != AREA_CHAIR  # as with own ids
            if (allowed and changes) or owns or alike or (kind == "mixed" and not several):
                continue  # what it does when allowed is tested elsewhere
            answer = _ask(person, operation, ids)
            case = (
                f"{operation} as {role} with {kind} ids: {answer.status_code} {answer.text[:200]}"
            )
            if allowed and operation not in NOTHING_THERE:
                assert answer.status_code in (200, 422), case
            elif not allowed:
                signed_in = role not in ("nobody", "revoked")
                assert answer.status_code == (404 if signed_in else 401), case
                assert not signed_in or answer.json() == NOTHING, case


@pytest.mark.parametrize("operation", [one for one in OPERATIONS if _named(one)])
def test_what_is_no_id_is_nowhere(places: Places, operation: str):
    for strange in STRANGE:
        for role in (REVIEWER, AREA_CHAIR, CHAIR, OWNER):
            answer = _ask(places.people[role], operation, dict.fromkeys(_named(operation), strange))
            case = f"{operation} as {role} with {strange[:10]}: {answer.status_code}"
            refusals = (404, 405, 422) if role in RULES[operation] else (404, 405)
            assert answer.status_code in refusals, case


# What an owner and a chair of the conference read alike; reading the log adds to it.
READ = [one for one in RULES if re.fullmatch("GET .*{.*(?<!/log)", one) and CHAIR in RULES[one]]


@pytest.mark.parametrize("operation", READ)
def test_a_chair_reads_what_the_owner_reads(places: Places, operation: str):
    """And HEAD is answered wherever GET is."""
    ids = places.ids["own"]
    theirs, owners = (_ask(places.people[role], operation, ids) for role in (CHAIR, OWNER))
    assert (theirs.status_code, theirs.content) == (owners.status_code, owners.content)
    head = _ask(places.people[OWNER], operation.replace("GET", "HEAD"), ids)
    assert (head.status_code, head.content) == (owners.status_code, b"")


OPEN = [
    one
    for one in OPERATIONS
    if one.startswith("GET") and AREA_CHAIR in RULES.get(one, ()) and one != "GET /api/me"
]


@pytest.mark.parametrize("operation", OPEN)
def test_area_chairs_receive_nothing_from_outside(world: World, places: Places, operation: str):
    person, outside = places.people[AREA_CHAIR], world.sample.words_outside(ADA)
    for packed in ("gzip", "identity"):
        person.headers["Accept-Encoding"] = packed
        answer = _ask(person, operation, places.ids["own"])
        received = str(answer.headers).encode() + answer.content
        assert not {word for word in (*outside, world.hidden) if word.encode() in received}
    if "{run}" in operation:  # only chairs may see a run as somebody else
        address = operation.split()[1].format(run=world.run)
        for preview in world.area_chairs.values():
            assert person.get(address, params={"as": preview}).status_code == 404


def test_reviewers_receive_their_own_papers_and_nothing_else(world: World, places: Places):
    name, person = min(world.ballots), places.people[REVIEWER]
    outside = world.sample.words_outside_ballot(name)
    for path in ("/api/ballot", "/api/ballot/versions", "/api/me"):
        content = person.get(path).content
        assert not {word for word in outside if word.encode() in content}
    shown = [
        (one["paper"], one["title"], one["score"])
        for one in person.get("/api/ballot").json()["papers"]
    ]
    own = world.sample.reviews.filter(reviewer=name).select("paper", "title", "score")
    assert sorted(shown) == sorted(own.rows())
