"""CSV around OpenReview: the documented recipe is read, the consoles' exports are refused."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.formats.given_files import imported, refused, written
from tests.formats.systems.openreview.openreview_made import ANN, FIXTURES, ZOE
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.formats.registry import recognise


def test_the_recipe_with_forums() -> None:
    found = import_files([FIXTURES / "reviews_recipe.csv"])
    expected = {
        "reviewer": ["WqRst4uvX1/Review_1", "WqRst4uvX1/Review_2", "aQ2_-bC9zz/Review_1"],
        "paper": ["WqRst4uvX1", "WqRst4uvX1", "aQ2_-bC9zz"],
        "score": [8.0, 5.0, 3.5],
        "confidence": ["4", "3", None],
        "forum": ["WqRst4uvX1", "WqRst4uvX1", "aQ2_-bC9zz"],
    }
    assert_frame_equal(found.reviews, pl.DataFrame(expected))
    assert found.place("reviews", 1) == "reviews_recipe.csv, line 4"
    assert "1 review without a score left out (the recipe writes a score of 0" in found.notes[0]
    assert "3 reviews whose reviewer is not named" in found.notes[1]


def test_the_recipe_with_profiles_and_values_as_python_wrote_them() -> None:
    found = import_files([FIXTURES / "reviews_profile.csv"])
    expected = {
        "reviewer": [ANN, ZOE, ANN],
        "paper": ["WqRst4uvX1", "WqRst4uvX1", "aQ2_-bC9zz"],
        "score": [8, 5, 6],
        "confidence": ["4", None, "2"],
        "forum": ["WqRst4uvX1", "WqRst4uvX1", "aQ2_-bC9zz"],
    }
    assert_frame_equal(found.reviews, pl.DataFrame(expected))
    (note,) = found.notes
    assert note.startswith("No file says which papers are withdrawn")


def test_lines_that_windows_doubled_are_read(tmp_path: Path) -> None:
    found = imported(tmp_path, "profileID,forum,rating\r\r\n~A1,f1,3\r\r\n~B1,f1,4\r\r\n")
    assert found.reviews["score"].to_list() == [3, 4]


def test_a_table_that_names_reviewers_is_a_plain_one(tmp_path: Path) -> None:
    path = written(tmp_path, "reviews.csv", "forum,reviewer,rating\nf1,ann,3\n")
    assert recognise(Source(path)).system == "csv"


def test_no_forum_column_is_refused(tmp_path: Path) -> None:
    text = "profileID,title,review,rating\n~A1,x,y,3\n"
    with refused(
        r"t\.csv has no column 'forum' .*found: profileID, title, review, rating\. "
        r".*--column paper=NAME"
    ):
        imported(tmp_path, text)
    found = imported(tmp_path, text, columns={"paper": "title"})
    assert found.reviews["paper"].to_list() == ["x"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("~A1,f1,3\n~B1,,3\n", r"t\.csv, line 3: the cell of 'forum' is empty"),
        ("", "has a header but no reviews"),
    ],
    ids=["an empty forum", "a header alone"],
)
def test_tables_that_are_refused(tmp_path: Path, rows: str, words: str) -> None:
    with refused(words):
        imported(tmp_path, "profileID,forum,rating\n" + rows)


def test_a_field_of_another_name(tmp_path: Path) -> None:
    text = "profileID,forum,confidence,merit\n~A1,f1,3,4.5 = good\n"
    with refused(r"found: profileID, forum, confidence, merit"):
        imported(tmp_path, text)
    for options in ({"score_fields": ("merit",)}, {"columns": {"score": "merit"}}):
        assert imported(tmp_path, text, **options).reviews["score"].to_list() == [4.5]


@pytest.mark.parametrize("name", ["console_ac.csv", "console_pc.csv"])
def test_console_tables_are_refused_and_the_right_export_is_named(name: str) -> None:
    source = Source(FIXTURES / name)
    assert source.head.startswith(b"\xef\xbb\xbf")
    assert recognise(source).name == "openreview-console"
    with refused(r"no per-review scores.*get_all_notes\(.*replies"):
        import_files([FIXTURES / name])
