"""CMT's comparisons of papers, and its list of submissions."""

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.formats.given_files import read_as, refused, workbook
from unround.formats.importer import import_files
from unround.formats.model import KnownReviewers

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cmt"
HEADER = "Reviewer Email\tLeft\tOperator\tRight\r\n"
ANN = "ann@example.org"


def comparisons(folder: Path, *lines: str, header: str = HEADER) -> Path:
    path = folder / "ReviewerSubmissionComparisons.txt"
    path.write_bytes((header + "".join(f"{line}\r\n" for line in lines)).encode())
    return path


class TestComparisons:
    def test_the_export(self):
        part = read_as("cmt-comparisons", FIXTURES / "ReviewerSubmissionComparisons.txt")
        assert_frame_equal(
            part.pairs.table,
            pl.DataFrame(
                {
                    "reviewer": ["li-ming@example.org", "ann.lee@example.org"],
                    "better": ["12", "31"],
                    "worse": ["7", "12"],
                }
            ),
        )
        assert_frame_equal(
            part.same.table,
            pl.DataFrame({"reviewer": ["zoe+pc@example.org"], "paper": ["12"], "same_as": ["31"]}),
        )
        name = "ReviewerSubmissionComparisons.txt"
        assert [part.pairs.place(row) for row in range(2)] == [f"{name}, line 2", f"{name}, line 6"]
        assert part.same.place(0) == f"{name}, line 3"
        assert part.notes == (
            f"{name}: 2 comparisons with a hidden paper (X) left out: every hidden paper is written "
            f"alike",
        )
        assert part.recognised == f"{name}: CMT paper comparisons"

    @pytest.mark.parametrize("operator", ["Better", "", ">", "Preferred"])
    def test_an_unknown_operator_names_its_line(self, tmp_path: Path, operator: str):
        path = comparisons(tmp_path, f"{ANN}\t1\tComparable\t2", f"{ANN}\t1\t{operator}\t3")
        with refused(
            rf"ReviewerSubmissionComparisons.txt, line 3 is no comparison: expected a paper, "
            rf"PreferredOver or Comparable, and a paper; the operator is '{operator}'"
        ):
            read_as("cmt-comparisons", path)

    def test_a_paper_that_is_not_named(self, tmp_path: Path):
        path = comparisons(tmp_path, f"{ANN}\t1\tComparable\t ")
        with refused("line 2 is no comparison"):
            read_as("cmt-comparisons", path)

    def test_a_cut_off_line(self, tmp_path: Path):
        path = comparisons(tmp_path, f"{ANN}\t1\tComparable\t2", f"{ANN}\t1\tPref")
        with refused("line 3 has 3 cells but the header has 4"):
            read_as("cmt-comparisons", path)

    def test_saved_again_as_csv(self, tmp_path: Path):
        path = tmp_path / "comparisons.csv"
        path.write_text(f"Reviewer Email,Left,Operator,Right\n{ANN},1,Preferred Over,2\n", "utf-8")
        part = read_as("cmt-comparisons", path)
        assert part.pairs.table.rows() == [(ANN, "1", "2")]

    def test_no_comparisons(self, tmp_path: Path):
        part = read_as("cmt-comparisons", comparisons(tmp_path))
        assert part.pairs.table.is_empty()
        assert part.notes == ()

    def test_addresses_are_matched_in_whatever_case(self, tmp_path: Path):
        known = KnownReviewers(
            (
                {"reviewer": "ann@example.org"},
                {"reviewer": "Bob", "reviewer_email": "bob@example.org"},
            )
        )
        path = comparisons(
            tmp_path, "Ann@Example.org\t1\tPreferredOver\t2", "bob@example.org\t1\tPreferredOver\t2"
        )
        part = read_as("cmt-comparisons", path, known_reviewers=known)
        assert part.pairs.table["reviewer"].to_list() == ["ann@example.org", "Bob"]

    def test_addresses_that_differ_in_case_alone_are_two_people(self, tmp_path: Path):
        known = KnownReviewers([{"reviewer": "ann@x.org"}, {"reviewer": "Ann@x.org"}])
        path = comparisons(
            tmp_path, "Ann@x.org\t1\tPreferredOver\t2", "ann@x.org\t2\tPreferredOver\t1"
        )
        part = read_as("cmt-comparisons", path, known_reviewers=known)
        assert part.pairs.table["reviewer"].to_list() == ["Ann@x.org", "ann@x.org"]

    def test_reviewers_that_are_all_unknown_are_a_mistake_in_the_files(self, tmp_path: Path):
        path = comparisons(tmp_path, f"{ANN}\t1\tPreferredOver\t2")
        with refused(
            r"none of its 1 reviewers, such as 'ann@example.org', wrote a review; .* 'Ann Lee'\. "
            r"Export the reviews with the column 'Reviewer Email'"
        ):
            read_as(
                "cmt-comparisons", path, known_reviewers=KnownReviewers([{"reviewer": "Ann Lee"}])
            )

    def test_joined_with_the_reviews(self):
        imported = import_files(
            [FIXTURES / "Reviews.xls"], [FIXTURES / "ReviewerSubmissionComparisons.txt"]
        )
        assert imported.rankings[0].table.rows() == [
            ("li-ming@example.org", 12, 7),
            ("ann.lee@example.org", 31, 12),
        ]
        assert imported.same.table.rows() == [("zoe+pc@example.org", 12, 31)]
        assert imported.place("rankings[0]", 1) == "ReviewerSubmissionComparisons.txt, line 6"


