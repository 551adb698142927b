"""A chair's side: from files to ballots, links, counts, exports and a run."""

from __future__ import annotations

import csv
import io

from tests.console.ballots.conftest import TABLE, Polling, Voter
from tests.console.conftest import World

ANN, BOB = "ann@example.org", "bob"


def test_a_table_is_previewed_and_becomes_ballots(house: World):
    chair = house.chair
    conference = chair.new_conference("From a table")
    path = f"/api/conferences/{conference}/collections"
    file = chair.upload_one(conference, "papers.csv", TABLE).json()["id"]
    assert chair.made(f"{path}/preview", {"files": [file]}, 200) == {
        "ballots": 3,
        "reviewers": 4,
        "papers": 4,
        "too_short": 1,
        "too_short_examples": ["cy"],
        "without_email": 0,
        "without_email_examples": [],
        "with_scores": True,
        "levels": [1, 2, 3, 4, 5, 6, 7],
        "fewest_papers": 2,
        "most_papers": 4,
        "notes": [],
    }
    assert chair.get(path).json() == []
    for source, status in (
        ({}, 422),
        ({"run": "0" * 32, "files": [file]}, 422),
        ({"files": ["0" * 32]}, 404),
    ):
        assert chair.post(f"{path}/preview", json=source).status_code == status, source
    one = chair.upload_one(conference, "one.csv", b"reviewer,paper\ncy,9\n").json()["id"]
    refused = chair.post(path, json={"title": "Alone", "source": {"files": [one]}})
    assert (refused.status_code, "nothing to rank" in refused.text) == (422, True)
    made = chair.made(path, {"title": "Rankings", "source": {"files": [file]}})
    assert (made["source"], made["counts"]["ballots"]) == ("papers.csv", 3)
    assert made["warnings"]  # links lead to this machine only
    (summary,) = chair.get(path).json()
    assert (summary["id"], summary["ballots"], summary["submitted"]) == (made["id"], 3, 0)
    chair.delete(f"/api/conferences/{conference}")


TITLES = [
    "Apprentissage\u00a0: une revue",
    "深層学習\u3000再訪",
    "می\u200cخواهم یاد بگیرم",
    "கற்றல் க்\u200dஷ",
    "Emoji 👩\u200d🔬🧯 generation",
    "שלום \u200f2",
    "Обучение co\u00adoperative",
    "ΑΒΓ 1\u2009kg",
    "학습 \\\\frac{1}{2} $x<y$ <b>bold</b>",
    "ภาษาไทย",
    "Evil \u202etitle\u0007",
]


def test_titles_of_all_scripts_collect_rankings(house: World):
    """One title, of a run or of a table, stops nobody's ballot; what cannot be shown is said."""
    chair = house.chair
    conference = chair.new_conference("Of all scripts")
    path = f"/api/conferences/{conference}/collections"
    rows = [(f"r{number % 3}", f"p{number}", title) for number, title in enumerate(TITLES)]
    rows.append(("r0", "p\u202e99", "An id that turns"))
    table = "reviewer,paper,title\n" + "".join(f'{r},{p},"{title}"\n' for r, p, title in rows)
    file = chair.upload_one(conference, "papers.csv", table.encode()).json()["id"]
    found = chair.made(f"{path}/preview", {"files": [file]}, 200)
    assert (found["ballots"], found["papers"], len(found["notes"])) == (3, 11, 2)
    assert found["notes"][0].startswith("1 paper whose id has a control character")
    made = chair.made(path, {"title": "Rankings", "source": {"files": [file]}})
    links = chair.made(f"/api/collections/{made['id']}/links", {})["links"]
    shown: set[str] = set()
    for link in links:
        person = Voter(house.console, house.app)
        person.enter(link["url"])
        papers = person.ballot()["papers"]
        shown |= {paper["title"] for paper in papers}
        person.saved({"groups": [[paper["paper"]] for paper in papers]}, submit=True)
    assert shown == {*TITLES[:5], "שלום 2", *TITLES[6:10], "Evil title"}
    exported = chair.get(f"/api/collections/{made['id']}/export?to=ranks&which=submitted")
    assert exported.status_code == 200, exported.text
    chair.delete(f"/api/conferences/{conference}")


