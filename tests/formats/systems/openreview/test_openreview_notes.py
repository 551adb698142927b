"""OpenReview's notes, API v1 and v2: which of them are reviews, and every way of saving them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import unround
from tests.formats.given_files import refused, written
from tests.formats.systems.openreview.openreview_made import (
    ANN,
    FIXTURES,
    VENUE,
    ZOE,
    imported,
    review,
    saved,
    scores,
    submission,
)
from unround.formats.importer import import_files
from unround.formats.model import Options


def read(*names: str | Path, rankings: tuple[str, ...] = ()) -> unround.Tables:
    files = [FIXTURES / name for name in names]
    return import_files(files, [FIXTURES / name for name in rankings])


EXPECTED_V2 = {
    "reviewer": [ANN, ZOE, ANN, ZOE, ZOE, ANN],
    "paper": [1, 1, 2, 2, 10, 10],
    "score": [8, 5, 6, 3, 6, 10],
    "review": ["rv11", "rv12", "rv21", "rv24", "rv101", "rv102"],
    "confidence": ["4", "3", "2", "5", None, "4"],
    "title": ["Überraschend gute Bounds — a ≤ b"] * 2
    + ["A second paper, with a comma"] * 2
    + ["Paper ten"] * 2,
    "track": ["learning theory"] * 6,
    "area_chair": ["~Chair_One1"] * 2 + ["~Chair_Two1"] * 2 + [None] * 2,
    "decision": ["Accept (poster)"] * 2 + [None] * 4,
    "venue": ["Submitted to TC 2026"] * 6,
    "forum": ["WqRst4uvX1"] * 2 + ["aQ2_-bC9zz"] * 2 + ["bb10forum0"] * 2,
}


def test_v2_submissions_with_groups_form_and_tags() -> None:
    found = read(
        "v2_submissions.json",
        "v2_groups.json",
        "v2_invitation.json",
        rankings=("v2_tags.json",),
    )
    assert_frame_equal(found.reviews, pl.DataFrame(EXPECTED_V2))
    assert found.scale == unround.Scale([1, 3, 5, 6, 8, 10])
    assert found.notes == (
        "v2_submissions.json: 1 review without a score left out",
        "v2_submissions.json: 1 review that was deleted left out",
        "v2_submissions.json: 1 review of a deleted submission left out",
        "v2_tags.json: 1 paper left unranked ('No Ranking')",
        "v2_tags.json: 1 tag that was deleted left out",
        "v2_tags.json: 2 ranks by area chairs or authors left out",
        "v2_tags.json: 1 tag of other invitations left out",
        "v2_tags.json: 1 reviewer gave ranks among changing numbers of papers ('1 of 5', '2 of 6'): "
        "the ranks are taken as they are",
    )
    assert found.recognised[2] == (
        "v2_submissions.json: OpenReview review notes (API v2), scores from 'rating'"
    )
    assert found.place("reviews", 3) == "v2_submissions.json, note rv24"
    papers = {
        "paper": [1, 2, 10],
        **{
            name: EXPECTED_V2[name][::2]
            for name in ("title", "track", "area_chair", "decision", "forum")
        },
    }
    assert_frame_equal(found.papers, pl.DataFrame(papers))
    ranks = {
        "reviewer": [ANN, ANN, ANN, ZOE, ZOE],
        "paper": [1, 2, 10, 1, 10],
        "rank": [2, 3, 1, 1, 2],
    }
    assert_frame_equal(found.rankings[0], pl.DataFrame(ranks))
    assert found.place("rankings", 4) == "v2_tags.json, tag t6"


def test_v1_submissions_with_groups_form_and_tags() -> None:
    found = read(
        "v1_submissions.json",
        "v1_groups.json",
        "v1_invitation.json",
        rankings=("v1_tags.json",),
    )
    expected = {
        "reviewer": [ANN, "~Bo_Ek1", "~Bo_Ek1", ANN],
        "paper": [7, 7, 8, 8],
        "score": [6, 1, 8, 3],
        "review": ["o71", "o72", "o81", "o82"],
        "confidence": ["4", None, None, None],
        "title": ["Old paper seven"] * 2 + ["Old paper eight"] * 2,
        "decision": ["Reject"] * 2 + [None] * 2,
        "venue": ["OldConf 2020"] * 4,
        "forum": ["Hk1forum"] * 2 + ["Hk2forum"] * 2,
    }
    assert_frame_equal(found.reviews, pl.DataFrame(expected))
    assert found.scale == unround.Scale([1, 3, 6, 8])
    assert "(API v1)" in found.recognised[2]
    ranks = {
        "reviewer": [ANN, ANN, "~Bo_Ek1", "~Bo_Ek1"],
        "paper": [7, 8, 7, 8],
        "rank": [1, 2, 2, 1],
    }
    assert_frame_equal(found.rankings[0], pl.DataFrame(ranks))
    unround.dequantize(found.reviews, found.rankings[0], scale=found.scale)


def test_json_lines_of_bare_reviews_know_numbers_and_places() -> None:
    found = read("v2_reviews.jsonl", "members.json")
    expected = {
        name: EXPECTED_V2[name]
        for name in ("reviewer", "paper", "score", "review", "confidence", "forum")
    }
    assert_frame_equal(found.reviews, pl.DataFrame(expected))
    assert found.place("reviews", 0) == "v2_reviews.jsonl, note rv11"


def test_what_openreview_py_saves_is_read(tmp_path: Path) -> None:
    openreview = pytest.importorskip("openreview")
    records = json.loads((FIXTURES / "v2_submissions.json").read_text())
    notes = [openreview.api.Note.from_json(record) for record in records]
    found = imported(tmp_path, *map(vars, notes))
    assert found.papers["paper"].to_list() == [1, 2, 10]
    assert scores(found) == EXPECTED_V2["score"]
    # to_json() drops numbers and replies: replies are then saved on their own.
    replies = [
        openreview.api.Note.from_json(reply).to_json()
        for note in notes
        if not note.ddate
        for reply in note.details["replies"]
    ]
    submissions = saved(tmp_path, [note.to_json() for note in notes], "submissions.json")
    found = import_files([saved(tmp_path, replies), submissions])
    assert scores(found) == EXPECTED_V2["score"]
    assert found.papers["title"].to_list() == EXPECTED_V2["title"][::2]
    assert found.reviews["paper"].to_list() == EXPECTED_V2["paper"]


def test_submissions_given_before_or_after_their_reviews_agree_on_papers(tmp_path: Path) -> None:
    submissions = saved(tmp_path, [submission(n) for n in (1, 2)], "submissions.json")
    bare = {"signatures": ["~A1"], "invitations": ["x/-/Official_Review"]}
    reviews = [review("a", {"rating": 3}, 1, **bare), review("b", {"rating": 4}, 2, **bare)]
    notes = saved(tmp_path, reviews)
    first, last = import_files([submissions, notes]), import_files([notes, submissions])
    assert first.papers["title"].to_list() == last.papers["title"].to_list()
    assert first.papers.select("paper", "title").rows() == [(1, "Paper 1"), (2, "Paper 2")]
    assert last.papers["paper"].to_list() == ["forum1", "forum2"]


def test_submissions_alone_are_refused_with_a_hint(tmp_path: Path) -> None:
    records = json.loads((FIXTURES / "v2_submissions.json").read_text())
    for record in records:
        del record["details"]
    with refused(r"no reviews among the files: .*submissions without"):
        import_files([saved(tmp_path, records)])


@pytest.mark.parametrize("shape", ["object", "lines", "by forum", "folder", "one a file"])
def test_every_way_of_saving_gives_the_same_table(tmp_path: Path, shape: str) -> None:
    records = json.loads((FIXTURES / "v2_submissions.json").read_text())
    texts = {
        "object": json.dumps({"count": len(records), "notes": records}),
        "lines": "\n".join(map(json.dumps, records)),
        "by forum": json.dumps({record["id"]: record for record in records}),
    }
    if shape in texts:
        path, file = written(tmp_path, "notes.json", texts[shape]), "notes.json"
    else:
        path, file = tmp_path, "1.json"
        written(tmp_path, ".hidden.json", "[")
        for number, record in enumerate(records):
            saved(tmp_path, [record] if shape == "folder" else record, f"{number}.json")
    found = import_files([path, FIXTURES / "v2_groups.json"])
    assert_frame_equal(found.reviews, pl.DataFrame(EXPECTED_V2))
    assert found.place("reviews", 2) == f"{file}, note rv21"


def test_a_folder_of_everything_is_read_like_its_files(tmp_path: Path) -> None:
    for name in ("submissions", "groups", "tags", "invitation"):
        (tmp_path / f"v2_{name}.json").write_bytes((FIXTURES / f"v2_{name}.json").read_bytes())
    (tmp_path / "read me.txt").write_text("not a note")
    found = import_files([tmp_path])
    assert_frame_equal(found.reviews, pl.DataFrame(EXPECTED_V2))
    assert found.rankings[0].height == 5
    assert found.scale == unround.Scale([1, 3, 5, 6, 8, 10])
    assert found.notes[-1].endswith(": 1 file not understood and passed over: read me.txt")


class TestWhichNotes:
    def test_another_name_of_reviews_can_be_given(self, tmp_path: Path) -> None:
        note = review("a", {"rating": 4}, invitations=[f"{VENUE}/Submission1/-/Emergency_Review"])
        with refused(r"found: 1 Emergency_Review.*--column review=NAME"):
            imported(tmp_path, note)
        assert scores(imported(tmp_path, note, columns={"review": "Emergency_Review"})) == [4]

    def test_old_invitations_with_the_paper_at_the_end(self, tmp_path: Path) -> None:
        old = "example.org/TC/2019/Conference"
        note = review("a", {"rating": 4}, 12, signatures=[f"{old}/Paper12/AnonReviewer3"])
        del note["invitations"]
        note["invitation"] = f"{old}/-/Paper12/Official_Review"
        assert imported(tmp_path, note).reviews["paper"].to_list() == [12]

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"ddate": 1}, "no review to be used .*1 review that was deleted left out"),
            ({"replyto": None, "forum": ""}, r"notes\.json, note a has no forum"),
        ],
        ids=["deleted", "without a forum"],
    )
    def test_no_review_is_left(self, tmp_path: Path, fields: dict[str, Any], words: str) -> None:
        with refused(words):
            imported(tmp_path, review("a", {"rating": 4}, **fields))


def test_withdrawn_and_desk_rejected_submissions_are_left_out_and_said(tmp_path: Path) -> None:
    became = [
        {"venueid": f"{VENUE}/Submission", "venue": "Submitted to TC 2026"},
        {"venueid": f"{VENUE}/Withdrawn_Submission"},
        {"venue": "TC 2026 Conference Desk Rejected Submission"},
        {},
        {"title": "On Withdrawn Consent"},
    ]
    papers = [
        submission(n, *(review(f"r{n}{k}", {"rating": k}, n, f"{k}{n}") for k in (4, 6)), **fields)
        for n, fields in enumerate(became, start=1)
    ]
    papers[3]["invitations"].append(f"{VENUE}/-/Withdrawn_Submission")
    for paper in papers:
        saved(tmp_path, paper, f"{paper['id']}.json")
    for given in (tmp_path, saved(tmp_path.parent, papers, "all.json")):
        found = import_files([given])
        assert found.reviews["paper"].unique().sort().to_list() == [1, 5]
        left = [note for note in found.notes if "left out; --keep-withdrawn counts them" in note]
        assert [note.partition(" left out")[0] for note in left] == [
            "4 reviews of 2 withdrawn papers (2, 4)",
            "2 reviews of 1 desk-rejected paper (3)",
        ]
        kept = import_files([given], options=Options(keep_withdrawn=True))
        assert kept.reviews.height == 10
