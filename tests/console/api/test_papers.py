"""Decisions, tags, notes and views belong to the conference; every change is told, and can be undone."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest

from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS

ADA = CHAIRS[0]


@pytest.fixture
def papers(world: World) -> Iterator[list[str]]:
    """The ids of all papers; what a test decides is taken away behind it."""
    ids = sorted(world.sample.owner)
    _clear(world, ids)  # other tests of the console share the world
    yield ids
    _clear(world, ids)


def _clear(world: World, papers: list[str]) -> None:
    marked = _marks(world)
    decided = [one["paper"] for one in marked["papers"] if one["decision"]]
    if decided:
        _decide(world, decided, None)
    tags = sorted({tag for one in marked["papers"] for tag in one["tags"]})
    if tags:
        world.chair.made(_path(world, "tags"), {"papers": papers, "remove": tags}, 200)
    for one in marked["papers"]:
        if one["note"]:
            _write(world, one["paper"], "", one["note"])
    assert _marks(world)["papers"] == []


def _path(world: World, name: str = "") -> str:
    return f"/api/conferences/{world.conference}/papers{'/' if name else ''}{name}"


def _marks(world: World) -> dict:
    return world.chair.get(_path(world)).json()


def _decide(world: World, papers: list[str], label: str | None, **more: object) -> dict:
    return world.chair.made(
        _path(world, "decisions"), {"papers": papers, "decision": label, **more}, 200
    )


def _write(world: World, paper: str, text: str, before: str = ""):
    wanted = {"paper": paper, "note": text, "before": before}
    return world.chair.put(_path(world, "note"), json=wanted)


def _decided(world: World) -> dict[str, str]:
    return {one["paper"]: one["decision"] for one in _marks(world)["papers"] if one["decision"]}


def _log(world: World) -> list[tuple[str, str]]:
    return [(line["action"], line["detail"]) for line in world.chair.log(world.conference)]


def test_decisions_are_set_changed_and_taken_away(world: World, papers: list[str]):
    a, b, c, *_ = papers
    assert _decide(world, [a, b, a], "Accept")["papers"] == 2
    assert _decide(world, [b, c], "Accept as poster")["papers"] == 2
    assert _decided(world) == {a: "Accept", b: "Accept as poster", c: "Accept as poster"}
    assert _log(world)[0] == ("decided", f"Accept as poster: {b}, {c}")
    same = _decide(world, [a], "Accept")
    assert (same["papers"], same["batch"]) == (0, None)
    _decide(world, [a, c], None)
    assert _decided(world) == {b: "Accept as poster"}
    history = world.chair.get(_path(world, "history"), params={"paper": b}).json()
    assert [(one["field"], one["before"], one["after"]) for one in history[:2]] == [
        ("decision", "Accept", "Accept as poster"),
        ("decision", None, "Accept"),
    ]
    assert all(one["who"] and one["at"] for one in history)


def test_undo_takes_back_what_nobody_changed_since(world: World, papers: list[str]):
    a, b, c, *_ = papers
    _decide(world, [a], "Discuss")
    batch = _decide(world, [a, b, c], "Reject")["batch"]
    _decide(world, [c], "Accept")
    undone = world.chair.made(_path(world, "undo"), {"batch": batch}, 200)
    assert (undone["papers"], undone["kept"]) == (2, 1)
    assert _decided(world) == {a: "Discuss", c: "Accept"}
    world.chair.made(_path(world, "undo"), {"batch": undone["batch"]}, 200)  # undo is a change too
    assert _decided(world) == {a: "Reject", b: "Reject", c: "Accept"}
    unknown = world.chair.post(_path(world, "undo"), json={"batch": "0" * 32})
    assert unknown.status_code == 404


def test_a_decision_on_what_somebody_else_decided_meanwhile_is_refused(
    world: World, papers: list[str]
):
    a, b, c, *_ = papers
    seen = _marks(world)["version"]
    _decide(world, [a], "Accept")
    wanted = {"papers": [a, b], "decision": "Reject", "seen": seen}
    answer = world.chair.post(_path(world, "decisions"), json=wanted)
    assert answer.status_code == 409
    assert a in answer.json()["detail"]
    assert _decided(world) == {a: "Accept"}
    assert _decide(world, [b, c], "Reject", seen=seen)["papers"] == 2  # others are free


def test_tags_are_added_and_removed_and_undone(world: World, papers: list[str]):
    a, b, *_ = papers
    added = world.chair.made(
        _path(world, "tags"), {"papers": [a, b], "add": ["best-paper", "borderline"]}, 200
    )
    assert added["papers"] == 2
    world.chair.made(
        _path(world, "tags"), {"papers": [a, b], "add": ["late"], "remove": ["borderline"]}, 200
    )
    tags = {one["paper"]: one["tags"] for one in _marks(world)["papers"]}
    assert tags == {a: ["best-paper", "late"], b: ["best-paper", "late"]}
    undone = world.chair.made(_path(world, "undo"), {"batch": added["batch"]}, 200)
    assert undone["papers"] == 2
    assert {tuple(one["tags"]) for one in _marks(world)["papers"]} == {("late",)}


@pytest.mark.parametrize("tag", ["", "two words", "a,b", "x" * 61])
def test_a_tag_is_one_word(world: World, papers: list[str], tag: str):
    answer = world.chair.post(_path(world, "tags"), json={"papers": papers[:1], "add": [tag]})
    assert answer.status_code == 422


def test_a_note_is_kept_and_never_overwritten_unseen(world: World, papers: list[str]):
    paper = papers[0]
    assert _write(world, paper, "Ask reviewer 2.").status_code == 200
    assert _write(world, paper, "Ask reviewer 2 again.", "Ask reviewer 2.").status_code == 200
    stale = _write(world, paper, "Something else", "Ask reviewer 2.")
    assert stale.status_code == 409
    assert "Somebody else" in stale.json()["detail"]
    (kept,) = _marks(world)["papers"]
    assert kept["note"] == "Ask reviewer 2 again."
    history = world.chair.get(_path(world, "history"), params={"paper": paper}).json()
    notes = [one for one in history if one["field"] == "note"]
    assert (notes[0]["before"], notes[0]["after"]) == (None, "Ask reviewer 2 again.")  # one sitting


def test_only_papers_of_a_run_can_be_decided(world: World, papers: list[str]):
    wanted = {"papers": [papers[0], "no such paper"], "decision": "Accept"}
    answer = world.chair.post(_path(world, "decisions"), json=wanted)
    assert answer.status_code == 422
    assert "no such paper" in answer.json()["detail"]
    assert _decided(world) == {}


@pytest.mark.slow
def test_imported_decisions_are_taken_for_papers_without_one(chair: Person, conference: str):
    """The labels of the import stay, but for the three that the console writes itself."""
    reviews = b"reviewer,paper,score,decision\nr1,1,5,ACCEPT\nr1,2,4,Oral\nr2,2,3,Oral\nr2,3,2,\n"
    files = chair.upload(conference, [("files", ("reviews.csv", reviews))])
    run = chair.run(conference, files)
    assert run["status"] == "done", run
    path = f"/api/conferences/{conference}/papers"
    chair.made(f"{path}/decisions", {"papers": ["2"], "decision": "Reject"}, 200)
    taken = chair.made(f"{path}/decisions/from-run/{run['id']}", None, 200)
    assert taken["papers"] == 1
    marked = {one["paper"]: one["decision"] for one in chair.get(path).json()["papers"]}
    assert marked == {"1": "Accept", "2": "Reject"}
    # They outlive the run.
    assert chair.delete(f"/api/runs/{run['id']}").status_code == 204
    assert len(chair.get(path).json()["papers"]) == 2


def test_views_are_saved_replaced_and_deleted(world: World):
    path = f"/api/conferences/{world.conference}/views"
    first = world.chair.made(path, {"name": "Borderline ", "query": "?sort=-mean&accept=500"})
    assert (first["name"], first["query"]) == ("Borderline", "sort=-mean&accept=500")
    second = world.chair.made(path, {"name": "Borderline", "query": "sort=paper"})

    def kept() -> list[str]:
        views = world.chair.get(path).json()
        return [one["query"] for one in views if one["name"] == "Borderline"]

    assert kept() == ["sort=paper"]
    assert world.chair.delete(f"{path}/{second['id']}").status_code == 204
    assert world.chair.delete(f"{path}/{second['id']}").status_code == 404
    assert kept() == []


def test_area_chairs_learn_nothing_of_decisions(world: World, papers: list[str]):
    """Not even through the pages that they may open."""
    own = sorted(world.sample.papers_of(ADA))[0]
    _decide(world, [own], "Sealed decision")
    _write(world, own, "Sealed note")
    person: Person = world.area_chair(ADA)
    for path in (f"/api/runs/{world.run}/view", f"/api/runs/{world.run}/report.html"):
        assert "Sealed" not in person.get(path).text


def test_the_last_changes_are_listed_with_what_can_be_undone(world: World, papers: list[str]):
    a, b, c, *_ = papers
    path = _path(world, "changes")
    batch = _decide(world, [a, b, c], "Reject")["batch"]
    _decide(world, [c], "Accept")
    _write(world, a, "look again")
    noted, accepted, rejected = world.chair.get(path).json()[:3]
    assert (noted["field"], noted["after"], noted["count"]) == ("note", ["look again"], 1)
    assert (accepted["before"], accepted["after"]) == (["Reject"], ["Accept"])
    assert (rejected["batch"], rejected["after"]) == (batch, ["Reject"])
    assert (rejected["count"], rejected["undoable"]) == (3, 2)
    world.chair.made(_path(world, "undo"), {"batch": batch}, 200)
    undone, *rest = world.chair.get(path).json()
    assert (undone["before"], undone["after"], undone["count"]) == (["Reject"], [""], 2)
    assert next(one["undoable"] for one in rest if one["batch"] == batch) == 0


def test_an_area_chair_recommends_and_the_chairs_see_and_export_it(world: World):
    path = f"/api/conferences/{world.conference}/recommendations"
    own = sorted(paper for paper, owner in world.sample.owner.items() if owner == ADA)
    other = next(paper for paper, owner in world.sample.owner.items() if owner != ADA)
    ada, bo = world.area_chair(ADA), world.area_chair(CHAIRS[1])
    said = {"paper": own[0], "value": "Discuss", "note": " R2 will update. "}
    assert ada.put(path, json=said).status_code == 204
    assert ada.put(path, json={"paper": own[1], "note": "Weak."}).status_code == 204
    assert ada.put(path, json={"paper": other, "value": "Accept"}).status_code == 404
    kept = [
        {"paper": own[0], "value": "Discuss", "note": "R2 will update.", "area_chair": ADA},
        {"paper": own[1], "value": None, "note": "Weak.", "area_chair": ADA},
    ]
    assert ada.get(path).json() == world.chair.get(path).json() == kept
    assert bo.get(path).json() == []
    table = world.chair.get(f"/api/runs/{world.run}/tables/papers.csv").text.lstrip("\ufeff")
    rows = {row["paper"]: row for row in csv.DictReader(io.StringIO(table))}
    assert (rows[own[0]]["recommendation"], rows[own[1]]["area_chair_note"]) == ("Discuss", "Weak.")
    assert ("recommended", f"{own[0]}: Discuss") in _log(world)
    for paper in own[:2]:  # an empty one takes it away
        ada.put(path, json={"paper": paper})
    assert ada.get(path).json() == []
