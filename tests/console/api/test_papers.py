"""Decisions, tags, notes and views belong to the conference; every change is listed, and can be undone."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

import pytest

from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS

ADA = CHAIRS[0]


@dataclass
class Marks:
    """What chairs decide and note about the papers of a conference."""

    chair: Person
    conference: str
    papers: list[str]

    def path(self, name: str = "") -> str:
        return f"/api/conferences/{self.conference}/papers{'/' if name else ''}{name}"

    def post(self, name: str, **wanted: object) -> dict[str, Any]:
        return self.chair.made(self.path(name), wanted, 200)

    def refused(self, name: str, status: int, **wanted: object) -> str:
        answer = self.chair.post(self.path(name), json=wanted)
        assert answer.status_code == status, answer.text
        return str(answer.json()["detail"])

    def decide(self, papers: list[str], label: str | None, **more: object) -> dict[str, Any]:
        return self.post("decisions", papers=papers, decision=label, **more)

    def write(self, paper: str, text: str, before: str = "") -> Any:
        wanted = {"paper": paper, "note": text, "before": before}
        return self.chair.put(self.path("note"), json=wanted)

    def of(self, field: str) -> dict[str, Any]:
        """All that is set of one kind, by paper."""
        marked = self.chair.get(self.path()).json()["papers"]
        return {one["paper"]: one[field] for one in marked if one[field]}

    def history(self, paper: str) -> list[tuple[str, str | None, str | None]]:
        found = self.chair.get(self.path("history"), params={"paper": paper}).json()
        assert all(one["who"] and one["at"] for one in found)
        return [(one["field"], one["before"], one["after"]) for one in found]

    def log(self) -> list[tuple[str, str]]:
        return [(line["action"], line["detail"]) for line in self.chair.log(self.conference)]


@pytest.fixture
def marks(world: World, conference: str) -> Marks:
    """A conference with one run, in which nothing is decided."""
    world.stored_run(conference)
    return Marks(world.chair, conference, sorted(world.sample.owner))


def test_decisions_are_set_changed_and_taken_away(marks: Marks):
    a, b, c, *_ = marks.papers
    assert marks.decide([a, b, a], "Accept")["papers"] == 2
    assert marks.decide([b, c], "Accept as poster")["papers"] == 2
    assert marks.of("decision") == {a: "Accept", b: "Accept as poster", c: "Accept as poster"}
    assert marks.log()[0] == ("decided", f"Accept as poster: {b}, {c}")
    same = marks.decide([a], "Accept")
    assert (same["papers"], same["batch"]) == (0, None)
    marks.decide([a, c], None)
    assert marks.of("decision") == {b: "Accept as poster"}
    assert marks.history(b) == [
        ("decision", "Accept", "Accept as poster"),
        ("decision", None, "Accept"),
    ]


def test_undo_takes_back_what_nobody_changed_since_and_the_changes_are_listed(marks: Marks):
    a, b, c, *_ = marks.papers
    marks.decide([a], "Discuss")
    batch = marks.decide([a, b, c], "Reject")["batch"]
    marks.decide([c], "Accept")
    marks.write(a, "look again")
    noted, accepted, rejected, _ = marks.chair.get(marks.path("changes")).json()
    assert (noted["field"], noted["after"], noted["count"]) == ("note", ["look again"], 1)
    assert (accepted["before"], accepted["after"]) == (["Reject"], ["Accept"])
    assert (rejected["batch"], rejected["after"]) == (batch, ["Reject"])
    assert (rejected["count"], rejected["undoable"]) == (3, 2)
    undone = marks.post("undo", batch=batch)
    assert (undone["papers"], undone["kept"]) == (2, 1)
    assert marks.of("decision") == {a: "Discuss", c: "Accept"}
    newest, *rest = marks.chair.get(marks.path("changes")).json()
    assert (newest["batch"], newest["before"], newest["count"]) == (undone["batch"], ["Reject"], 2)
    assert next(one["undoable"] for one in rest if one["batch"] == batch) == 0
    marks.post("undo", batch=undone["batch"])  # undo is a change too
    assert marks.of("decision") == {a: "Reject", b: "Reject", c: "Accept"}
    marks.refused("undo", 404, batch="0" * 32)


def test_what_cannot_be_decided_is_refused_and_changes_nothing(marks: Marks):
    """What somebody else decided meanwhile, and papers of no run."""
    a, b, c, *_ = marks.papers
    seen = marks.chair.get(marks.path()).json()["version"]
    marks.decide([a], "Accept")
    reject = {"decision": "Reject", "seen": seen}
    assert a in marks.refused("decisions", 409, papers=[a, b], **reject)
    assert "no such paper" in marks.refused("decisions", 422, papers=[b, "no such paper"], **reject)
    assert marks.of("decision") == {a: "Accept"}
    assert marks.decide([b, c], "Reject", seen=seen)["papers"] == 2  # others are free


def test_tags_of_one_word_are_added_and_removed_and_undone(marks: Marks):
    a, b, *_ = marks.papers
    added = marks.post("tags", papers=[a, b], add=["best-paper", "borderline"])
    assert added["papers"] == 2
    marks.post("tags", papers=[a, b], add=["late"], remove=["borderline"])
    assert marks.of("tags") == {a: ["best-paper", "late"], b: ["best-paper", "late"]}
    assert marks.post("undo", batch=added["batch"])["papers"] == 2
    for tag in ("", "two words", "a,b", "x" * 61):
        marks.refused("tags", 422, papers=[a], add=[tag])
    assert marks.of("tags") == {a: ["late"], b: ["late"]}


def test_a_note_is_kept_and_never_overwritten_unseen(marks: Marks):
    paper = marks.papers[0]
    assert marks.write(paper, "Ask reviewer 2.").status_code == 200
    assert marks.write(paper, "Ask reviewer 2 again.", "Ask reviewer 2.").status_code == 200
    stale = marks.write(paper, "Something else", "Ask reviewer 2.")
    assert stale.status_code == 409
    assert "It now says “Ask reviewer 2 again.”" in stale.json()["detail"]
    assert marks.of("note") == {paper: "Ask reviewer 2 again."}
    assert marks.history(paper) == [("note", None, "Ask reviewer 2 again.")]  # one sitting


@pytest.mark.slow
def test_imported_decisions_are_taken_for_papers_without_one(chair: Person, conference: str):
    """The labels of the import stay, but for the three that the console writes itself."""
    reviews = b"reviewer,paper,score,decision\nr1,1,5,ACCEPT\nr1,2,4,Oral\nr2,2,3,Oral\nr2,3,2,\n"
    files = chair.upload(conference, {"reviews.csv": reviews})
    run = chair.run(conference, files)
    assert run["status"] == "done", run
    marks = Marks(chair, conference, ["1", "2", "3"])
    marks.decide(["2"], "Reject")
    assert marks.post(f"decisions/from-run/{run['id']}")["papers"] == 1
    assert chair.delete(f"/api/runs/{run['id']}").status_code == 204
    assert marks.of("decision") == {"1": "Accept", "2": "Reject"}  # they outlive the run


def test_views_are_saved_replaced_and_deleted(chair: Person, conference: str):
    path = f"/api/conferences/{conference}/views"
    first = chair.made(path, {"name": "Borderline ", "query": "?sort=-mean&accept=500"})
    assert (first["name"], first["query"]) == ("Borderline", "sort=-mean&accept=500")
    second = chair.made(path, {"name": "Borderline", "query": "sort=paper"})
    assert [one["query"] for one in chair.get(path).json()] == ["sort=paper"]
    deleted = [chair.delete(f"{path}/{second['id']}").status_code for _ in range(2)]
    assert (deleted, chair.get(path).json()) == ([204, 404], [])


def test_area_chairs_learn_nothing_of_decisions(world: World, marks: Marks):
    """Not even through the pages that they may open."""
    run = world.stored_run(marks.conference, shared=True)
    own = sorted(world.sample.papers_of(ADA))[0]
    marks.decide([own], "Sealed decision")
    marks.write(own, "Sealed note")
    marks.chair.assign(marks.conference, f"area_chair,paper\nAda,{own}\n".encode())
    (link,) = marks.chair.made(f"/api/conferences/{marks.conference}/links/all", {})
    person = world.nobody().enter(link["url"])
    for page in ("view", "report.html"):
        shown = person.get(f"/api/runs/{run}/{page}").text
        assert own in shown
        assert "Sealed" not in shown


def test_an_area_chair_recommends_and_the_chairs_see_and_export_it(world: World):
    path = f"/api/conferences/{world.conference}/recommendations"
    own, (other, *_) = (sorted(world.sample.papers_of(name)) for name in CHAIRS[:2])
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
    noted = {(line["action"], line["detail"]) for line in world.chair.log(world.conference)}
    assert ("recommended", f"{own[0]}: Discuss") in noted
    for paper in own[:2]:  # an empty one takes it away
        ada.put(path, json={"paper": paper, "value": None, "note": ""})
    assert ada.get(path).json() == []


def test_two_windows_of_an_area_chair_do_not_overwrite_each_other(world: World):
    """A value and a note are written by themselves; a note that was changed since is kept and shown."""
    path = f"/api/conferences/{world.conference}/recommendations"
    own, ada = sorted(world.sample.papers_of(ADA))[2], world.area_chair(ADA)

    def put(status: int, **change: object) -> str:
        answer = ada.put(path, json={"paper": own, **change})
        assert answer.status_code == status, answer.text
        return answer.text

    put(204, note="From the first window.", before="")
    put(204, value="Accept")  # of a window that has not seen the note
    assert "“From the first window.”" in put(409, note="From the second.", before="")
    (kept,) = ada.get(path).json()
    assert (kept["value"], kept["note"]) == ("Accept", "From the first window.")
    put(204, note="From the first window. ", before="")  # the same text again
    put(204, note="Both.", before="From the first window. ")
    assert (ada.get(path).json()[0]["value"], ada.get(path).json()[0]["note"]) == (
        "Accept",
        "Both.",
    )
    put(204, value=None, note="")
