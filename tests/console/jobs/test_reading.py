"""Files as chairs have them: archives, sheets, other ids, duplicates and encodings."""

from __future__ import annotations

import io
import zipfile
from typing import get_args

import polars as pl
import pytest
import xlsxwriter

from tests.console.conftest import Person, World
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


@pytest.fixture
def conference(chair: Person):
    made = chair.new_conference("Files of all kinds")
    yield made
    chair.delete(f"/api/conferences/{made}")


def _checked(chair: Person, conference: str, files: dict[str, bytes], **reading: str):
    uploads = [("files", (name, content)) for name, content in files.items()]
    ids = chair.upload(conference, uploads)
    return chair.check(conference, ids, reading=reading, method=METHOD), ids


def _archive(**files: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return packed.getvalue()


def test_choices_of_the_form_are_those_of_the_readers():
    fields = Reading.model_fields
    assert set(get_args(fields["format"].annotation)) == {"auto", *SYSTEMS}
    assert set(get_args(fields["duplicates"].annotation)) == set(DUPLICATES)
    assert set(get_args(fields["match_ids"].annotation)) == set(MATCH_IDS)


def test_a_zip_of_tables_is_read_and_what_is_no_review_is_told(chair, world: World, conference):
    packed = _archive(reviews__csv=REVIEWS, ranks__csv=RANKS, letter__txt="Dear chairs,\n")
    check, ids = _checked(chair, conference, {"export.zip": packed})
    assert check["ready"], check["reason"]
    assert check["counts"] == {"reviews": 6, "papers": 3, "reviewers": 2, "rankings": 3}
    assert any("letter.txt" in note and "passed over" in note for note in check["notes"])
    run = chair.run(conference, ids, method=METHOD)
    assert run["status"] == "done", run["reason"]
    view = chair.get(f"/api/runs/{run['id']}/view").json()
    assert any("letter.txt" in line for line in view["run"]["read"])
    assert [one["file"] for one in view["run"]["inputs"]] == ["export.zip"]
    assert not list(world.console.settings.work.iterdir())


def test_every_sheet_of_a_workbook_is_used_or_said_not_to_be(chair: Person, conference: str):
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as book:
        for name, text in {
            "Reviews": REVIEWS,
            "Rankings": RANKS,
            "Rooms": "room,floor\na,1\n",
        }.items():
            sheet = book.add_worksheet(name)
            for row, line in enumerate(text.splitlines()):
                sheet.write_row(row, 0, line.split(","))
    check, _ = _checked(chair, conference, {"all.xlsx": content.getvalue()})
    assert check["counts"]["rankings"] == 3
    assert any("Rooms" in note and "passed over" in note for note in check["notes"])


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
