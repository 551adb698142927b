"""A snapshot from a run folder is the one that the run had."""

import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings

import unround
from tests.report.made_up import conferences
from unround.disclosure.snapshot import Snapshot, read_snapshot
from unround.formats.importer import import_files
from unround.formats.model import ImportRefused
from unround.runs.folder import read_run, write_run
from unround.runs.record import run_record
from unround.runs.tables import run_tables

TABLES = ("papers", "reviews", "ranks", "pairs", "bindings")


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

    def solve(reviews: str, rankings: str | None = None, **options: object):
        imported = _imported(tmp_path, reviews, rankings)
        result = unround.dequantize(imported, lam=2.0, **options)
        folder = tmp_path / "run"
        folder.mkdir()
        write_run(folder, run_tables(result), run_record(result))
        return folder, Snapshot.of(result)

    return solve


def _imported(folder: Path, reviews: str, rankings: str | None) -> unround.Tables:
    (folder / "reviews.csv").write_text(reviews)
    if rankings is None:
        return import_files([folder / "reviews.csv"])
    (folder / "rankings.csv").write_text(rankings)
    return import_files([folder / "reviews.csv"], [folder / "rankings.csv"])


def test_text_that_looks_like_a_number_stays_text(run):
    folder, made = run(
        "reviewer,reviewer_name,paper,score,title,track\n"
        "007,0042,001,3,1984,12\n010,-5,002,4,2001,=1+1\n"
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
        "reviewer,paper,score\n9,1,3\n10,1,4\n9,2,3\n",
        "reviewer,paper,rank\n9,1,1\n9,2,2\nguest,1,1\n",
        conflicts="scores",
    )
    read = read_snapshot(folder)
    assert read.reviews["reviewer"].to_list() == ["10", "9", "9"]
    assert_same(read, made)
    assert read.ranks.rows() == [("9", 1, 1), ("9", 2, 2)]


def test_whole_numbers_are_ordered_as_numbers(run):
    folder, made = run("reviewer,paper,score\n10,2,3\n9,10,4\n10,9,5\n")
    assert read_snapshot(folder).reviews["paper"].to_list() == [10, 2, 9]
    assert_same(read_snapshot(folder), made)


def test_cells_are_those_that_were_used(run):
    folder, _ = run(
        "reviewer,paper,score\nann,1,2\nann,2,4\n",
        "reviewer,paper,rank\nann,1,1\nann,2,2\n",
        conflicts="rankings",
    )
    reviews = read_snapshot(folder).reviews
    assert reviews["upper"][0] > 2.5
    assert reviews["lower"][1] < 3.5


def test_ranks_count_what_was_reviewed(run):
    folder, _ = run(
        "reviewer,paper,score\nann,1,3\nann,2,3\nann,3,2\nbob,4,2\n",
        "reviewer,paper,rank\nann,1,2.5\nann,2,2.5\nann,3,9\nann,4,1\nbob,4,7\n",
        conflicts="scores",
    )
    ranks = [("ann", 1, 1), ("ann", 2, 1), ("ann", 3, 2), ("bob", 4, 1)]
    assert read_snapshot(folder).ranks.sort("reviewer", "paper").rows() == ranks
    statements = pl.read_csv(folder / "rankings.csv")
    assert statements.height == 5, "the folder has every statement as it was read"


def test_statements_that_were_set_aside_are_there(run):
    folder, _ = run(
        "reviewer,paper,score\nann,1,2\nann,2,4\n",
        "reviewer,better,worse\nann,1,2\nann,1,1\nann,1,9\n",
        conflicts="scores",
    )
    assert read_snapshot(folder).pairs.rows() == [("ann", 1, 2)]


def test_letters_have_numbers(run):
    folder, made = run("reviewer,paper,score\nann,1,A\nann,2,C\nbob,1,B\n")
    reviews = read_snapshot(folder).reviews
    assert reviews.select("score", "value").rows() == [("A", 3.0), ("C", 1.0), ("B", 2.0)]
    assert_same(read_snapshot(folder), made)


def test_scores_alone_leave_no_empty_files(run):
    folder, _ = run("reviewer,paper,score\nann,1,3\nbob,2,4\n")
    names = {path.name for path in folder.iterdir()}
    assert names == {"scores.csv", "papers.csv", "run.json", "explanation.csv"}


def test_papers_called_the_same_are_kept(run):
    folder, made = run(
        "reviewer,paper,score\n1,1,3\n1,2,3\n", "reviewer,paper,same_as\n1,1,2\n", same_within=0.1
    )
    assert pl.read_csv(folder / "same.csv").rows() == [(1, 1, 2)]
    assert_same(read_snapshot(folder), made)


def test_files_of_two_runs_are_refused_in_words(run):
    folder, _ = run("reviewer,paper,score\nann,1,3\nbob,2,4\n")
    lines = (folder / "explanation.csv").read_text().splitlines()
    (folder / "explanation.csv").write_text("\n".join([lines[0], *lines[:0:-1]]) + "\n")
    with pytest.raises(ImportRefused, match="do not belong together"):
        read_snapshot(folder)


@pytest.mark.parametrize(
    "bindings",
    [
        "reviewer,better,worse\n1,1,2\n",
        "reviewer,better,worse,lifts,lowers\n1,1,2,much,0.5\n",
        "reviewer,better,worse,lifts,lowers\n1,one,2,0.5,0.5\n",
        "x\n1\n",
    ],
)
def test_bindings_that_no_run_wrote_are_refused_in_words(run, bindings):
    folder, _ = run("reviewer,paper,score\n1,1,3\n1,2,3\n", "reviewer,paper,rank\n1,1,1\n1,2,2\n")
    assert (folder / "bindings.csv").is_file()
    (folder / "bindings.csv").write_text(bindings)
    with pytest.raises(ImportRefused, match=r"do not belong together.*`unround run` again"):
        read_snapshot(folder)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        *((name, None, f"{name} is missing") for name in ("scores.csv", "papers.csv", "run.json")),
        ("explanation.csv", None, r"lacks explanation\.csv.*`unround run` again"),
        ("run.json", '{"lam": 1}', r"run\.json is not what `unround run` wrote"),
    ],
)
def test_what_is_missing_or_broken_is_named(run, name, content, words):
    folder, _ = run("reviewer,paper,score\nann,1,3\nbob,2,4\n")
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_text(content)
    with pytest.raises(ImportRefused, match=words):
        read_snapshot(folder)
