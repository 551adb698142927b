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
REVIEW = ("reviewer", "paper", "score", "title", "reviewer_name", "reviewer_email")


def read(path: Path, **options: object) -> FileContent:
    return read_as("cmt-reviews", path, **options)


def workbook(folder: Path, *rows: list[object]) -> Path:
    """One worksheet with a title in row 1, the first of `rows` as header in row 3, the rest below."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    return written(folder, "r.xls", spreadsheetml([["Example Conference"], [], *cells]))


def test_the_export_with_all_its_traps():
    part = read(FIXTURES / "Reviews.xls")
    both, why = "Rounding & Ranking", '"Why?" Asked the Reviewer'
    assert rows_of(part.reviews, *REVIEW, "review", "track", "confidence") == [
        (ZOE, "12", "5", both, "Zoë Ångström", ZOE, "1", "Main Track", "4"),
        (LI, "12", "3.5", both, "李 明", LI, "4", "Main Track", None),
        (LI, "7", "1", why, "李 明", LI, "3", "Main Track", "2"),
        (LEE, "31", "2", "A Demo", "Ann Lee", LEE, None, "Demos & Tools", None),
    ]
    assert places(part.reviews) == [
        "Reviews.xls, sheet 'Main Track', row 4",
        "Reviews.xls, sheet 'Main Track', row 5",
        "Reviews.xls, sheet 'Main Track', row 9",
        "Reviews.xls, sheet 'Demos & Tools', row 4",
    ]
    assert part.notes == ("Reviews.xls: 2 reviews without a score left out",)
    assert part.scale is None
    assert part.recognised == (
        "Reviews.xls: CMT reviews, scores from "
        "'Q10 (Please provide an \"overall score\" for this submission. - Value)' (its labels, "
        "'Q10 (Please provide an \"overall score\" for this submission.)', are not used) and "
        "'Q2 (Overall Rating - Value)' (its labels, 'Q2 (Overall Rating)', are not used)"
    )


def test_saved_as_csv_with_the_header_in_row_3():
    part = read(FIXTURES / "Reviews.csv")
    assert rows_of(part.reviews, *REVIEW) == [
        (ZOE, "12", "5", "Rounding, Ranking", "Zoë Ångström", ZOE),
        (LI, "12", "3.5", "Rounding, Ranking", "李 明", LI),
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


@pytest.mark.parametrize(
    ("above", "delimiter"),
    [("", ","), ("", ";"), ("", "\t"), ("A, B, C, D, E, F, G, H, 2021\r\n", "\t")],
    ids=["commas", "semicolons", "tabs", "tabs below a title with commas"],
)
def test_saved_as_text(tmp_path: Path, above: str, delimiter: str):
    rows = [HEADER, ["1", "T", "Ann", ANN, "Good", "4"]]
    text = above + "\r\n".join(delimiter.join(cells) for cells in rows)
    part = read(written(tmp_path, "reviews.txt", text))
    assert part.reviews.table.select("reviewer", "score").rows() == [(ANN, "4")]


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
                {},
                r"r.xls, sheet 'Main': 2 questions ask for an overall score: "
                r"Q1 \(Overall rating before the rebuttal\), Q12 \(.*\); choose one with --field Q1",
            ),
            ({"score_fields": ("rebuttal",)}, r"'rebuttal' could be Q1 \(.*\), Q12 \(.*\)"),
            (
                {"score_fields": ("merit",)},
                r"no question with values is called 'merit'; the questions with values are "
                r"Q1 \(.*\), Q12 \(.*\), Q3 \(Novelty\); choose with --field Q1, or words of it",
            ),
            ({"score_fields": ("Q4",)}, r"Q4 \(Comments\) has no '- Value' column"),
            ({"columns": {"score": "Q77"}}, "has no column 'Q77'; found: Paper ID, Paper Title"),
        ],
        ids=["two questions", "two that fit", "unknown", "no values", "unknown column"],
    )
    def test_what_cannot_be_chosen(self, path: Path, options: dict[str, object], words: str):
        with refused(words):
            read(path, **options)

    def test_no_overall_question(self, tmp_path: Path):
        header = [*WHO, "Q3 (Novelty)", "Q3 (Novelty - Value)", "Q4 (Overall score)"]
        path = workbook(tmp_path, header, [1, "T", "A", ANN, "x", 1, "y"])
        with refused(
            r"no question with values asks for an overall score; the questions with values "
            r"are Q3 \(Novelty\)"
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
        final = *questions, "Q5 (Final rating)", "Q5 (Final rating - Value)"
        path = workbook(tmp_path, [*WHO, *final], [1, "T", "A", ANN, "x", 1, "y", 2, "z", 3])
        with refused(r"2 questions ask for an overall score: Q3 .*, Q5 \(Final rating\)"):
            read(path)

    def test_a_mapped_column(self, path: Path):
        part = read(path, columns={"score": "Q3 (novelty - value)", "reviewer": "Reviewer Name"})
        assert part.reviews.table.select("reviewer", "score").rows() == [("Ann", "1"), ("Ann", "5")]
        assert part.recognised == "r.xls: CMT reviews, scores from 'Q3 (novelty - value)'"


class TestReviewers:
    def test_names_where_there_are_no_addresses(self, tmp_path: Path):
        header = ["Paper ID", "Paper Title", "Reviewer Name", *OVERALL]
        part = read(workbook(tmp_path, header, [1, "T", "Ann Lee", "x", 3]))
        assert part.reviews.table["reviewer"].to_list() == ["Ann Lee"]
        assert part.notes == (
            "r.xls: no column 'Reviewer Email': reviewers go by their names, "
            "so two of one name count as one",
        )
        empty = read(workbook(tmp_path, HEADER, [1, "T", "Ann Lee", None, "x", 3]))
        assert empty.reviews.table["reviewer"].to_list() == ["Ann Lee"]

    @pytest.mark.parametrize("number", [["Reviewer Number"], []], ids=["number", "nothing"])
    def test_neither_is_refused(self, tmp_path: Path, number: list[str]):
        header = ["Paper ID", *number, *OVERALL]
        path = workbook(tmp_path, header, [1, *(1 for _ in number), "x", 3])
        with refused(
            r"r.xls does not say who wrote the reviews: it has neither 'Reviewer Email' nor "
            r"'Reviewer Name'.*--column reviewer="
        ):
            read(path)

    def test_a_missing_address_is_found_by_the_checks_at_its_place(self, tmp_path: Path):
        rows = [1, "T", "Ann", ANN, "x", 3], [2, "U", "Ann", None, "x", 3]
        imported = import_files([workbook(tmp_path, HEADER, *rows)])
        assert imported.reviews["reviewer"].to_list() == [ANN, None]
        assert imported.place("reviews", 1) == "r.xls, sheet 'Main', row 5"


class TestOtherExports:
    @pytest.mark.parametrize(
        ("file", "words"),
        [
            ("MetaReviews.xls", "MetaReviews.xls is CMT's export of meta-reviews.*Reviews"),
            ("ReviewRatings.txt", "ReviewRatings.txt is CMT's export of review ratings"),
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
            ([], r"r.xls \(CMT reviews\) holds no reviews; in the chair's console"),
            ([[1, "T", "A", "a@example.org"]], "holds no reviews with a score: 1 have none"),
        ],
    )
    def test_no_reviews(self, tmp_path: Path, rows: list[list[object]], words: str):
        with refused(words):
            read(workbook(tmp_path, HEADER, *rows))
