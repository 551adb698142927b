"""The same review twice: the newest of dated exports counts, others as the user says."""

from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

import unround
from tests.formats.given_files import imported, refused, workbook, written
from unround.formats.importer import import_files
from unround.formats.model import Options
from unround.formats.newest import date_in_name

HEADER = "reviewer,paper,score\n"
OLD, NEW = "2025-11-20", "2025-12-03"
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


def test_copies_in_one_file_and_in_others_are_settled_together(tmp_path: Path):
    """The newest of all counts, wherever it stands; of copies with one score it does not matter which."""
    header = "reviewer,paper,score,last modified\n"
    one = written(tmp_path, "one.csv", f"{header}ann,1,3,2026-01-01\nann,1,5,2026-01-09\n")
    two = written(tmp_path, "two.csv", f"{header}ann,1,4,2026-01-05\nbob,1,2,\nbob,1,2,\n")
    found = import_files([one, two], options=Options(duplicates="newest"))
    assert found.reviews.rows() == [("ann", 1, 5), ("bob", 1, 2)]
    assert [note.rpartition("; ")[2] for note in found.notes] == [
        "5 counts (newest)",
        "2 counts (newest)",
    ]


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


def rows(*more: str, change: int = 0) -> str:
    """Two reviewers of four papers; what follows each score."""
    people = [(who, paper) for who in ("ann", "bob") for paper in range(1, 5)]
    return "".join(
        ",".join((who, str(paper), str((paper + change) % 5), *more)) + "\n"
        for who, paper in people
    )


@pytest.mark.parametrize("policy", ["refuse", "newest"])
def test_the_column_that_tells_them_apart_is_named(tmp_path: Path, policy: str):
    """Of several columns that do, none; a reviewer's slip stays an issue with its lines."""
    head = "reviewer,paper,score,round,conf,text\n"
    rounds = head + rows("R1", "3", "fine") + rows("R2", "3", "good", change=1)
    said = "t.csv: 8 reviews are given more than once, with 'round' R1 and R2. Keep one row of each"
    with refused(said):
        imported(tmp_path, rounds.replace("good", "fine"), duplicates=policy)
    assert imported(tmp_path, rounds, duplicates=policy).reviews.height == 16
    assert imported(tmp_path, rounds, duplicates="first").reviews.height == 8
    slip = head + rows("R1", "3", "fine") + "ann,1,4,R2,3,fine\n"
    assert imported(tmp_path, slip, duplicates=policy).reviews.height == 9


def test_the_file_or_sheet_of_each_copy_is_named(tmp_path: Path):
    head = "reviewer,paper,score\n"
    one, two = (
        written(tmp_path, f"{name}.csv", head + rows(change=change))
        for name, change in (("one", 0), ("two", 1))
    )
    with refused("^8 reviews are given more than once, in one.csv and two.csv. Keep"):
        import_files([one, two])
    sheets = {
        name: [line.split(",") for line in (head + rows(change=change)).splitlines()]
        for name, change in (("2025", 0), ("2026", 1))
    }
    with refused("in b.xlsx, sheet '2025' and b.xlsx, sheet '2026'. Keep"):
        import_files([workbook(tmp_path / "b.xlsx", **sheets)])


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


def dated(folder: Path, name: str, *rows: str, header: str = HEADER.strip()) -> Path:
    folder.mkdir(exist_ok=True)
    return written(folder, name, "\n".join([header, *rows]) + "\n")


def test_the_date_may_stand_in_the_folders_name(tmp_path: Path):
    new = dated(tmp_path / f"export {NEW}", "reviews.csv", "a,1,5", "b,1,2")
    old = dated(tmp_path / f"export {OLD}", "reviews.csv", "a,1,3", "c,1,4")
    imported = import_files([old, new])
    assert imported.reviews.rows() == [("c", 1, 4), ("a", 1, 5), ("b", 1, 2)]
    assert imported.place("reviews", 0) == "reviews.csv, line 3"


def test_files_without_different_dates_keep_every_copy(tmp_path: Path):
    for one, two in (("a.csv", "b.csv"), (f"{NEW}-a.csv", f"{NEW}-b.csv"), ("a.csv", f"{NEW}.csv")):
        files = [dated(tmp_path, one, "a,1,5"), dated(tmp_path, two, "a,1,3")]
        assert import_files(files).reviews.height == 2


def test_copies_inside_one_file_are_left_to_the_checks(tmp_path: Path):
    old = dated(tmp_path, f"{OLD}.csv", "a,1,5", "a,1,4")
    new = dated(tmp_path, f"{NEW}.csv", "a,1,3")
    assert import_files([old, new]).reviews.height == 3


def test_a_ranking_of_the_same_papers_is_replaced_as_a_whole(tmp_path: Path):
    header = "reviewer,paper,rank"
    reviews = dated(tmp_path, "reviews.csv", "a,1,5", "a,2,4")
    new = dated(tmp_path, f"ranks-{NEW}.csv", "a,1,2", "a,2,1", header=header)
    old = dated(tmp_path, f"ranks-{OLD}.csv", "a,1,1", "a,2,2", header=header)
    imported = import_files([reviews], [old, new])
    assert imported.rankings[0].rows() == [("a", 1, 2), ("a", 2, 1)]
    assert any("2 ranks left out" in note for note in imported.notes)
    old = dated(tmp_path, f"ranks-{OLD}.csv", "a,1,1", "a,3,2", header=header)
    assert import_files([reviews], [old, new]).rankings[0].height == 4


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("reviews-2025-11-20.csv", datetime(2025, 11, 20)),
        ("20251120_notes.json", datetime(2025, 11, 20)),
        ("notes 2025-11-20 18.30.05.json", datetime(2025, 11, 20, 18, 30, 5)),
        ("2025-11-20 to 2025-12-03.csv", None),
        ("2025-13-20.csv", None),
        ("paper 20251120123.csv", None),
        ("notes.json", None),
    ],
)
def test_dates_in_names(name: str, date: datetime | None):
    assert date_in_name(name) == date
