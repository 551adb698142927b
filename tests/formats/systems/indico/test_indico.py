"""abstracts.json of a running Indico 3.3, against its database: a made-up event of twelve abstracts.

Five questions, one of which was deleted, and two abstracts that are reviewed for two tracks.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats.given_files import read_as, refused, written
from unround import Tables
from unround.formats.importer import import_files
from unround.formats.model import Options

GOLDEN = Path(__file__).parents[2] / "fixtures" / "indico"
DATABASE = json.loads((GOLDEN / "database.json").read_text("utf-8"))


def read(**options: object) -> Tables:
    return import_files([GOLDEN / "abstracts.json"], options=Options(**options))


def in_database(question: str, *, withdrawn: bool = False) -> list[tuple[str, str, float]]:
    return sorted(
        (str(row["abstract"]), row["email"], float(row["ratings"][question]))
        for row in DATABASE
        if row["ratings"].get(question) is not None
        and not row["deleted"]
        and (withdrawn or row["state"] != "withdrawn")
    )


def scores(imported: Tables) -> list[tuple[str, str, float]]:
    rows = imported.reviews.select("paper", "reviewer", "score").rows()
    return sorted((str(paper), reviewer, float(score)) for paper, reviewer, score in rows)


@pytest.mark.parametrize("question", ["Merit", "Clarity", "Expertise"])
def test_ratings_are_those_of_the_database(question: str):
    assert scores(read(score_fields=(question,))) == in_database(question)
    kept = read(score_fields=(question,), keep_withdrawn=True)
    assert scores(kept) == in_database(question, withdrawn=True)


def test_what_was_left_out_is_said():
    imported = read(score_fields=("Merit",))
    assert any("of 2 withdrawn papers (3, 4) left out" in note for note in imported.notes)
    assert set(imported.papers["decision"].drop_nulls()) == {"rejected"}


def test_questions_that_score_are_asked_about():
    with refused(r"which category is the score\? Choose with --field NAME: Merit, Clarity$"):
        read()


def test_one_question_needs_no_option(tmp_path: Path):
    document = json.loads((GOLDEN / "abstracts.json").read_text("utf-8"))
    document["questions"] = [one for one in document["questions"] if one["title"] == "Merit"]
    content = read_as("indico-abstracts", written(tmp_path, "a.json", json.dumps(document)))
    assert content.reviews is not None
    assert content.reviews.table.height == len(in_database("Merit", withdrawn=True))


def test_a_question_and_a_rating_without_ids_do_not_belong_together(tmp_path: Path):
    document = json.loads((GOLDEN / "abstracts.json").read_text("utf-8"))
    del document["questions"][1]["id"]
    del document["abstracts"][0]["reviews"][0]["ratings"][1]["question"]
    path = written(tmp_path, "a.json", json.dumps(document))
    content = read_as("indico-abstracts", path, score_fields=("Merit",))
    assert content.reviews is not None
    assert content.reviews.table.height == len(in_database("Merit", withdrawn=True))


def test_an_abstract_without_its_number_is_refused(tmp_path: Path):
    document = json.loads((GOLDEN / "abstracts.json").read_text("utf-8"))
    del document["abstracts"][0]["friendly_id"]
    path = written(tmp_path, "a.json", json.dumps(document))
    with refused(r"a\.json: an abstract has no friendly_id; export the file again"):
        read_as("indico-abstracts", path, score_fields=("Merit",))


def test_a_reviewer_of_two_tracks_is_asked_about():
    """Indico has a review for each reviewer and track: which one counts is for the chair to say."""
    twice = read(score_fields=("Merit",)).reviews
    assert twice.select("reviewer", "paper").is_duplicated().any()
    mean = read(score_fields=("Merit",), duplicates="mean").reviews
    assert not mean.select("reviewer", "paper").is_duplicated().any()
