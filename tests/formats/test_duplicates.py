"""The same review twice: settled as the user says, and told case by case."""

from pathlib import Path

import polars as pl
import pytest

import unround
from tests.formats.given_files import imported, refused
from unround.formats.importer import import_files
from unround.formats.model import Options

HEADER = "reviewer,paper,score\n"
GIVEN_TWICE = f"{HEADER}ann,1,6\nbob,1,5\nann,1,8\n"


def test_refused_by_default_with_both_places(tmp_path: Path):
    found = imported(tmp_path, GIVEN_TWICE, duplicates="refuse")
    [issue] = unround.check(found.reviews)
    assert issue.kind == "duplicate-review"
    assert [found.place("reviews", row) for row in issue.rows] == ["t.csv, line 2", "t.csv, line 4"]


@pytest.mark.parametrize(("policy", "score"), [("first", 6), ("mean", 7)])
def test_settled(tmp_path: Path, policy: str, score: int):
    found = imported(tmp_path, GIVEN_TWICE, duplicates=policy)
    assert found.reviews.rows() == [("ann", 1, score), ("bob", 1, 5)]
    assert found.place("reviews", 1) == "t.csv, line 3"
    assert found.notes == (
        f"reviewer ann, paper 1: scores 6 [t.csv, line 2], 8 [t.csv, line 4]; {score} counts "
        f"({policy})",
    )


def test_the_newest_by_its_date(tmp_path: Path):
    rows = "ann,1,6,2026-01-05 10:00\nann,1,8,2026-01-04T23:59:59\nbob,1,5,2026-01-01\n"
    text = "reviewer,paper,score,last modified\n" + rows
    found = imported(tmp_path, text, duplicates="newest")
    assert found.reviews.rows() == [("ann", 1, 6), ("bob", 1, 5)]
    assert "6 counts (newest)" in found.notes[0]


def test_the_newest_or_the_mean_cannot_be_known(tmp_path: Path):
    """It is an issue, never a guess."""
    found = imported(tmp_path, GIVEN_TWICE, duplicates="newest")
    assert found.reviews.height == 3
    assert found.notes == (
        "--duplicates newest leaves 1 score given more than once undecided: nothing says when each "
        "was changed, or two are equally new",
    )
    assert [issue.kind for issue in unround.check(found.reviews)] == ["duplicate-review"]
    words = imported(tmp_path, f"{HEADER}ann,1,A\nann,1,B\n", duplicates="mean")
    assert words.reviews.height == 2
    assert "not every score is a number" in words.notes[0]


def test_many_cases_are_counted(tmp_path: Path):
    rows = "".join(f"ann,{n % 40},{n % 5}\n" for n in range(80))
    found = imported(tmp_path, HEADER + rows, duplicates="first")
    assert found.reviews.height == 40
    assert len(found.notes) == 13
    assert found.notes[-1] == "28 more scores given more than once settled: first"


def test_numbers_of_parquet(tmp_path: Path):
    path = tmp_path / "r.parquet"
    pl.DataFrame({"reviewer": [1, 1], "paper": [2, 2], "score": [3, 6]}).write_parquet(path)
    found = import_files([path], options=Options(duplicates="mean"))
    assert found.reviews.rows() == [(1, 2, 4.5)]


def test_ranks_too(tmp_path: Path):
    ranks = "reviewer,paper,rank\nann,1,1\nann,2,2\nann,1,3\n"
    found = imported(tmp_path, f"{HEADER}ann,1,3\nann,2,3\n", ranks, duplicates="first")
    assert found.rankings[0].rows() == [("ann", 1, 1), ("ann", 2, 2)]


def test_the_same_review_in_two_files_is_read_once(tmp_path: Path):
    """As in two exports of one conference in one folder; another score is another matter."""
    (tmp_path / "a.csv").write_text("reviewer,paper,score\nann,1,6\nann,2,6\n")
    (tmp_path / "b.csv").write_text("reviewer,paper,rating\nann,1,6\nann,2,7\nbob,1,5\n")
    found = import_files([tmp_path])
    assert found.reviews["score"].to_list() == [6, 6, 7, 5]
    assert found.notes == (
        "a.csv: 1 review left out because another file has a newer copy or the same; the score of 0 differs",
    )
    assert found.place("reviews", 3) == "b.csv, line 4"


def test_an_unknown_policy(tmp_path: Path):
    with refused(r"--duplicates all: unknown; choose among refuse, newest"):
        imported(tmp_path, GIVEN_TWICE, duplicates="all")
