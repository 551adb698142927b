"""Exports of a running HotCRP 3.4, untouched, against the tables of its database.

The conference is made up: ten papers, eight committee members (two of one name, one without a name), an
outsider, a draft, a meta-review, a withdrawn paper and two reviews by token.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.formats.given_files import refused, written
from unround import Tables
from unround.formats.importer import import_files
from unround.formats.model import Options

GOLDEN = Path(__file__).parents[2] / "fixtures" / "hotcrp" / "golden"
DATABASE = pl.read_csv(GOLDEN / "database.csv", infer_schema=False)
ASSIGNMENTS = "pcassignments.csv"
CHAIR = Options(ranker="chair@example.org")
Scores = set[tuple[str, str, str]]


def read(*names: str, rankings: str = "", options: Options = CHAIR) -> Tables:
    ranked = [GOLDEN / rankings] if rankings else []
    return import_files([GOLDEN / name for name in names], ranked, options)


def in_database(*also: str) -> Scores:
    """The reviews that count, by paper, reviewer and score, and those of other kinds."""
    counts = (
        (pl.col("submitted") == "1") & (pl.col("withdrawn") == "0") & (pl.col("type") != "meta")
    )
    kinds = {
        "meta": pl.col("type") == "meta",
        "withdrawn": pl.col("withdrawn") == "1",
        "draft": pl.col("submitted") == "0",
    }
    for kind in also:
        counts |= kinds[kind]
    unknown = pl.col("email") == "anonymous"
    author = pl.when(unknown).then("anonymous " + pl.col("review")).otherwise("email")
    return set(DATABASE.filter(counts).select("paper", author, "merit").rows())


def scores(imported: Tables) -> Scores:
    rows = imported.reviews.select("paper", "reviewer", "score").rows()
    found = {(str(paper), reviewer, str(score)) for paper, reviewer, score in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize("name", ["reviews.csv", "scores.csv", "reviewcsv.csv", "reviewcsv-a.csv"])
def test_tables_hold_the_reviews_of_the_database(name: str):
    imported = read(name, ASSIGNMENTS)
    assert scores(imported) == in_database()
    assert any("1 meta-review left out" in note for note in imported.notes)
    assert any("2 reviews by token: each counts as a reviewer" in note for note in imported.notes)


def test_tables_without_assignments_say_that_meta_reviews_count():
    imported = read("reviews.csv")
    assert scores(imported) == in_database("meta")
    assert any(
        "which reviews are meta-reviews (PC assignments would)" in note for note in imported.notes
    )


def test_the_author_view_holds_the_scores_without_their_authors():
    found = read("aureviews.csv").reviews["score"]
    assert sorted(found) == sorted(int(score) for _, _, score in in_database("meta"))


@pytest.mark.parametrize("name", ["rqc-all.json", "paperjson.json", "api.json"])
def test_json_holds_the_reviews_of_the_database(name: str):
    assert scores(read(name)) == in_database()


def test_withdrawn_papers_are_left_out_and_said():
    imported = read("rqc-all.json", rankings="ranks.csv")
    note = "3 reviews of 1 withdrawn paper (5) left out; --keep-withdrawn counts them"
    assert note in imported.notes
    kept = read("rqc-all.json", options=Options(keep_withdrawn=True))
    assert scores(kept) == in_database("withdrawn")


def test_a_list_of_papers_tells_which_are_withdrawn():
    assert scores(read("reviews-all.csv", ASSIGNMENTS)) == in_database("withdrawn")
    imported = read("reviews-all.csv", ASSIGNMENTS, "data-all.csv")
    assert scores(imported) == in_database()
    decided = imported.papers.filter(pl.col("decision").is_not_null())
    assert decided.select("paper", "decision").rows() == [(1, "Accepted"), (2, "Rejected")]


def test_forms_without_a_letter_are_not_submitted():
    imported = read("forms.txt", ASSIGNMENTS)
    assert scores(imported) == in_database()
    assert any("1 review without a letter" in note for note in imported.notes)
    drafts = read("forms.txt", ASSIGNMENTS, options=Options(count_drafts=True))
    assert scores(drafts) == in_database("draft")


def test_forms_without_any_letter_are_asked_about(tmp_path: Path):
    lines = (GOLDEN / "forms.txt").read_text("utf-8").splitlines(keepends=True)
    bare = [line.rstrip("ABCD\n") + "\n" if "Begin Review" in line else line for line in lines]
    path = written(tmp_path, "forms.txt", "".join(bare))
    with refused(r"31 reviews without a letter .*--count-drafts counts them"):
        import_files([path])
    assert import_files([path], options=Options(count_drafts=True)).reviews.height == 31


def test_ranks_are_those_of_the_database():
    imported = read("reviews.csv", ASSIGNMENTS, rankings="ranks.csv")
    (table,) = imported.rankings
    found = table.select(pl.col("paper").cast(pl.String), "reviewer", pl.col("rank").cast(float))
    withdrawn = ("5",)  # not in the list that was exported
    given = pl.read_csv(GOLDEN / "database-ranks.csv", schema_overrides={"paper": pl.String})
    expected = {tuple(row) for row in given.iter_rows() if row[0] not in withdrawn}
    assert set(found.rows()) == expected


@pytest.mark.parametrize("name", ["reviews.txt", "reviews.zip"])
def test_reviews_as_text_are_called_by_their_name(name: str):
    with refused("HotCRP's reviews as text, meant for reading: export Reviews"):
        read(name)


def test_assignments_alone_hold_no_reviews():
    with refused("HotCRP PC assignments .CSV., 1 meta-review. Give the export of reviews too"):
        read(ASSIGNMENTS)