def test_links_are_for_one_ballot_each_and_a_mail_merge(polling: Polling):
    chair, path = polling.world.chair, f"{polling.path}/links"
    people = [polling.reviewer(name).get("/api/me").json() for name in (ANN, BOB)]
    assert [(one["role"], one["name"], one["conference"]) for one in people] == [
        ("reviewer", "Ann Ex", None),
        ("reviewer", BOB, None),  # who has no name but an id
    ]
    assert chair.made(path, {"only": "without_link"})["links"] == []
    polling.reviewer(ANN).saved({"groups": [["7"]]}, submit=True)
    reminders = chair.made(path, {"only": "unanswered", "days": 3})
    row, *_ = csv.DictReader(io.StringIO(reminders["csv"]))
    assert [link["reviewer"] for link in reminders["links"]] == [BOB, "dee"]
    assert list(row) == ["name", "email", "link", "expires"]
    assert (row["name"], row["email"]) == ("bob", "bob@example.org")
    assert row["link"] == reminders["links"][0]["url"]
    bob = polling.reviewer(BOB)  # the first link stays open
    chair.made(path, {"only": "unanswered", "existing": "replace"})
    assert bob.get("/api/ballot").status_code == 401
    unknown = chair.post(path, json={"ballot": "0" * 32})
    assert unknown.status_code == 404
    access = chair.get(f"/api/conferences/{polling.conference}/access").json()
    assert access["chair_links"] == []


def test_counts_follow_the_reviewers(polling: Polling):
    before = polling.detail()
    assert before["counts"] == {"ballots": 3, "invited": 3, "opened": 0, "saved": 0, "submitted": 0}
    assert before["median_minutes"] is None
    ann, bob = polling.reviewer(ANN), polling.reviewer(BOB)
    ann.ballot()
    assert polling.detail()["opened_not_saved"] == 1
    answers = [{"above": "12", "below": "30", "answer": "score"}]
    ann.saved({"groups": [["12"], ["30"]], "cannot_say": ["7"], "answers": answers}, submit=True)
    bob.saved({"groups": [["9", "12"]]})
    asked = [("9", "7", "order"), ("9", "12", "both"), ("7", "12", "unsure")]
    answers = [{"above": above, "below": below, "answer": said} for above, below, said in asked]
    polling.reviewer("dee").saved({"groups": [["9"], ["7"], ["12"]], "answers": answers})
    after = polling.detail()
    assert after["counts"] == {"ballots": 3, "invited": 3, "opened": 3, "saved": 3, "submitted": 1}
    assert (after["opened_not_saved"], after["saved_not_submitted"]) == (0, 2)
    assert after["median_minutes"] >= 0
    assert after["contradictions"] == {
        **{"ballots": 2, "asked": 4, "unanswered": 0, "changed_scores": 0},
        **dict.fromkeys(("order", "score", "both", "unsure"), 1),
    }
    line = next(one for one in after["ballots"] if one["reviewer"] == ANN)
    assert (line["placed"], line["cannot_say"], line["contradictions"]) == (2, 1, 1)


def test_exports_are_what_was_said(polling: Polling):
    chair = polling.world.chair
    empty = chair.get(f"{polling.path}/export")
    assert (empty.status_code, "nothing to export" in empty.text) == (422, True)
    ann, bob = polling.reviewer(ANN), polling.reviewer(BOB)
    ann.saved({"groups": [["30"], ["7"], ["12"]]}, submit=True)
    bob.saved({"groups": [["9"], ["12"]]})
    ranks = chair.get(f"{polling.path}/export", params={"to": "ranks"})
    assert ranks.text.splitlines() == [
        "reviewer,paper,rank",
        f"{ANN},30,1",
        f"{ANN},7,2",
        f"{ANN},12,3",
        "bob,9,1",
        "bob,12,2",
    ]
    assert 'filename="rankings.csv"' in ranks.headers["content-disposition"]
    only = chair.get(f"{polling.path}/export", params={"to": "pairs", "which": "submitted"})
    assert BOB not in only.text
    asked = [("7", "12"), ("9", "12"), ("9", "30")]
    answers = [{"above": above, "below": below, "answer": "unsure"} for above, below in asked]
    order = {"groups": [["7"], ["9"], ["12"], ["30"]], "answers": answers}
    polling.reviewer("dee").saved(order)
    refused = chair.get(f"{polling.path}/export", params={"to": "hotcrp"})
    assert (refused.status_code, "1 of 3 ballots" in refused.text) == (422, True)
    assert chair.get(f"{polling.path}/export", params={"to": "fax"}).status_code == 422
    omitted = chair.get(f"{polling.path}/export", params={"to": "hotcrp", "partial": "omit"})
    assert omitted.text.splitlines()[4:] == [
        "9,tag,bob@example.org*~rank,1",
        "12,tag,bob@example.org*~rank,2",
    ]
    used = chair.made(f"{polling.path}/use", {})
    assert (used["partial"], used["conflicts"]) == (1, "refuse")
    assert [file["name"] for file in used["files"]] == [
        "rankings, Rankings.csv",
        "comparisons, Rankings.csv",
    ]


