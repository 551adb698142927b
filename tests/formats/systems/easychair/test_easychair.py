"""EasyChair's exports: reviews in their newest version, the committee's e-mails, and submissions."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from tests.formats.given_files import refused, workbook, written
from unround import Tables
from unround.formats.importer import import_files
from unround.formats.model import Options

EXAMPLE = Path(__file__).parents[4] / "examples" / "easychair"

ANN = {"member #": "7", "member name": "Ann Lee"}
BO = {"member #": "8", "member name": "Bo Ek"}
SCORES = "Overall evaluation: {}\nReviewer's confidence: 4"


def table(folder: Path, name: str, *rows: dict[str, Any]) -> Path:
    """Write a table with the columns of the example of that name."""
    header = (EXAMPLE / name).read_text("utf-8").partition("\n")[0].strip().split(",")
    text = io.StringIO()
    writer = csv.DictWriter(text, header, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return written(folder, name, text.getvalue())


def review(
    identifier: int, score: float | str, who: dict[str, str] = ANN, **more: Any
) -> dict[str, Any]:
    return {
        "#": str(identifier),
        "submission #": "1",
        "number": str(identifier),
        "version": "1",
        "text": "Line 1\nTotal score: 9",
        "scores": SCORES.format(score),
        "total score": str(score),
        **who,
        **more,
    }


def reviews(folder: Path, *rows: dict[str, Any]) -> Path:
    return table(folder, "review.csv", *rows)


def committee(folder: Path) -> Path:
    ann = {"#": "7", "person #": "70", "first name": "Ann", "email": "ann@example.org"}
    bo = {"#": "8", "person #": "80", "first name": "Bo", "email": "bo@example.org"}
    return table(folder, "committee.csv", {**ann, "role": "chair"}, bo)


def read(*paths: Path, **options: Any) -> Tables:
    return import_files(paths, options=Options(**options))


def column(imported: Tables, name: str) -> list[Any]:
    return imported.reviews[name].to_list()


def test_reviews_with_committee_and_submissions(tmp_path: Path) -> None:
    submission = {"#": "1", "title": "A, B", "decision": "accept", "deleted?": "yes"}
    submissions = table(tmp_path, "submission.csv", submission)
    path = reviews(tmp_path, review(1, -2), review(2, 3, BO))
    left = read(path, committee(tmp_path), submissions)
    assert column(left, "paper") == []
    assert "2 reviews of 1 deleted paper (1) left out" in left.notes[0]
    imported = read(path, committee(tmp_path), submissions, keep_withdrawn=True)
    assert column(imported, "reviewer") == ["ann@example.org", "bo@example.org"]
    assert column(imported, "reviewer_name") == ["Ann Lee", "Bo Ek"]
    assert column(imported, "score") == [-2, 3]
    assert column(imported, "confidence") == ["4", "4"]
    assert imported.papers.to_dicts() == [{"paper": 1, "title": "A, B", "decision": "accept"}]
    assert imported.place("reviews", 0) == "review.csv, line 2"
    assert imported.notes == ()
    assert "scores from 'Overall evaluation'" in " ".join(imported.recognised)


def test_members_above_the_header_are_said_to_be_left_out(tmp_path: Path) -> None:
    path = committee(tmp_path)
    header, ann, bo = path.read_text("utf-8").splitlines()
    path.write_text("\n".join((header.replace("email", "e-mail"), ann, header, bo)), "utf-8")
    imported = read(reviews(tmp_path, review(1, 1), review(2, 2, BO)), path)
    assert "committee.csv: 2 rows above the header left out" in imported.notes


def test_two_e_mails_of_a_member_are_asked_about(tmp_path: Path) -> None:
    path = committee(tmp_path)
    rows = path.read_text("utf-8").rstrip("\n")
    path.write_text(f"{rows}\n{rows.splitlines()[1].replace('ann@', 'anna@')}\n", "utf-8")
    with refused("committee.csv, line 4 has another e-mail of EasyChair member 7"):
        read(reviews(tmp_path, review(1, 1)), path)


def test_the_first_of_two_columns_of_one_name_is_read_and_said(tmp_path: Path) -> None:
    path = committee(tmp_path)
    rows = path.read_text("utf-8").splitlines()
    path.write_text("\n".join((f"{rows[0]},email", f"{rows[1]},anna@example.org")), "utf-8")
    imported = read(reviews(tmp_path, review(1, 1)), path)
    assert column(imported, "reviewer") == ["ann@example.org"]
    assert "of columns of one name only the first is read: 'email'" in " ".join(imported.notes)


def test_without_a_committee_reviewers_go_by_name(tmp_path: Path) -> None:
    twin = {"member #": "9", "member name": "Ann Lee"}
    path = reviews(tmp_path, review(1, 1), review(2, 2, twin), review(3, 3, BO))
    imported = read(path)
    assert column(imported, "reviewer") == ["Ann Lee (member 7)", "Ann Lee (member 9)", "Bo Ek"]
    assert any("3 reviews by people whose e-mail is not known" in note for note in imported.notes)


class TestVersions:
    def test_the_newest_version_counts(self, tmp_path: Path) -> None:
        path = reviews(tmp_path, review(1, 3, version="2"), review(1, -1), review(2, 2, BO))
        imported = read(path, committee(tmp_path))
        assert column(imported, "score") == [3, 2]
        assert any(
            "copies that differ in the scores; the newest copy counts" in n for n in imported.notes
        )

    def test_the_date_decides_where_versions_do_not(self, tmp_path: Path) -> None:
        with refused(r"1 review with copies that differ, .* line 2 and"):
            read(reviews(tmp_path, review(1, 3), review(1, -1)))
        new = review(1, 3, date="2026-02-01", time="10:00")
        old = review(1, -1, date="2026-01-31", time="23:59")
        assert column(read(reviews(tmp_path, new, old)), "score") == [3]


class TestScores:
    def test_the_line_of_scores_serves_where_there_is_no_total(self, tmp_path: Path) -> None:
        nothing = {"total score": ""}
        rows = review(1, 3, **nothing), review(2, "\N{MINUS SIGN}2 (reject)", BO, **nothing)
        imported = read(reviews(tmp_path, *rows), committee(tmp_path))
        assert column(imported, "score") == [3, -2]
        assert "scores from 'Overall evaluation'" in " ".join(imported.recognised)

    def test_a_total_that_is_another_number_is_noted(self, tmp_path: Path) -> None:
        path = reviews(tmp_path, review(1, 3, **{"total score": "12"}))
        found = read(path)
        assert column(found, "score") == [3]
        assert (
            "'total score' holds scores too, which are not used: --field 'total score' takes"
            in (" ".join(found.notes))
        )
        assert column(read(path, score_fields=("total score",)), "score") == [12]

    def test_grades_count_as_they_are_written_and_empty_scores_are_left_out(
        self, tmp_path: Path
    ) -> None:
        imported = read(reviews(tmp_path, review(1, "A"), review(2, "B", BO), review(3, "", BO)))
        assert column(imported, "score") == ["A", "B"]
        assert "review.csv: 1 review without a score left out" in imported.notes


def test_a_subreviewer_is_the_reviewer(tmp_path: Path) -> None:
    sub = {
        "reviewer first name": "Cy",
        "reviewer last name": "Oz",
        "reviewer email": "cy@example.org",
    }
    known = {"reviewer first name": "Bo", "reviewer last name": "Ek", "reviewer person #": "80"}
    path = reviews(tmp_path, review(1, 3, **sub), review(2, 1, **known))
    imported = read(path, committee(tmp_path))
    assert column(imported, "reviewer") == ["cy@example.org", "bo@example.org"]
    assert any("2 reviews written by subreviewers" in note for note in imported.notes)


def test_meta_reviews_are_not_taken_for_reviews(tmp_path: Path) -> None:
    header = "submission #,member #,member name,recommendation,text,date,time"
    path = written(tmp_path, "metareview.csv", f"{header}\n1,7,Ann Lee,3,,,\n")
    with refused("metareview.csv, not used\\): scores are those of reviewers"):
        read(path)
    assert column(read(path, reviews(tmp_path, review(1, 2))), "score") == [2]


def test_one_workbook_with_every_table(tmp_path: Path) -> None:
    sheets = {
        "Submissions": [
            ["#", "Title", "Authors", "Decision"],
            *([number, "A title", "", "accept"] for number in range(1, 60)),
        ],
        "Committee": [
            ["#", "Person #", "First name", "Last name", "Email", "Role"],
            [7, 70, "Ann", "Lee", "ann@example.org", "PC member"],
        ],
        "Reviews": [
            ["#", "Submission #", "Member #", "Member name", "Number", "Version", "Scores"],
            [1, 1, 7, "Ann Lee", 1, 1, SCORES.format(2)],
        ],
        "Bids": [["Member #", "Submission #", "Bid"], [7, 1, "yes"]],
    }
    imported = read(workbook(tmp_path / "easychair.xlsx", **sheets))
    assert column(imported, "reviewer") == ["ann@example.org"]
    assert column(imported, "score") == [2]
    assert imported.papers["title"].to_list() == ["A title"]
    assert imported.place("reviews", 0) == "easychair.xlsx, sheet 'Reviews', row 2"
    assert any("sheet 'Bids' left out" in note for note in imported.notes)
