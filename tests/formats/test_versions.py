"""Dated exports of any system: the newest copy of a review or a ranking counts, and is told."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from unround.formats.importer import import_files
from unround.formats.newest import date_in_name

OLD, NEW = "2025-11-20", "2025-12-03"


def table(folder: Path, name: str, *rows: str, header: str = "reviewer,paper,score") -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_the_date_may_stand_in_the_folders_name(tmp_path: Path) -> None:
    new = table(tmp_path / f"export {NEW}", "reviews.csv", "a,1,5", "b,1,2")
    old = table(tmp_path / f"export {OLD}", "reviews.csv", "a,1,3", "c,1,4")
    imported = import_files([old, new])
    assert imported.reviews.rows() == [("c", 1, 4), ("a", 1, 5), ("b", 1, 2)]
    assert imported.place("reviews", 0) == "reviews.csv, line 3"


def test_files_without_different_dates_keep_every_copy(tmp_path: Path) -> None:
    for one, two in (("a.csv", "b.csv"), (f"{NEW}-a.csv", f"{NEW}-b.csv"), ("a.csv", f"{NEW}.csv")):
        files = [table(tmp_path, one, "a,1,5"), table(tmp_path, two, "a,1,3")]
        assert import_files(files).reviews.height == 2


def test_copies_inside_one_file_are_left_to_the_checks(tmp_path: Path) -> None:
    old = table(tmp_path, f"{OLD}.csv", "a,1,5", "a,1,4")
    new = table(tmp_path, f"{NEW}.csv", "a,1,3")
    assert import_files([old, new]).reviews.height == 3


def test_a_ranking_of_the_same_papers_is_replaced_as_a_whole(tmp_path: Path) -> None:
    header = "reviewer,paper,rank"
    reviews = table(tmp_path, "reviews.csv", "a,1,5", "a,2,4")
    new = table(tmp_path, f"ranks-{NEW}.csv", "a,1,2", "a,2,1", header=header)
    old = table(tmp_path, f"ranks-{OLD}.csv", "a,1,1", "a,2,2", header=header)
    imported = import_files([reviews], [old, new])
    assert imported.rankings[0].rows() == [("a", 1, 2), ("a", 2, 1)]
    assert any("2 ranks left out" in note for note in imported.notes)
    old = table(tmp_path, f"ranks-{OLD}.csv", "a,1,1", "a,3,2", header=header)
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
def test_dates_in_names(name: str, date: datetime | None) -> None:
    assert date_in_name(name) == date
