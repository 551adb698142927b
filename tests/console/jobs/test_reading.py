"""How chairs have files read: duplicates, other ids, encodings, in the words of the page."""

from __future__ import annotations

import io
import zipfile
from typing import get_args

import polars as pl
import pytest

from tests.console.conftest import Person
from unround.console.schemas.runs import Reading
from unround.wording import DUPLICATES, MATCH_IDS, SYSTEMS

REVIEWS = "reviewer,paper,score\nann,1,4\nann,2,6\nann,3,7\nbob,1,5\nbob,2,6\nbob,3,5\n"
# What workers read does not depend on the database.
pytestmark = [
    pytest.mark.usefixtures("kind"),
    pytest.mark.parametrize("kind", ["sqlite"], indirect=True),
]
METHOD = {"scale": "1,2,3,4,5,6,7,8,9,10"}


def _checked(
    chair: Person, conference: str, content: bytes, name: str = "reviews.csv", **reading: str
):
    ids = chair.upload(conference, {name: content})
    return chair.check(conference, ids, reading=reading, method=METHOD), ids


def test_choices_of_the_form_are_those_of_the_readers():
    fields = Reading.model_fields
    assert set(get_args(fields["format"].annotation)) == {"auto", *SYSTEMS}
    assert set(get_args(fields["duplicates"].annotation)) == set(DUPLICATES)
    assert set(get_args(fields["match_ids"].annotation)) == set(MATCH_IDS)


def test_a_review_that_is_there_twice_is_settled_as_the_chair_says(chair: Person, conference: str):
    twice = (REVIEWS + "ann,1,8\n").encode()
    refused, _ = _checked(chair, conference, twice)
    assert [count["kind"] for count in refused["issue_counts"]] == ["duplicate-review"]
    assert "--duplicates" not in str(refused)
    settled, ids = _checked(chair, conference, twice, duplicates="mean")
    assert settled["ready"]
    assert settled["counts"]["reviews"] == 6
    assert any("ann" in note for note in settled["notes"])
    run = chair.run(conference, ids, method=METHOD, reading={"duplicates": "mean"})
    scores = pl.read_csv(chair.get(f"/api/runs/{run['id']}/files/scores.csv").content)
    assert scores.filter(reviewer="ann", paper=1)["score"].to_list() == [6]
    assert run["reading"]["duplicates"] == "mean"


def test_ids_of_packed_tables_are_matched_unless_the_chair_says_never(
    chair: Person, conference: str
):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("reviews.csv", REVIEWS)
        archive.writestr("ranks.csv", "reviewer,paper,rank\nann,Paper 3,1\nann,Paper 2,2\n")
    check, _ = _checked(chair, conference, packed.getvalue(), "tables.zip")
    assert check["ready"]
    assert any("matched" in note and "'Paper 3'" in note for note in check["notes"])
    never, _ = _checked(chair, conference, packed.getvalue(), "tables.zip", match_ids="never")
    assert not never["ready"]


def test_an_encoding_is_asked_for_in_the_words_of_the_page(chair: Person, conference: str):
    content = REVIEWS.replace("ann", "Zoë").encode("cp1252")
    refused, ids = _checked(chair, conference, content)
    assert refused["status"] == "refused"
    assert "“Encoding”" in refused["reason"]
    assert "--encoding" not in refused["reason"]
    read, _ = _checked(chair, conference, content, encoding="cp1252")
    assert read["previews"][0]["rows"][0][0] == "Zoë"
    assert read["columns"][0]["columns"] == ["reviewer", "paper", "score"]
    wanted = {"files": ids, "reading": {"encoding": "klingon"}}
    answer = chair.post(f"/api/conferences/{conference}/checks", json=wanted)
    assert answer.status_code == 422
    assert "“Encoding” klingon" in answer.json()["detail"]


def test_a_lambda_that_nothing_decides_is_reported(chair: Person, conference: str):
    ids = chair.upload(conference, {"reviews.csv": REVIEWS.encode()})
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