def test_ballots_become_files_of_the_conference(polling: Polling):
    chair = polling.world.chair
    polling.reviewer(ANN).saved({"groups": [["12"], ["30", "7"]]})
    polling.reviewer(BOB).saved({"groups": [["9"], ["12"]]})
    used = chair.made(f"{polling.path}/use", {})
    assert (used["ballots"], used["partial"], used["conflicts"]) == (2, 0, "scores")
    names = ["rankings, Rankings.csv", "about the same, Rankings.csv"]
    assert [file["name"] for file in used["files"]] == names
    ranks = polling.world.console.settings.uploads / used["files"][0]["id"]
    exported = chair.get(f"{polling.path}/export", params={"to": "ranks"}).content
    assert ranks.read_bytes() == exported
    there = chair.get(f"/api/conferences/{polling.conference}").json()["files"]
    assert [file["id"] for file in there[1:]] == [file["id"] for file in used["files"]]
    dropped = chair.made(f"{polling.path}/use", {"unanswered": "drop"})
    assert dropped["conflicts"] == "refuse"
    assert dropped["earlier"] == used["files"]
    answers = [{"above": "12", "below": paper, "answer": "order"} for paper in ("30", "7")]
    polling.reviewer(ANN).saved({"groups": [["12"], ["30", "7"]], "answers": answers})
    polling.reviewer("dee").saved({"groups": [["9"], ["12"]]}, submit=True)
    used = chair.made(f"{polling.path}/use", {})
    assert used["conflicts"] == "rankings"
    assert "1 contradiction without an answer would count in the same way" in used["advice"]
    handed_in = chair.made(f"{polling.path}/use", {"which": "submitted"})
    assert (handed_in["ballots"], handed_in["conflicts"]) == (1, "scores")


def test_only_the_best_is_asked_about_the_others_once_it_is_full(new_polling):
    polling = new_polling(options={"top_k": 2})
    ann = polling.reviewer(ANN)
    assert ann.saved({"groups": [["12"]]})["contradictions"] == []
    full = ann.saved({"groups": [["12"], ["30"]]})
    assert [one["below"] for one in full["contradictions"]] == ["30", "7"]
    assert polling.detail()["contradictions"]["unanswered"] == 2
    both = {
        "title": "Both",
        "options": {"mode": "pairs", "top_k": 2},
        "source": {"files": ["0" * 32]},
    }
    refused = polling.world.chair.post(
        f"/api/conferences/{polling.conference}/collections", json=both
    )
    assert (refused.status_code, "in a list, not in pairs" in refused.text) == (422, True)


def test_changed_scores_are_listed_and_change_no_ranking(polling: Polling):
    chair, ann = polling.world.chair, polling.reviewer(ANN)
    scores = {"12": 7, "30": "7"}  # the second is what Ann gave
    ann.saved({"groups": [["12"], ["30"]], "scores": scores}, submit=True)
    listed = chair.get(f"{polling.path}/export", params={"to": "scores"})
    assert listed.text.splitlines() == [
        "reviewer,email,paper,title,given,would_give",
        f"{ANN},{ANN},12,Twelve,4,7",
    ]
    ranks = chair.get(f"{polling.path}/export", params={"to": "ranks"})
    assert ranks.text.splitlines()[1:] == [f"{ANN},12,1", f"{ANN},30,2"]


def test_a_deleted_collection_takes_its_sessions_with_it(polling: Polling):
    ann = polling.reviewer(ANN)
    assert polling.world.chair.delete(polling.path).status_code == 204
    assert polling.world.chair.get(polling.path).status_code == 404
    for path in ("/api/me", "/api/ballot"):
        assert ann.get(path).status_code == 401
    assert ann.put({"groups": [["7"]]}, 0).status_code == 401


def test_the_log_names_no_reviewer(polling: Polling):
    chair = polling.world.chair
    ann = polling.reviewer(ANN)
    ann.saved({"groups": [["30"], ["7"]]}, submit=True)
    line, *_ = polling.detail()["ballots"]
    chair.get(f"{polling.path}/ballots/{line['id']}")
    chair.get(f"{polling.path}/export")
    chair.patch(polling.path, json={"state": "closed", "title": "Ranks"})
    assert polling.world.nobody().post("/api/enter", json={"secret": "x"}).status_code == 401
    log = chair.get(f"/api/conferences/{polling.conference}/log")
    actions = [entry["action"] for entry in log.json()]
    assert {"made ballots", "made links", "looked at ballots", "exported ballots"} <= set(actions)
    assert "entered" not in actions
    assert "Ann" not in log.text
    assert ANN not in log.text
