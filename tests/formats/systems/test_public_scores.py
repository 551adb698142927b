"""Tables of public scores, which number the reviews of each paper and name no reviewers."""

import os
from pathlib import Path

import polars as pl
import pytest

from tests.formats.given_files import places, read_as, rows_of, written
from unround import check
from unround.formats.importer import import_files
from unround.formats.systems.plain.wide import NUMBERED

SPLITS = "split,paper_id,review_index,score\n"
GIVEN = {year: os.environ.get(f"UNROUND_ICLR_{year}") for year in (2017, 2026)}


def scores_csv(folder: Path, rows: str, header: str = SPLITS) -> Path:
    """A table of public scores."""
    return written(folder, "scores.csv", header + rows)


def test_splits(tmp_path: Path):
    path = scores_csv(tmp_path, "train,30,0,8\ntrain,30,1,\ntest,4,0,3.5\n")
    part = read_as("csv-tables", path)
    assert rows_of(part.reviews, "reviewer", "paper", "score") == [
        ("30/0", "30", "8"),
        ("4/0", "4", "3.5"),
    ]
    assert places(part.reviews) == ["scores.csv, line 2", "scores.csv, line 4"]
    notes = [f"scores.csv: {note}" for note in (NUMBERED, "1 review without a score left out")]
    assert list(import_files([path]).notes) == notes


def test_venues(tmp_path: Path):
    path = tmp_path / "scores.parquet"
    names = ("venue", "year", "paper", "review_index", "score", "confidence")
    reviews = [("00F7", 0, 4, 3), ("00F7", 1, 6, None), ("x1", 0, 10, 5)]
    rows = [("ICLR", 2026, *review) for review in reviews]
    pl.DataFrame(rows, schema=names, orient="row").write_parquet(path)
    tables = import_files([path])
    assert tables.reviews.rows() == [
        ("00F7/0", "00F7", 4, 3),
        ("00F7/1", "00F7", 6, None),
        ("x1/0", "x1", 10, 5),
    ]
    assert tables.notes == (f"scores.parquet: {NUMBERED}",)


def test_a_number_that_stands_twice(tmp_path: Path):
    """Also where two splits number their papers alike."""
    for rows in ("train,3,0,4\ntrain,3,0,5\n", "train,3,0,4\ndev,3,0,5\n"):
        [issue] = check(import_files([scores_csv(tmp_path, rows)]))
        assert (issue.kind, issue.reviewer) == ("duplicate-review", "3/0")


def test_with_reviewers_it_is_an_ordinary_table(tmp_path: Path):
    header = "split,paper_id,review_index,score,reviewer\n"
    part = read_as("csv-tables", scores_csv(tmp_path, "train,3,0,2,ann\n", header))
    assert rows_of(part.reviews, "reviewer", "paper", "score") == [("ann", "3", "2")]
    assert part.notes == ()


@pytest.mark.parametrize(
    ("year", "reviews", "levels"), [(2017, 1321, range(1, 11)), (2026, 75848, range(0, 11, 2))]
)
def test_the_scores_of_iclr(year: int, reviews: int, levels: range):
    if not GIVEN[year]:
        pytest.skip(f"UNROUND_ICLR_{year} does not give the path of the scores")
    tables = import_files([Path(str(GIVEN[year]))])
    assert tables.reviews.height == tables.reviews["reviewer"].n_unique() == reviews
    assert sorted(tables.reviews["score"].unique()) == list(levels)
