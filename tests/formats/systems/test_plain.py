"""Plain tables: the guess of columns, and what a table may hold."""

import json
import os
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.given_files import imported, places, read_as, refused, rows_of, written
from unround import check
from unround.formats.files.delimited import ragged_records
from unround.formats.files.source import Source
from unround.formats.files.tables import read_table
from unround.formats.importer import import_files
from unround.formats.model import FileContent, Options
from unround.formats.systems.plain.wide import NUMBERED

EXAMPLES = Path(__file__).parents[3] / "examples"
FIXTURES = Path(__file__).parents[1] / "fixtures" / "plain"
TABLE = pl.DataFrame(
    {"reviewer": ["zoë", "zoë", "李明"], "paper": [12, 7, 7], "score": [5.0, 3.5, 3.0]}
)


def read(path: Path, name: str = "csv-tables", **options: object) -> FileContent:
    return read_as(name, path, **options)


def read_text(folder: Path, text: str, name: str = "csv-tables", **options: object) -> FileContent:
    return read_as(name, written(folder, "table.csv", text), **options)


def test_a_csv_with_all_its_traps():
    part = read(FIXTURES / "reviews.csv")
    columns = ("reviewer", "paper", "score", "title", "area_chair", "confidence")
    assert rows_of(part.reviews, *columns) == [
        ("zoë", "12", "5", 'Rounding, "Ranking"', "chair-1", "4"),
        ("zoë", "7", "3.5", "Why?", "chair-2", "2"),
        ("李明", "7", "3", "Why?", "chair-2", "1"),
    ]
    # The first review takes three lines, and a line is empty.
    assert places(part.reviews) == [f"reviews.csv, line {line}" for line in (2, 6, 8)]
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
        part = read_text(tmp_path, "reviewer,paper,score,merit\nann,1,5,2\n", **options)
        assert part.reviews.table["score"].to_list() == ["2"]
        assert "score from 'merit'" in part.recognised

    def test_a_table_of_other_names_is_read_by_mapping(self, tmp_path: Path):
        text = "Gutachter;Beitrag;Note\nann;1;5\n"
        names = {"reviewer": "Gutachter", "paper": "Beitrag", "score": "Note"}
        found = imported(tmp_path, text, columns=names)
        assert found.reviews.rows() == [("ann", 1, 5)]
        assert found.recognised == (
            "t.csv: table (reviewer from 'Gutachter', paper from 'Beitrag', score from 'Note')",
        )
        with refused(
            r"t.csv: no column is the reviewer or the paper: 'Note' was taken for the score; "
            r"nothing is known of 'Gutachter', 'Beitrag'. Name what is missing: --column reviewer=.. "
            r"--column paper="
        ):
            imported(tmp_path, text, columns={"score": "Note"})
        with refused(r"--column points=..: unknown; choose among reviewer, paper"):
            imported(tmp_path, text, columns={"points": "Note"})

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"columns": {"score": "Merit"}}, "--column score=Merit"),
            ({"score_fields": ("Merit",)}, "--field Merit"),
        ],
    )
    def test_a_name_that_no_file_has(self, tmp_path: Path, options: dict[str, object], said: str):
        ranks = "reviewer,paper,rank\nann,1,5\n"
        with refused(
            rf"{said}: no file has the column 'Merit'; found in t.csv: reviewer, paper, "
            r"score; ranks.csv: reviewer, paper, rank"
        ):
            imported(tmp_path, "reviewer,paper,score\nann,1,5\n", ranks, **options)

    def test_fields_are_tried_in_the_order_given(self, tmp_path: Path):
        text = (
            "reviewer,paper,initial score,final score\na,1,3,\nb,1,4,5\na,2,2,n/a\nb,2,9,1\nb,3,,\n"
        )
        fields = ("final score", "initial score")
        found = imported(tmp_path, text, score_fields=fields, missing={"score": "9,1"})
        assert found.reviews["score"].to_list() == [3, 5, 2]
        found = imported(tmp_path, text, score_fields=fields)
        assert found.reviews["score"].to_list() == [3, 5, 2, 1]
        assert "score from 'final score, else initial score'" in found.recognised[0]
        assert found.notes == (
            "t.csv: 2 scores taken from 'initial score', where 'final score' is empty",
            "t.csv: 1 review without a score left out",
        )
        numbers = pl.DataFrame(
            {"reviewer": ["a", "b"], "paper": [1, 1], "x": [1, 2], "y": [None, 4.5]}
        )
        numbers.write_parquet(tmp_path / "n.parquet")
        found = import_files([tmp_path / "n.parquet"], options=Options(score_fields=("y", "x")))
        assert found.reviews["score"].to_list() == [1.0, 4.5]

    def test_a_choice_between_phases_offers_both_in_order(self, tmp_path: Path):
        for first, last in (("initial score", "final score"), ("merit", "Updated merit")):
            text = f"reviewer,paper,{first},{last}\na,1,3,\n"
            with refused(rf"--field '{last}' --field '?{first}'? for the first that is filled"):
                imported(tmp_path, text)

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"score_fields": ("score", "skore")}, "--field skore: no file has the column 'skore'"),
            (
                {"columns": {"score": "score"}, "score_fields": ("score",)},
                "--column score=score and --field score both name the score",
            ),
        ],
    )
    def test_no_choice_of_a_score_goes_unnoticed(self, tmp_path: Path, options, said: str):
        with refused(said):
            imported(tmp_path, "reviewer,paper,score\nann,1,5\n", **options)

    @pytest.mark.parametrize(
        ("example", "options", "said"),
        [
            ("openreview", {"columns": {"score": "merit"}}, "in the field merit"),
            ("conference", {"ranker": "ann"}, "--ranker ann would change nothing"),
            ("cmt", {"count_drafts": True}, "--count-drafts would change nothing"),
            ("openreview", {"columns": {"paper": "id"}}, "none of the files is a table"),
            (
                "hotcrp/hotcrp-reviews.csv",
                {"columns": {"paper": "pip"}},
                "--column paper=pip: no file",
            ),
            ("cmt", {"columns": {"track": "Trak"}}, "--column track=Trak: no file has the column"),
        ],
    )
    def test_other_systems_refuse_names_that_they_do_not_find(self, example, options, said: str):
        with refused(said):
            import_files([EXAMPLES / example], options=Options(**options))

    def test_every_table_has_a_score_that_was_named(self, tmp_path: Path):
        other = written(tmp_path, "b.csv", "reviewer,paper,score\nbob,1,5\n")
        path = written(tmp_path, "a.csv", "reviewer,paper,merit\nann,1,4\n")
        with refused(r"b.csv has no column 'merit'; .* --field merit --field score"):
            import_files([path, other], options=Options(score_fields=("merit",)))
        found = import_files([path, other], options=Options(score_fields=("merit", "score")))
        assert sorted(found.reviews["score"]) == [4, 5]

    def test_a_name_that_one_of_the_files_has(self, tmp_path: Path):
        reviews, ranks = "who,paper,score\nann,1,5\nann,2,5\n", "reviewer,paper,rank\nann,1,1\n"
        found = imported(tmp_path, reviews, ranks, columns={"reviewer": "who"})
        assert found.rankings[0].rows() == [("ann", 1, 1)]

    def test_names_that_stand_twice_or_not_at_all(self, tmp_path: Path):
        with refused(
            r"t.csv has the column 'score' more than once; keep one of them, or name "
            r"another with --column score=.."
        ):
            imported(tmp_path, "reviewer,paper,score,score\nann,1,5,4\n")
        found = imported(tmp_path, "reviewer,paper,score,title,title\nann,1,5,x,y\n")
        assert found.reviews.columns == ["reviewer", "paper", "score"]
        found = imported(tmp_path, "reviewer,,paper,score,\nann,x,1,5,\n")
        assert found.reviews.rows() == [("ann", 1, 5)]


