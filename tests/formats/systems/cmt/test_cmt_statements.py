"""CMT's comparisons of papers, and its list of submissions."""

from pathlib import Path

import pytest

from tests.formats.given_files import places, read_as, refused, rows_of, workbook, written
from unround.formats.importer import import_files
from unround.formats.model import Context, KnownReviewers

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cmt"
HEADER = "Reviewer Email\tLeft\tOperator\tRight\r\n"
ANN = "ann@example.org"
SUBMISSION = ("paper", "title", "track", "area_chair", "decision")


def comparisons(folder: Path, *lines: str, header: str = HEADER) -> Path:
    text = header + "".join(f"{line}\r\n" for line in lines)
    return written(folder, "ReviewerSubmissionComparisons.txt", text)


class TestComparisons:
    def test_the_export(self):
        part = read_as("cmt-comparisons", FIXTURES / "ReviewerSubmissionComparisons.txt")
        assert rows_of(part.pairs, "reviewer", "better", "worse") == [
            ("li-ming@example.org", "12", "7"),
            ("ann.lee@example.org", "31", "12"),
        ]
        same = rows_of(part.same, "reviewer", "paper", "same_as")
        assert same == [("zoe+pc@example.org", "12", "31")]
        name = "ReviewerSubmissionComparisons.txt"
        assert places(part.pairs) == [f"{name}, line 2", f"{name}, line 6"]
        assert places(part.same) == [f"{name}, line 3"]
        assert part.notes == (
            f"{name}: 2 comparisons with a hidden paper (X) left out: every hidden paper is written "
            f"alike",
        )
        assert part.recognised == f"{name}: CMT paper comparisons"

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            *(
                (
                    f"{ANN}\t1\t{operator}\t3",
                    "is no comparison: expected a paper, PreferredOver or Comparable, and a paper; the "
                    f"operator is '{operator}'",
                )
                for operator in ("Better", "", ">", "Preferred")
            ),
            (f"{ANN}\t1\tComparable\t ", "is no comparison"),
            (f"{ANN}\t1\tPref", "has 3 cells but the header has 4"),
        ],
    )
    def test_a_line_that_is_none_is_named(self, tmp_path: Path, line: str, words: str):
        path = comparisons(tmp_path, f"{ANN}\t1\tComparable\t2", line)
        with refused(rf"ReviewerSubmissionComparisons.txt, line 3 {words}"):
            read_as("cmt-comparisons", path)

    def test_saved_again_as_csv_or_below_remarks_in_a_workbook(self, tmp_path: Path):
        text = f"Reviewer Email,Left,Operator,Right\n{ANN},1,Preferred Over,2\n"
        rows = [["Reviewer Email", "Left", "Operator", "Right"], [ANN, 1, "PreferredOver", 2]]
        remarks: list[list[object]] = [["A remark"]] * 12
        for path, place in (
            (written(tmp_path, "c.csv", text), "c.csv, line 2"),
            (workbook(tmp_path / "c.xlsx", Main=remarks + rows), "c.xlsx, sheet 'Main', row 14"),
        ):
            part = read_as("cmt-comparisons", path)
            assert part.pairs.table.rows() == [(ANN, "1", "2")]
            assert places(part.pairs) == [place]

    def test_no_comparisons(self, tmp_path: Path):
        part = read_as("cmt-comparisons", comparisons(tmp_path))
        assert part.pairs.table.is_empty()
        assert part.notes == ()

    @pytest.mark.parametrize(
        ("known", "given", "meant"),
        [
            (
                [{"reviewer": ANN}, {"reviewer": "Bob", "reviewer_email": "bob@example.org"}],
                ["Ann@Example.org", "bob@example.org"],
                [ANN, "Bob"],
            ),
            (
                [{"reviewer": "ann@x.org"}, {"reviewer": "Ann@x.org"}],
                ["Ann@x.org", "ann@x.org"],
                ["Ann@x.org", "ann@x.org"],
            ),
        ],
        ids=["in whatever case", "two people who differ in case alone"],
    )
    def test_addresses_are_matched(
        self, tmp_path: Path, known: list[dict[str, str]], given: list[str], meant: list[str]
    ):
        path = comparisons(tmp_path, *(f"{email}\t1\tPreferredOver\t2" for email in given))
        part = read_as("cmt-comparisons", path, Context(reviewers=KnownReviewers(known)))
        assert part.pairs.table["reviewer"].to_list() == meant


class TestSubmissions:
    def test_tab_separated_with_quotation_marks_in_titles(self):
        part = read_as("cmt-submissions", FIXTURES / "Submissions.txt")
        why = '"Why?" Asked the Reviewer'
        rows = [
            ("12", '"Rounding" and Ranking', "Main Track", "one@example.org", "Accept"),
            ("7", why, "Main Track", "two@example.org", "Awaiting Decision"),
            ("31", "A Demo", "Demos & Tools", None, "Reject"),
        ]
        assert rows_of(part.papers, *SUBMISSION) == rows
        assert part.papers.place(2) == "Submissions.txt, line 4"
        imported = import_files([FIXTURES / "Reviews.xls", FIXTURES / "Submissions.txt"])
        before_those_of_the_reviews = sorted((int(paper), *others) for paper, *others in rows)
        assert imported.papers.select(SUBMISSION).rows() == before_those_of_the_reviews

    def test_a_workbook_with_questions_to_authors(self):
        part = read_as("cmt-submissions", FIXTURES / "Submissions.xls")
        assert rows_of(part.papers, *SUBMISSION) == [
            ("12", "Rounding and Ranking", "Main Track", "one@example.org", "Accept"),
            ("7", "Why?", "Main Track", "two@example.org", "Reject"),
        ]

    def test_columns_that_the_user_names(self):
        path = FIXTURES / "Submissions.xls"
        part = read_as("cmt-submissions", path, columns={"area_chair": "Senior Meta-Reviewers"})
        assert part.papers.table["area_chair"].to_list() == ["boss@example.org"] * 2
        with refused(r"has no column 'Number'; found: Paper ID, Created"):
            read_as("cmt-submissions", FIXTURES / "Submissions.txt", columns={"paper": "Number"})


@pytest.mark.parametrize(
    ("first", "height", "note"),
    [
        ("Score\tLeft\tOperator\tRight\r\n", 1, "2 rows above the header left out"),
        (HEADER, 2, "1 row left out as copies of the header"),
    ],
    ids=["another header above", "the same header above"],
)
def test_a_header_in_the_middle_is_reported(
    tmp_path: Path, first: str, height: int, note: str
) -> None:
    lines = [f"{ANN}\t1\tPreferredOver\t2", HEADER.strip(), f"{ANN}\t2\tPreferredOver\t3"]
    part = read_as("cmt-comparisons", comparisons(tmp_path, *lines, header=first))
    assert part.pairs.table.height == height
    assert part.notes == (f"ReviewerSubmissionComparisons.txt: {note}",)
