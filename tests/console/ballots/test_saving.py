"""A reviewer's ballot: saved once confirmed, never overwritten unseen, closed when it is closed."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from uuid import uuid4

from tests.console.ballots.conftest import Polling
from unround.console.storage.orm import now

ORDER = {"groups": [["12"], ["30", "7"]]}


def test_a_new_ballot_is_empty_and_what_was_saved_is_what_is_there(polling: Polling):
    ann = polling.reviewer()
    ballot = ann.ballot()
    assert (ballot["version"], ballot["saved_at"], ballot["receipt"]) == (0, None, None)
    assert [paper["paper"] for paper in ballot["papers"]] == ["30", "7", "12"]
    assert [paper["score"] for paper in ballot["papers"]] == [7, 7, 4]
    assert ballot["content"]["unplaced"] == ["30", "7", "12"]
    assert ballot["reviewer"] == "Ann Ex"
    saved = ann.saved(ORDER)
    assert saved["version"] == 1
    assert saved["content"]["groups"] == ORDER["groups"]
    assert polling.reviewer().ballot() == saved
    assert [(one["above"], one["below"], one["answer"]) for one in saved["contradictions"]] == [
        ("12", "30", None),
        ("12", "7", None),
    ]


def test_two_tabs_do_not_overwrite_each_other(polling: Polling):
    one, other = polling.reviewer(), polling.reviewer()
    assert one.put({"groups": [["7"]]}, 0).status_code == 200
    refused = other.put({"groups": [["30"]]}, 0)
    assert refused.status_code == 409
    assert "another window" in refused.json()["detail"]
    assert refused.json()["current"] == one.ballot()
    assert other.put({"groups": [["30"]]}, 1).json()["version"] == 2
    versions = one.get("/api/ballot/versions").json()
    assert [version["version"] for version in versions] == [2, 1]
    assert len({version["receipt"] for version in versions}) == 2


def test_submitting_gives_a_receipt_that_chairs_see(polling: Polling):
    ann = polling.reviewer()
    ann.saved({"groups": [["12"]]})
    receipt = ann.saved(ORDER, submit=True)
    assert (receipt["submitted_version"], bool(receipt["submitted_at"])) == (2, True)
    (line,) = [one for one in polling.detail()["ballots"] if one["name"] == "Ann Ex"]
    seen = polling.world.chair.get(f"{polling.path}/ballots/{line['id']}").json()
    assert [version["submitted"] for version in seen["versions"]] == [False, True]
    assert seen["versions"][1]["receipt"] == receipt["receipt"]
    assert seen["versions"][1]["content"] == receipt["content"]
    changed = ann.saved({"groups": [["7"]]})
    assert (changed["version"], changed["submitted_version"]) == (3, 2)


def test_nothing_is_saved_after_closing_and_again_after_reopening(polling: Polling):
    ann = polling.reviewer()
    id = str(uuid4())
    confirmed = ann.put(ORDER, 0, save_id=id).json()
    polling.world.chair.patch(polling.path, json={"state": "closed"})
    refused = ann.put({"groups": [["7"]]}, 1)
    assert (refused.status_code, "closed this ballot" in refused.text) == (423, True)
    again = ann.put(ORDER, 0, save_id=id)  # its first response was lost
    assert again.status_code == 200
    assert again.json() | {"collection": None} == confirmed | {"collection": None}
    assert len(ann.get("/api/ballot/versions").json()) == 1
    seen = ann.ballot()
    assert (seen["collection"]["state"], seen["content"]) == ("closed", confirmed["content"])
    polling.world.chair.patch(polling.path, json={"state": "open"})
    assert ann.put({"groups": [["7"]]}, 1).status_code == 200


def test_the_deadline_closes_a_ballot(polling: Polling):
    ann, chair = polling.reviewer(), polling.world.chair
    past, later = (now() + timedelta(hours=hours) for hours in (-1, 1))
    chair.patch(polling.path, json={"deadline": past.isoformat()})
    refused = ann.put(ORDER, 0)
    assert (refused.status_code, "deadline has passed" in refused.text) == (423, True)
    assert ann.ballot()["collection"]["state"] == "closed"
    assert polling.detail()["state"] == "closed"
    chair.patch(polling.path, json={"deadline": later.isoformat()})
    assert ann.put(ORDER, 0).status_code == 200
    assert chair.patch(polling.path, json={"deadline": None}).json()["deadline"] is None


def test_a_deadline_without_a_zone_is_in_utc_and_an_impossible_one_is_refused(polling: Polling):
    chair = polling.world.chair
    changed = chair.patch(polling.path, json={"deadline": "2100-01-02T03:04:05"}).json()
    assert changed["deadline"] == "2100-01-02T03:04:05Z"
    for moment in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "soon", "1e300"):
        answer = chair.patch(polling.path, json={"deadline": moment})
        assert (answer.status_code, "deadline" in answer.json()["detail"]) == (422, True), moment


def test_what_is_not_a_ballot_is_refused_in_words(polling: Polling):
    ann = polling.reviewer()
    circle = [
        {"first": one, "second": other, "outcome": "first"}
        for one, other in pairwise(("7", "12", "30", "7"))
    ]
    for content, words in (
        ({"groups": [["9"]]}, "paper 9 is not on this ballot"),
        ({"scores": {"7": 99}}, "99 is not a score"),
        ({"comparisons": circle}, "round in a circle"),
    ):
        refused = ann.put(content, 0)
        assert (refused.status_code, words in refused.json()["detail"]) == (422, True), refused.text
    assert ann.ballot()["version"] == 0


def test_pairs_are_asked_for_until_the_order_is_settled(new_polling):
    ann = new_polling(options={"mode": "pairs"}).reviewer()
    ballot, comparisons = ann.ballot(), []
    wanted = ["7", "12", "30"]
    while ballot["next_pair"]:
        first, second = ballot["next_pair"]["first"], ballot["next_pair"]["second"]
        outcome = "first" if wanted.index(first) < wanted.index(second) else "second"
        comparisons.append({"first": first, "second": second, "outcome": outcome})
        ballot = ann.saved({"comparisons": comparisons})
        assert len(comparisons) <= 3
    assert ballot["order"] == [["7"], ["12"], ["30"]]


def test_hidden_scores_are_nowhere_and_cannot_be_changed(new_polling):
    """By own score the papers of each reviewer would have one order on every ballot."""
    orders = set()
    for _ in range(4):
        polling, order = new_polling(options={"show_scores": False}), []
        for name in ("ann@example.org", "dee"):
            ballot = (voter := polling.reviewer(name)).ballot()
            papers = [paper["paper"] for paper in ballot["papers"]]
            again = [paper["paper"] for paper in voter.ballot()["papers"]]
            assert papers == ballot["content"]["unplaced"] == again
            order += papers
        orders.add(tuple(order))
    assert len(orders) > 1  # of 144 that are possible
    refused = voter.put({"groups": [["7"]], "scores": {"7": 4}}, 0)
    assert refused.status_code == 422
    assert "shows no scores" in refused.json()["detail"]
    saved = voter.saved(ORDER)
    assert all(paper["score"] is paper["level"] is None for paper in saved["papers"])
    assert saved["contradictions"] == saved["collection"]["levels"] == []