class TestScores:
    @pytest.mark.parametrize(
        "blank", ["", " ", "No entry", "N/A", "n/a", "undefined", "null", "-", "NaN"]
    )
    def test_reviews_without_a_score_are_left_out_and_counted(self, tmp_path: Path, blank: str):
        text = f"reviewer,paper,score\nann,1,{blank}\nann,2,4\nbob,1,{blank}\n"
        part = read_text(tmp_path, text)
        assert part.reviews.table.rows() == [("ann", "2", "4")]
        assert part.reviews.place(0) == "table.csv, line 3"
        assert part.notes == ("table.csv: 2 reviews without a score left out",)

    def test_json_lines_of_mixed_kinds(self, tmp_path: Path):
        records = [
            {"reviewer": "a", "paper": 1, "score": 3, "extra": [1]},
            {"reviewer": 5, "paper": "2", "score": "4: fine"},
            {"reviewer": "c", "paper": 2, "score": None},
        ]
        part = read(written(tmp_path, "r.jsonl", "\n".join(map(json.dumps, records))))
        assert part.reviews.table.rows() == [("a", "1", "3"), ("5", "2", "4")]
        assert part.notes == ("r.jsonl: 1 review without a score left out",)


class TestStatements:
    @pytest.mark.parametrize("blank", ["", "-", "x", "X", "unranked", "None", "n/a"])
    def test_ways_to_say_unranked(self, tmp_path: Path, blank: str):
        text = f"reviewer,paper,rank\nann,1,1\nann,2,{blank}\n"
        part = read_text(tmp_path, text, "csv-tables")
        assert part.ranks.table.rows() == [("ann", "1", "1")]
        nobody = read_text(tmp_path, text.replace("1,1", f"1,{blank}"), "csv-tables")
        assert nobody.ranks.table.is_empty()

    def test_rank_0_is_a_rank(self, tmp_path: Path):
        frame = {"reviewer": ["a"] * 3, "paper": [1, 2, 3], "rank": [0, None, 1]}
        pl.DataFrame(frame).write_parquet(tmp_path / "r.parquet")
        part = read(tmp_path / "r.parquet", "csv-tables", missing={"rank": ""})
        assert part.ranks.table.rows() == [("a", 1, 0), ("a", 3, 1)]

    def test_a_table_with_score_and_rank(self, tmp_path: Path):
        part = read_text(tmp_path, "reviewer,paper,score,rank\nann,1,5,1\nann,2,5,\nann,3,,2\n")
        assert part.reviews.table.rows() == [("ann", "1", "5"), ("ann", "2", "5")]
        assert part.ranks.table.rows() == [("ann", "1", "1"), ("ann", "3", "2")]
        assert part.ranks.place(1) == "table.csv, line 4"
        assert part.recognised == "table.csv: table (reviewer, paper, score, rank)"

    @pytest.mark.parametrize(
        ("header", "role"),
        [("reviewer,better,worse", "pairs"), ("reviewer,paper,same_as", "same")],
    )
    def test_statements_about_two_papers(self, tmp_path: Path, header: str, role: str):
        part = read_text(tmp_path, f"{header}\nann,1,2\n", "csv-tables")
        assert getattr(part, role).table.rows() == [("ann", "1", "2")]
        assert part.recognised == f"table.csv: table ({header.replace(',', ', ')})"


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
        lists = TABLE.with_columns(reviewer=pl.Series([["a"], ["b"], ["c"]]))
        lists.write_parquet(tmp_path / "r.parquet")
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


# Tables of public scores, which number the reviews of each paper and name no reviewers.
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


def test_several_conferences_are_refused(tmp_path: Path):
    header = "venue,year,paper,review_index,score\n"
    with refused("several conferences, by venue and year; keep the rows of one"):
        import_files([scores_csv(tmp_path, "ICLR,2025,a,0,4\nICLR,2026,b,0,4\n", header)])


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
