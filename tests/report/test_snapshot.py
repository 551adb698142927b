"""A snapshot from a run folder is the one that the run had."""

import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings

import unround
from tests.report.made_up import conferences
from unround.disclosure.snapshot import Snapshot, read_snapshot
from unround.runs.folder import read_run, write_run
from unround.runs.record import run_record
from unround.runs.tables import run_tables

TABLES = ("papers", "reviews", "ranks", "pairs", "bindings")
SCORES = "score\nann,1,3\nann,2,3\n"
RANKED = "reviewer,paper,rank\nann,1,1\nann,2,2\n"


def assert_same(one: Snapshot, other: Snapshot) -> None:
    for name in TABLES:
        left, right = getattr(one, name), getattr(other, name)
        assert left.schema == right.schema, name
        assert left.equals(right), name
    assert one.record == other.record


@settings(max_examples=40)
@given(conferences())
def test_folder_gives_the_snapshot_of_its_run(conference):
    with tempfile.TemporaryDirectory() as name:
        write_run(Path(name), conference.tables, conference.snapshot.record)
        assert_same(read_snapshot(Path(name)), conference.snapshot)


@pytest.fixture
def run(tmp_path):
    """Solve what some files hold, into a folder."""

    def solve(reviews: str, rankings: str = "", **options: object):
        (tmp_path / "reviews.csv").write_text(f"reviewer,paper,{reviews}")
        (tmp_path / "rankings.csv").write_text(rankings)
        stated = [tmp_path / "rankings.csv"] if rankings else []
        tables = unround.read(tmp_path / "reviews.csv", rankings=stated)
        result = unround.dequantize(tables, lam=2.0, **options)
        folder = tmp_path / "run"
        folder.mkdir()
        write_run(folder, run_tables(result), run_record(result))
        return folder, Snapshot.of(result)

    return solve


def test_text_that_looks_like_a_number_stays_text(run):
    folder, made = run(
        "score,reviewer_name,title,track\n007,001,3,0042,1984,12\n010,002,4,-5,2001,=1+1\n"
    )
    read = read_snapshot(folder)
    assert_same(read, made)
    assert read.reviews["reviewer"].to_list() == ["007", "010"]
    assert read.reviews["reviewer_name"].to_list() == ["0042", "-5"]
    assert read.papers.rows() == [("001", "1984", "12"), ("002", "2001", "=1+1")]
    assert read_run(folder).scores["paper"].to_list() == ["001", "002"]


def test_ids_have_the_order_that_the_solver_gave_them(run):
    """Statements may make text of ids that would be numbers by themselves."""
    folder, made = run(
        "score\n9,10,3\n10,2,4\n9,9,3\n",
        "reviewer,paper,rank\n9,10,1\n9,9,2\nguest,2,1\n",
        conflicts="scores",
    )
    read = read_snapshot(folder)
    assert_same(read, made)
    ids = [("10", 2), ("9", 9), ("9", 10)]
    assert read.reviews.select("reviewer", "paper").rows() == ids
    assert read.ranks.sort("rank").rows() == [("9", 10, 1), ("9", 9, 2)]


def test_cells_are_those_that_were_used(run):
    folder, _ = run("score\nann,1,2\nann,2,4\n", RANKED, conflicts="rankings")
    reviews = read_snapshot(folder).reviews
    assert reviews["upper"][0] > 2.5
    assert reviews["lower"][1] < 3.5


def test_ranks_count_what_was_reviewed(run):
    folder, _ = run(
        "score\nann,1,3\nann,2,3\nann,3,2\nbob,4,2\n",
        "reviewer,paper,rank\nann,1,2.5\nann,2,2.5\nann,3,9\nann,4,1\nbob,4,7\n",
        conflicts="scores",
    )
    ranks = [("ann", 1, 1), ("ann", 2, 1), ("ann", 3, 2), ("bob", 4, 1)]
    assert read_snapshot(folder).ranks.sort("reviewer", "paper").rows() == ranks
    statements = pl.read_csv(folder / "rankings.csv")
    assert statements.height == 5, "the folder has every statement as it was read"


def test_statements_that_were_set_aside_are_there(run):
    pairs = "reviewer,better,worse\nann,1,2\nann,1,1\nann,1,9\n"
    folder, _ = run("score\nann,1,2\nann,2,4\n", pairs, conflicts="scores")
    assert read_snapshot(folder).pairs.rows() == [("ann", 1, 2)]


def test_letters_have_numbers(run):
    folder, _ = run("score\nann,1,A\nann,2,C\nbob,1,B\n")
    reviews = read_snapshot(folder).reviews
    assert reviews.select("score", "value").rows() == [("A", 3.0), ("C", 1.0), ("B", 2.0)]


def test_scores_alone_leave_no_empty_files(run):
    folder, _ = run(SCORES)
    names = {path.name for path in folder.iterdir()}
    assert names == {"scores.csv", "papers.csv", "run.json", "explanation.csv", "SHA256SUMS"}


def test_papers_called_the_same_are_kept(run):
    folder, made = run(SCORES, "reviewer,paper,same_as\nann,1,2\n")
    assert pl.read_csv(folder / "same.csv").rows() == [("ann", 1, 2)]
    assert_same(read_snapshot(folder), made)
