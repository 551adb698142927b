"""CMT's Reviews.xls, and the same table saved again as XLSX or CSV."""

from pathlib import Path

import pytest

from tests.formats.given_files import places, read_as, refused, rows_of, written
from tests.formats.given_files import workbook as xlsx_workbook
from tests.fuzz.tables import spreadsheetml
from unround.formats.importer import import_files
from unround.formats.model import FileContent

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cmt"
OVERALL = ["Q10 (Overall score)", "Q10 (Overall score - Value)"]
WHO = ["Paper ID", "Paper Title", "Reviewer Name", "Reviewer Email"]
HEADER = [*WHO, *OVERALL]
ANN = "ann@example.org"
ZOE, LI, LEE = "zoe+pc@example.org", "li-ming@example.org", "ann.lee@example.org"
REVIEW = ("reviewer", "paper", "score", "reviewer_name", "reviewer_email", "title")


def read(path: Path, **options: object) -> FileContent:
    return read_as("cmt-reviews", path, **options)


def workbook(folder: Path, *rows: list[object]) -> Path:
    """One worksheet with a title in row 1, the first of `rows` as header in row 3, the rest below."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    return written(folder, "r.xls", spreadsheetml([["Example Conference"], [], *cells]))


def test_the_export_with_all_its_traps():
    part = read(FIXTURES / "Reviews.xls")
    both, why = "Rounding & Ranking", '"Why?" Asked the Reviewer'
    names = REVIEW[:3], ("review",), REVIEW[3:], ("track", "confidence")
    assert rows_of(part.reviews, *(name for some in names for name in some)) == [
        (ZOE, "12", "5", "1", "Zoë Ångström", ZOE, both, "Main Track", "4"),
        (LI, "12", "3.5", "4", "李 明", LI, both, "Main Track", None),
        (LI, "7", "1", "3", "李 明", LI, why, "Main Track", "2"),
        (LEE, "31", "2", None, "Ann Lee", LEE, "A Demo", "Demos & Tools", None),
    ]
    assert places(part.reviews) == [
        "Reviews.xls, sheet 'Main Track', row 4",
        "Reviews.xls, sheet 'Main Track', row 5",
        "Reviews.xls, sheet 'Main Track', row 9",
        "Reviews.xls, sheet 'Demos & Tools', row 4",
    ]
    assert part.notes == (
        "Reviews.xls: sheet 'Main Track': 1 review without a score left out",
        "Reviews.xls: sheet 'Demos & Tools': 1 review without a score left out",
    )
    assert part.scale is None
    assert part.recognised == (
        "Reviews.xls: sheet 'Main Track': CMT reviews, scores from "
        "'Q10 (Please provide an \"overall score\" for this submission.)'; "
        "sheet 'Demos & Tools': CMT reviews, scores from 'Q2 (Overall Rating)'"
    )


def test_saved_as_csv_with_the_header_in_row_3():
    part = read(FIXTURES / "Reviews.csv")
    assert rows_of(part.reviews, *REVIEW) == [
        (ZOE, "12", "5", "Zoë Ångström", ZOE, "Rounding, Ranking"),
        (LI, "12", "3.5", "李 明", LI, "Rounding, Ranking"),
    ]
    # The header takes three lines, the first review two.
    assert places(part.reviews) == ["Reviews.csv, line 6", "Reviews.csv, line 8"]
    assert part.notes == ("Reviews.csv: 1 review without a score left out",)


@pytest.mark.parametrize("above", [[], [["Example Conference"], []]], ids=["no title", "a title"])
def test_saved_as_xlsx(tmp_path: Path, above: list[list[object]]):
    rows = [HEADER, [1, "T", "Ann", ANN, "Good", 4], [2, "U", "Ann", ANN, "Fair", 2.5]]
    part = read(xlsx_workbook(tmp_path / "Reviews.xlsx", Main=[*above, *rows]))
    assert part.reviews.table.select("reviewer", "paper", "score", "track").rows() == [
        (ANN, "1", "4", "Main"),
        (ANN, "2", "2.5", "Main"),
    ]
    assert part.reviews.place(1) == f"Reviews.xlsx, sheet 'Main', row {len(above) + 3}"
    unnamed = read(xlsx_workbook(tmp_path / "Reviews.xlsx", Sheet1=rows))
    assert "track" not in unnamed.reviews.table.columns  # a program named the sheet


class TestScoreQuestion:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return workbook(
            tmp_path,
            [
                *WHO,
                "Q1 (Overall rating before the rebuttal)",
                "Q1 (Overall rating before the rebuttal - Value)",
                "Q12 (Overall rating after the rebuttal)",
                "Q12 (Overall rating after the rebuttal - Value)",
                "Q3 (Novelty)",
                "Q3 (Novelty - Value)",
                "Q4 (Comments)",
            ],
            [1, "T", "Ann", ANN, "a", 3, "b", 4, "c", 1, "text"],
            [2, "U", "Ann", ANN, "a", 2, None, None, "c", 5, "text"],
        )

    @pytest.mark.parametrize(
        ("fields", "scores"),
        [
            (("Q3",), ["1", "5"]),
            (("q3",), ["1", "5"]),
            (("Q1",), ["3", "2"]),  # not Q12
            (("novelty",), ["1", "5"]),
            (("BEFORE  the\nrebuttal",), ["3", "2"]),
            (("after the rebuttal", "before the rebuttal"), ["4", "2"]),
            (("no such question", "Q3"), ["1", "5"]),
        ],
    )
    def test_fields_choose(self, path: Path, fields: tuple[str, ...], scores: list[str]):
        assert read(path, score_fields=fields).reviews.table["score"].to_list() == scores

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            (
                {"score_fields": ("rebuttal",)},
                r"'rebuttal' could be any of 'Q1 \(.*\)', 'Q12 \(.*\)'",
            ),
            (
                {"score_fields": ("merit",)},
                r"sheet 'Main' has no field 'merit'; fields that hold scores: 'Q1 \(.*\)', "
                r"'Q12 \(.*\)', 'Q3 \(Novelty\)'. Choose with --field NAME",
            ),
            ({"score_fields": ("Q4",)}, r"has no field 'Q4'; fields that hold scores"),
            ({"columns": {"score": "Q77"}}, "has no field 'Q77'; fields that hold scores"),
        ],
        ids=["two that fit", "unknown", "no values", "unknown column"],
    )
    def test_what_cannot_be_chosen(self, path: Path, options: dict[str, object], words: str):
        with refused(words):
            read(path, **options)

    def test_the_later_phase_counts_where_it_is_filled(self, path: Path):
        part = read(path)
        assert part.reviews.table["score"].to_list() == ["4", "2"]
        assert "1 score taken from 'Q1 (Overall rating before the rebuttal)'" in part.notes[0]

    def test_no_overall_question_or_two(self, tmp_path: Path):
        header = [*WHO, "Q3 (Novelty)", "Q3 (Novelty - Value)", "Q4 (Overall score)"]
        path = workbook(tmp_path, header, [1, "T", "A", ANN, "x", 1, "y"])
        with refused(r"no field is plainly the overall score; .* 'Q3 \(Novelty\)'\. Choose"):
            read(path)
        two = [*WHO, "Q3 (Overall score - Value)", "Q4 (Overall rating - Value)"]
        path = workbook(tmp_path, two, [1, "T", "A", ANN, 1, 2])
        with refused(
            r"no field is plainly .* 'Q3 \(Overall score\)', 'Q4 \(Overall rating\)'\. Choose"
        ):
            read(path)

    @pytest.mark.parametrize(
        "text",
        [
            "Overall Score",
            "OVERALL  rating",
            "your overall\nrecommendation?",
            "Overall evaluation:",
        ],
    )
    def test_overall_wordings(self, tmp_path: Path, text: str):
        questions = (f"Q3 ({text})", f"Q3 ({text} - Value)", "Q4 (Overall)", "Q4 (Overall - Value)")
        path = workbook(tmp_path, [*WHO, *questions], [1, "T", "A", ANN, "x", 1, "y", 2])
        assert read(path).reviews.table["score"].to_list() == ["1"]

    def test_a_mapped_column(self, path: Path):
        choice = {
            "columns": {"reviewer": "Reviewer Name"},
            "score_fields": ("Q3 (novelty - value)",),
        }
        part = read(path, **choice)
        assert part.reviews.table.select("reviewer", "score").rows() == [("Ann", "1"), ("Ann", "5")]
        assert part.recognised == "r.xls: sheet 'Main': CMT reviews, scores from 'Q3 (Novelty)'"


class TestReviewers:
    def test_names_where_there_are_no_addresses(self, tmp_path: Path):
        header = ["Paper ID", "Paper Title", "Reviewer Name", *OVERALL]
        part = read(workbook(tmp_path, header, [1, "T", "Ann Lee", "x", 3]))
        assert part.reviews.table["reviewer"].to_list() == ["Ann Lee"]
        assert part.notes == (
            "r.xls: sheet 'Main': no 'Reviewer Email': reviewers go by their names, so two of one name "
            "count as one",
        )
        empty = read(workbook(tmp_path, HEADER, [1, "T", "Ann Lee", None, "x", 3]))
        assert empty.reviews.table["reviewer"].to_list() == ["Ann Lee"]

    @pytest.mark.parametrize("number", [["Reviewer Number"], []], ids=["number", "nothing"])
    def test_without_either_each_review_has_a_reviewer_of_its_own(
        self, tmp_path, number: list[str]
    ):
        header = ["Paper ID", *number, *OVERALL]
        rows = ([paper, *(n for _ in number), "x", 3] for paper, n in ((1, 21), (12, 1)))
        part = read(workbook(tmp_path, header, *rows))
        assert part.reviews.table["reviewer"].n_unique() == 2
        assert "no review says who wrote it: each counts as a reviewer of its own" in part.notes[0]

    def test_a_missing_address_is_refused_at_its_place(self, tmp_path: Path):
        rows = [1, "T", "Ann", ANN, "x", 3], [2, "U", "Ann", None, "x", 3]
        with refused("r.xls, sheet 'Main', row 5 has no 'Reviewer Email'"):
            import_files([workbook(tmp_path, HEADER, *rows)])


class TestOtherExports:
    @pytest.mark.parametrize(
        ("file", "words"),
        [
            ("MetaReviews.xls", "MetaReviews.xls: CMT meta-reviews \\(not used\\)"),
            ("ReviewRatings.txt", "ReviewRatings.txt: CMT ratings of reviews \\(not used\\)"),
        ],
    )
    def test_no_reviews_of_papers(self, file: str, words: str):
        with refused(words):
            import_files([FIXTURES / file])

    @pytest.mark.parametrize(
        "others",
        [
            [["to do"], ["call Ann"], ["buy milk"]],
            [["Paper ID", "Paper Title", "Track Name"], [1, "T", "Main"]],
        ],
        ids=["notes", "submissions"],
    )
    def test_reviews_behind_another_sheet(self, tmp_path: Path, others: list[list[object]]):
        reviews = [HEADER, [1, "T", "Ann", ANN, "x", 3]]
        part = read(xlsx_workbook(tmp_path / "Reviews.xlsx", Other=others, Main=reviews))
        assert part.reviews.table["score"].to_list() == ["3"]
        assert part.notes == ("Reviews.xlsx: sheet 'Other' left out: it holds no reviews",)

    @pytest.mark.parametrize(
        ("rows", "words"),
        [
            ([], r"r.xls: sheet 'Main': CMT reviews, holds no submitted reviews"),
            ([[1, "T", "A", "a@example.org"]], "no field is plainly the overall score"),
        ],
    )
    def test_no_reviews(self, tmp_path: Path, rows: list[list[object]], words: str):
        with refused(words):
            import_files([workbook(tmp_path, HEADER, *rows)])
