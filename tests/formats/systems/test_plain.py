"""Plain tables: every file kind, the guess of columns, and what a table may hold."""

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.formats.given_files import read_as, refused, workbook
from unround.formats.files.delimited import ragged_records
from unround.formats.files.source import Source
from unround.formats.files.tables import read_table
from unround.formats.importer import import_files
from unround.formats.model import FileContent, Options

FIXTURES = Path(__file__).parents[1] / "fixtures" / "plain"
TABLE = pl.DataFrame(
    {"reviewer": ["zoë", "zoë", "李明"], "paper": [12, 7, 7], "score": [5.0, 3.5, 3.0]}
)


def read(path: Path, name: str = "csv-reviews", **options: object) -> FileContent:
    return read_as(name, path, **options)


def csv(folder: Path, text: str, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_text(text, "utf-8", newline="")
    return path


def write_text(delimiter: str, encoding: str = "utf-8", end: str = "\n") -> Callable[[Path], None]:
    lines = [delimiter.join(map(str, row)) for row in [TABLE.columns, *TABLE.rows()]]
    return lambda path: path.write_bytes((end.join(lines) + end).encode(encoding)) and None


def write_named_list(path: Path) -> None:
    path.write_text(f'{{"venue": "X", "reviews": {TABLE.write_json()}}}', "utf-8")


# How each kind of file is written, and where its third review stands.
KINDS: dict[str, tuple[Callable[[Path], object], str]] = {
    "csv": (write_text(","), "line 4"),
    "tsv": (write_text("\t"), "line 4"),
    "semicolons": (write_text(";"), "line 4"),
    "mark": (write_text(",", "utf-8-sig"), "line 4"),
    "windows": (write_text(",", end="\r\n"), "line 4"),
    "utf-16": (write_text("\t", "utf-16", "\r\n"), "line 4"),
    "xlsx": (
        lambda path: workbook(path, Sheet1=[TABLE.columns, *TABLE.rows()]),
        "sheet 'Sheet1', row 4",
    ),
    "json": (TABLE.write_json, "record 3"),
    "json object": (write_named_list, "'reviews', record 3"),
    "json lines": (TABLE.write_ndjson, "line 3"),
    "parquet": (TABLE.write_parquet, "row 3"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_file_kind_gives_the_same_table(tmp_path: Path, kind: str):
    """Whatever its name."""
    write, place = KINDS[kind]
    path = tmp_path / "table.dat"
    write(path)
    imported = import_files([path])
    assert_frame_equal(imported.reviews, TABLE)
    assert imported.place("reviews", 2) == f"table.dat, {place}"


def test_a_csv_with_all_its_traps():
    part = read(FIXTURES / "reviews.csv")
    assert_frame_equal(
        part.reviews.table,
        pl.DataFrame(
            {
                "reviewer": ["zoë", "zoë", "李明"],
                "paper": ["12", "7", "7"],
                "score": ["5", "3.5", "3"],
                "title": ['Rounding, "Ranking"', "Why?", "Why?"],
                "area_chair": ["chair-1", "chair-2", "chair-2"],
                "confidence": ["4", "2", "1"],
            }
        ),
    )
    # The first review takes three lines, and a line is empty.
    assert [part.reviews.place(row) for row in range(3)] == [
        "reviews.csv, line 2",
        "reviews.csv, line 6",
        "reviews.csv, line 8",
    ]
    assert part.notes == ("reviews.csv: 1 review without a score left out",)
    assert part.recognised == (
        "reviews.csv: table (reviewer from 'Reviewer ID', paper from 'Paper', "
        "score from 'Overall Score')"
    )


class TestColumns:
    @pytest.mark.parametrize(
        "options", [{"columns": {"score": "merit"}}, {"score_fields": ("final", "merit")}]
    )
    def test_what_the_user_names_goes_before_guessing(
        self, tmp_path: Path, options: dict[str, object]
    ):
        path = csv(tmp_path, "reviewer,paper,score,merit\nann,1,5,2\n")
        part = read(path, **options)
        assert part.reviews.table["score"].to_list() == ["2"]
        assert "score from 'merit'" in part.recognised

    def test_a_table_of_other_names_is_read_by_mapping(self, tmp_path: Path):
        path = csv(tmp_path, "Gutachter;Beitrag;Note\nann;1;5\n")
        options = Options(columns={"reviewer": "Gutachter", "paper": "Beitrag", "score": "Note"})
        imported = import_files([path], options=options)
        assert imported.reviews.rows() == [("ann", 1, 5)]
        assert imported.recognised == (
            "table.csv: table (reviewer from 'Gutachter', paper from 'Beitrag', score from 'Note')",
        )

    def test_half_a_mapping_says_what_is_lacking(self, tmp_path: Path):
        path = csv(tmp_path, "Gutachter;Beitrag;Note\nann;1;5\n")
        with refused(
            r"table.csv: no column is the reviewer or the paper: 'Note' was taken for the score; "
            r"nothing is known of 'Gutachter', 'Beitrag'. Name what is missing: --column reviewer=.. "
            r"--column paper="
        ):
            import_files([path], options=Options(columns={"score": "Note"}))

    def test_an_unknown_name_of_ours(self, tmp_path: Path):
        path = csv(tmp_path, "reviewer,paper,score\nann,1,5\n")
        with refused(r"--column points=..: unknown; choose among reviewer, paper"):
            read(path, columns={"points": "score"})

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            (Options(columns={"score": "Merit"}), "--column score=Merit"),
            (Options(score_fields=("Merit",)), "--field Merit"),
        ],
    )
    def test_a_name_that_no_file_has(self, tmp_path: Path, options: Options, said: str):
        one = csv(tmp_path, "reviewer,paper,score\nann,1,5\n")
        two = csv(tmp_path, "reviewer,paper,rank\nann,1,5\n", "ranks.csv")
        with refused(
            rf"{said}: no file has the column 'Merit'; found in table.csv: reviewer, paper, "
            r"score; ranks.csv: reviewer, paper, rank"
        ):
            import_files([one], [two], options)

    def test_a_name_that_one_of_the_files_has(self, tmp_path: Path):
        one = csv(tmp_path, "who,paper,score\nann,1,5\nann,2,5\n")
        two = csv(tmp_path, "reviewer,paper,rank\nann,1,1\n", "ranks.csv")
        imported = import_files([one], [two], Options(columns={"reviewer": "who"}))
        assert imported.rankings[0].rows() == [("ann", 1, 1)]

    def test_a_name_that_stands_twice(self, tmp_path: Path):
        path = csv(tmp_path, "reviewer,paper,score,score\nann,1,5,4\n")
        with refused(
            r"table.csv has the column 'score' more than once; keep one of them, or name "
            r"another with --column score=.."
        ):
            import_files([path])
        path = csv(tmp_path, "reviewer,paper,score,title,title\nann,1,5,x,y\n")
        assert import_files([path]).reviews.columns == ["reviewer", "paper", "score"]

    def test_columns_without_a_name_are_passed_over(self, tmp_path: Path):
        path = csv(tmp_path, "reviewer,,paper,score,\nann,x,1,5,\n")
        assert import_files([path]).reviews.rows() == [("ann", 1, 5)]


class TestScores:
    @pytest.mark.parametrize(
        "blank", ["", " ", "No entry", "N/A", "n/a", "undefined", "null", "-", "NaN"]
    )
    def test_reviews_without_a_score_are_left_out_and_counted(self, tmp_path: Path, blank: str):
        path = csv(tmp_path, f"reviewer,paper,score\nann,1,{blank}\nann,2,4\nbob,1,{blank}\n")
        part = read(path)
        assert part.reviews.table.rows() == [("ann", "2", "4")]
        assert part.reviews.place(0) == "table.csv, line 3"
        assert part.notes == ("table.csv: 2 reviews without a score left out",)

    @pytest.mark.parametrize(
        ("cells", "scores"),
        [
            (["1", "2"], [1, 2]),
            (["1", "2.5"], [1.0, 2.5]),
            (["3.0", "4.00"], [3, 4]),
            (["A", "B"], ["A", "B"]),
            (["6: weak accept", "3.5 = borderline"], [6.0, 3.5]),
            (["3 good", "+2"], [3, 2]),
            (["1", "B"], ["1", "B"]),
            (["1e3", "1"], ["1e3", "1"]),
            (["007", "1"], [7, 1]),
        ],
    )
    def test_kinds(self, tmp_path: Path, cells: list[str], scores: list[object]):
        rows = "".join(f"r{number},1,{cell}\n" for number, cell in enumerate(cells))
        imported = import_files([csv(tmp_path, "reviewer,paper,score\n" + rows)])
        assert imported.reviews["score"].to_list() == scores

    def test_json_lines_of_mixed_kinds(self, tmp_path: Path):
        records = [
            {"reviewer": "a", "paper": 1, "score": 3, "extra": [1]},
            {"reviewer": 5, "paper": "2", "score": "4: fine"},
            {"reviewer": "c", "paper": 2, "score": None},
        ]
        path = csv(tmp_path, "\n".join(map(json.dumps, records)), "r.jsonl")
        part = read(path)
        assert part.reviews.table.rows() == [("a", "1", "3"), ("5", "2", "4")]
        assert part.notes == ("r.jsonl: 1 review without a score left out",)


class TestStatements:
    def test_ranks_where_empty_means_unranked(self):
        part = read(FIXTURES / "rankings.tsv", "csv-rankings")
        assert part.ranks.table.rows() == [
            ("zoë", "12", "1"),
            ("zoë", "7", "2"),
            ("李明", "7", "1"),
        ]
        assert part.ranks.place(2) == "rankings.tsv, line 5"

    @pytest.mark.parametrize("blank", ["", "-", "x", "X", "unranked", "None", "n/a"])
    def test_ways_to_say_unranked(self, tmp_path: Path, blank: str):
        path = csv(tmp_path, f"reviewer,paper,rank\nann,1,1\nann,2,{blank}\n")
        part = read(path, "csv-rankings")
        assert part.ranks.table.rows() == [("ann", "1", "1")]

    def test_nobody_ranks(self, tmp_path: Path):
        part = read(csv(tmp_path, "reviewer,paper,rank\nann,1,\nann,2,\n"), "csv-rankings")
        assert part.ranks.table.is_empty()

    def test_rank_0_is_a_rank(self, tmp_path: Path):
        frame = {"reviewer": ["a"] * 3, "paper": [1, 2, 3], "rank": [0, None, 1]}
        pl.DataFrame(frame).write_parquet(tmp_path / "r.parquet")
        part = read_as("csv-rankings", tmp_path / "r.parquet", missing={"rank": ""})
        assert part.ranks.table.rows() == [("a", 1, 0), ("a", 3, 1)]

    def test_a_table_with_score_and_rank(self, tmp_path: Path):
        path = csv(tmp_path, "reviewer,paper,score,rank\nann,1,5,1\nann,2,5,\nann,3,,2\n")
        part = read(path)
        assert part.reviews.table.rows() == [("ann", "1", "5"), ("ann", "2", "5")]
        assert part.ranks.table.rows() == [("ann", "1", "1"), ("ann", "3", "2")]
        assert part.ranks.place(1) == "table.csv, line 4"
        assert part.recognised == "table.csv: table (reviewer, paper, score, rank)"

    @pytest.mark.parametrize(
        ("header", "role"),
        [("reviewer,better,worse", "pairs"), ("reviewer,paper,same_as", "same")],
    )
    def test_statements_about_two_papers(self, tmp_path: Path, header: str, role: str):
        part = read(csv(tmp_path, f"{header}\nann,1,2\n"), "csv-rankings")
        assert getattr(part, role).table.rows() == [("ann", "1", "2")]
        assert part.recognised == f"table.csv: table ({header.replace(',', ', ')})"

    def test_papers(self):
        part = read(FIXTURES / "papers.csv", "csv-papers")
        assert part.papers.table.columns == ["paper", "title", "track", "decision"]
        assert part.papers.table.rows()[0] == ("12", "Rounding and Ranking", "Theory", "Accept")
        assert part.recognised == "papers.csv: table (paper from 'pid')"


class TestParquet:
    def test_columns_that_are_no_single_values(self, tmp_path: Path):
        frame = TABLE.with_columns(
            title=pl.lit("T").cast(pl.Categorical),
            reviews=pl.Series([[1], [2, 3], []]),
            raw=pl.Series([b"\xff", b"", None]),
            more=pl.struct("paper"),
        )
        frame.write_parquet(tmp_path / "r.parquet")
        part = read(tmp_path / "r.parquet")
        assert part.reviews.table.columns == ["reviewer", "paper", "score", "title"]

    def test_a_list_of_reviewers_is_lacking(self, tmp_path: Path):
        frame = TABLE.with_columns(reviewer=pl.Series([["a"], ["b"], ["c"]]))
        frame.write_parquet(tmp_path / "r.parquet")
        with refused(r"no column is the reviewer: 'paper' was taken for the"):
            read(tmp_path / "r.parquet")

    @pytest.mark.parametrize("length", [4, 100, 400])
    def test_cut_off(self, tmp_path: Path, length: int):
        path = tmp_path / "r.parquet"
        TABLE.write_parquet(path)
        path.write_bytes(path.read_bytes()[:length])
        with refused(r"r.parquet is not a readable Parquet file"):
            import_files([path])

    def test_a_panic_of_the_reader_is_a_problem(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        """Damaged pages can make the reader panic, which is no Exception."""

        def panic(*_: object, **__: object) -> None:
            raise pl.exceptions.PanicException("index out of bounds")

        TABLE.write_parquet(tmp_path / "r.parquet")
        monkeypatch.setattr(pl, "read_parquet", panic)
        with refused(r"r.parquet is not a readable Parquet file: index out"):
            import_files([tmp_path / "r.parquet"])

    def test_more_rows_than_fit(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        TABLE.write_parquet(tmp_path / "r.parquet")
        monkeypatch.setattr("unround.formats.files.tables.MOST_PARQUET_ROWS", 2)
        with refused(r"r.parquet has 3 rows; at most 2 are read"):
            import_files([tmp_path / "r.parquet"])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@given(cells=st.lists(st.tuples(*[st.text("ab 1.-", max_size=4)] * 3), min_size=0, max_size=6))
def test_plain_and_careful_reading_agree(tmp_path_factory, cells, delimiter, end):
    """Files without quotation marks are read all at once: as the careful reader would read them."""
    path = tmp_path_factory.mktemp("plain") / "t.csv"
    lines = [delimiter.join(row) for row in [("reviewer", "paper", "score"), *cells]]
    path.write_text(end.join(lines) + end, newline="")
    (_, header), *careful = ragged_records(Source(path))
    found = read_table(Source(path))
    assert [found.column(name).to_list() for name in header] == [
        [cells[place].strip() for _, cells in careful] for place in range(len(header))
    ]
    assert [found.place(row) for row in range(len(careful))] == [
        f"t.csv, line {line}" for line, _ in careful
    ]