class TestSubmissions:
    def test_tab_separated_with_quotation_marks_in_titles(self):
        part = read_as("cmt-submissions", FIXTURES / "Submissions.txt")
        assert_frame_equal(
            part.papers.table,
            pl.DataFrame(
                {
                    "paper": ["12", "7", "31"],
                    "title": ['"Rounding" and Ranking', '"Why?" Asked the Reviewer', "A Demo"],
                    "track": ["Main Track", "Main Track", "Demos & Tools"],
                    "decision": ["Accept", "Awaiting Decision", "Reject"],
                    "area_chair": ["one@example.org", "two@example.org", None],
                }
            ),
        )
        assert part.papers.place(2) == "Submissions.txt, line 4"

    def test_a_workbook_with_questions_to_authors(self):
        part = read_as("cmt-submissions", FIXTURES / "Submissions.xls")
        assert_frame_equal(
            part.papers.table,
            pl.DataFrame(
                {
                    "paper": ["12", "7"],
                    "title": ["Rounding and Ranking", "Why?"],
                    "track": ["Main Track", "Main Track"],
                    "decision": ["Accept", "Reject"],
                    "area_chair": ["one@example.org", "two@example.org"],
                }
            ),
        )
        assert part.recognised == (
            "Submissions.xls: CMT submissions, with paper, title, track, decision, area_chair"
        )

    def test_another_column_for_the_area_chair(self):
        part = read_as(
            "cmt-submissions",
            FIXTURES / "Submissions.xls",
            columns={"area_chair": "Senior Meta-Reviewers"},
        )
        assert part.papers.table["area_chair"].to_list() == ["boss@example.org"] * 2

    def test_a_paper_column_that_is_not_there(self):
        with refused(r"has no column 'Number'; found: Paper ID, Created"):
            read_as("cmt-submissions", FIXTURES / "Submissions.txt", columns={"paper": "Number"})

    def test_its_titles_and_tracks_go_before_those_of_the_reviews(self):
        imported = import_files([FIXTURES / "Reviews.xls", FIXTURES / "Submissions.txt"])
        assert_frame_equal(
            imported.papers,
            pl.DataFrame(
                {
                    "paper": [7, 12, 31],
                    "title": ['"Why?" Asked the Reviewer', '"Rounding" and Ranking', "A Demo"],
                    "track": ["Main Track", "Main Track", "Demos & Tools"],
                    "area_chair": ["two@example.org", "one@example.org", None],
                    "decision": ["Awaiting Decision", "Accept", "Reject"],
                }
            ),
        )


def test_statements_above_a_header_in_the_middle_are_told(tmp_path: Path) -> None:
    rows = [f"{ANN}\t1\tPreferredOver\t2", "Reviewer Email\tLeft\tOperator\tRight"]
    path = tmp_path / "comparisons.txt"
    path.write_text(
        "\n".join(["Score\tLeft\tOperator\tRight", *rows, f"{ANN}\t2\tPreferredOver\t3"])
    )
    part = read_as("cmt-comparisons", path)
    assert part.pairs.table.height == 1
    assert part.notes == ("comparisons.txt: 2 rows above the header left out",)


def test_titles_far_below_the_top_are_found(tmp_path: Path) -> None:
    remarks: list[list[object]] = [["A remark"]] * 12
    rows = [["Reviewer Email", "Left", "Operator", "Right"], [ANN, 1, "PreferredOver", 2]]
    path = workbook(tmp_path / "comparisons.xlsx", Main=[*remarks, *rows])
    part = read_as("cmt-comparisons", path)
    assert part.pairs.table.rows() == [(ANN, "1", "2")]
    assert part.pairs.place(0) == "comparisons.xlsx, sheet 'Main', row 14"


def test_headers_repeated_inside_a_file_are_counted(tmp_path: Path) -> None:
    header, row = "Reviewer Email\tLeft\tOperator\tRight", f"{ANN}\t1\tPreferredOver\t2"
    path = tmp_path / "comparisons.txt"
    path.write_text("\n".join([header, row, header, row.replace("2", "3")]), encoding="utf-8")
    part = read_as("cmt-comparisons", path)
    assert part.pairs.table.height == 2
    assert part.notes == ("comparisons.txt: 1 row left out as copies of the header",)
