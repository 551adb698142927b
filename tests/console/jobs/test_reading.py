"""How chairs have files read: other ids, duplicates, encodings, in the words of the page."""

from __future__ import annotations

from typing import get_args

import polars as pl
import pytest

from tests.console.conftest import Person
from unround.console.schemas.runs import Reading
from unround.wording import DUPLICATES, MATCH_IDS, SYSTEMS

REVIEWS = "reviewer,paper,score\nann,1,4\nann,2,6\nann,3,7\nbob,1,5\nbob,2,6\nbob,3,5\n"
RANKS = "reviewer,paper,rank\nann,3,1\nann,2,2\nann,1,3\n"
# What workers read does not depend on the database.
pytestmark = [
    pytest.mark.usefixtures("kind"),
    pytest.mark.parametrize("kind", ["sqlite"], indirect=True),
]
METHOD = {"scale": "1,2,3,4,5,6,7,8,9,10"}


def _checked(chair: Person, conference: str, files: dict[str, bytes], **reading: str):
    uploads = [("files", (name, content)) for name, content in files.items()]
    ids = chair.upload(conference, uploads)
    return chair.check(conference, ids, reading=reading, method=METHOD), ids


def test_choices_of_the_form_are_those_of_the_readers():
    fields = Reading.model_fields
    assert set(get_args(fields["format"].annotation)) == {"auto", *SYSTEMS}
    assert set(get_args(fields["duplicates"].annotation)) == set(DUPLICATES)
    assert set(get_args(fields["match_ids"].annotation)) == set(MATCH_IDS)


def test_ids_that_are_written_in_another_way_are_matched_and_told(chair: Person, conference: str):
    ranks = RANKS.replace("ann,", "ann,Paper ")
    files = {"reviews.csv": REVIEWS.encode(), "ranks.csv": ranks.encode()}
    check, _ = _checked(chair, conference, files)
    assert check["ready"]
    assert any("matched" in note and "'Paper 3'" in note for note in check["notes"])
    never, _ = _checked(chair, conference, files, match_ids="never")
    assert not never["ready"]


def test_a_review_that_is_there_twice_is_settled_as_the_chair_says(chair: Person, conference: str):
    files = {"reviews.csv": (REVIEWS + "ann,1,8\n").encode()}
    refused, _ = _checked(chair, conference, files)
    assert [count["kind"] for count in refused["issue_counts"]] == ["duplicate-review"]
    assert "--duplicates" not in str(refused)
    settled, ids = _checked(chair, conference, files, duplicates="mean")
    assert settled["ready"]
    assert settled["counts"]["reviews"] == 6
    assert any("ann" in note for note in settled["notes"])
    run = chair.run(conference, ids, method=METHOD, reading={"duplicates": "mean"})
    scores = pl.read_csv(chair.get(f"/api/runs/{run['id']}/files/scores.csv").content)
    assert scores.filter(reviewer="ann", paper=1)["score"].to_list() == [6]
    assert run["reading"]["duplicates"] == "mean"


def test_data_that_look_like_options_are_shown_as_they_are(chair: Person, conference: str):
    content = b'reviewer,paper,score\nlam=3,--scale,9\n"conflicts=""scores""",b,3\n'
    ids = chair.upload(conference, [("files", ("reviews.csv", content))])
    check = chair.check(conference, ids, method={"scale": "1..5"})
    (line,) = check["issues"]
    assert line["message"].startswith("reviewer lam=3 gives paper --scale the score 9")
    assert "“Scale” 1..10" in check["issue_counts"][0]["advice"]


def test_an_encoding_is_asked_for_in_the_words_of_the_page(chair: Person, conference: str):
    content = REVIEWS.replace("ann", "Zoë").encode("cp1252")
    refused, ids = _checked(chair, conference, {"reviews.csv": content})
    assert refused["status"] == "refused"
    assert "“Encoding”" in refused["reason"]
    assert "--encoding" not in refused["reason"]
    read, _ = _checked(chair, conference, {"reviews.csv": content}, encoding="cp1252")
    assert read["previews"][0]["rows"][0][0] == "Zoë"
    wanted = {"files": ids, "reading": {"encoding": "klingon"}}
    answer = chair.post(f"/api/conferences/{conference}/checks", json=wanted)
    assert answer.status_code == 422
    assert "“Encoding” klingon" in answer.json()["detail"]


def test_a_lambda_that_nothing_decides_is_told(chair: Person, conference: str):
    ids = chair.upload(conference, [("files", ("reviews.csv", REVIEWS.encode()))])
    run = chair.run(conference, ids, method=METHOD, lam="auto")
    assert run["status"] == "done", run["reason"]
    view = chair.get(f"/api/runs/{run['id']}/view").json()
    assert view["run"]["lam"] == "inf"
    (issue,) = view["run"]["issues"]
    assert issue["kind"] == "undecided-lambda"
    assert "“λ”" in issue["advice"]
    assert "lam=" not in issue["message"] + issue["advice"]
    (summary,) = chair.get(f"/api/conferences/{conference}").json()["runs"]
    assert summary["lam"] == "inf"
