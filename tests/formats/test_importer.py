"""Several files as one conference: order, places, kinds of ids and scores, and who reads what."""

from pathlib import Path
from random import Random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import unround
from tests.formats.given_files import imported, refused, written
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.formats.model import Options
from unround.formats.registry import readers
from unround.formats.systems.plain import READER, has_own_names
from unround.formats.systems.plain.columns import REVIEWS, STATEMENTS, SYNONYMS

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    return [
        written(tmp_path, "one.csv", "reviewer,paper,score,title\nann,10,3,Ten\nann,9,4,Nine\n"),
        written(tmp_path, "two.csv", "rating,email,pid\n5,bob,9\n2,eve,10\n"),
    ]


class TestJoining:
    def test_reviews_of_several_files(self, two: list[Path]):
        told: list[tuple[int, int]] = []
        found = import_files(two, progress=lambda done, total: told.append((done, total)))
        assert told == [(1, 2), (2, 2)]
        assert_frame_equal(
            found.reviews,
            pl.DataFrame(
                {
                    "reviewer": ["ann", "ann", "bob", "eve"],
                    "paper": [10, 9, 9, 10],
                    "score": [3, 4, 5, 2],
                    "title": ["Ten", "Nine", None, None],
                }
            ),
        )
        assert [found.place("reviews", row) for row in range(4)] == [
            f"{file.name}, line {line}" for file in two for line in (2, 3)
        ]
        assert found.files == tuple(two)
        assert len(found.recognised) == 2

    def test_places_after_an_empty_file(self, tmp_path: Path, two: list[Path]):
        none = written(tmp_path, "none.csv", "reviewer,paper,score\n")
        assert import_files([two[0], none, two[1]]).place("reviews", 2) == "two.csv, line 2"

    def test_rankings_of_every_kind(self, tmp_path: Path, two: list[Path]):
        rankings = [
            written(tmp_path, "pairs.csv", "reviewer,better,worse\nbob,9,10\n"),
            written(tmp_path, "same.csv", "reviewer,paper,same_as\nann,9,10\n"),
            written(tmp_path, "ranks.csv", "reviewer,paper,rank\nann,9,1\nann,10,2\n"),
            written(tmp_path, "more.csv", "reviewer,paper,rank\neve,10,1\n"),
        ]
        found = import_files(two, rankings)
        ranks, pairs = found.rankings
        assert ranks.rows() == [("ann", 9, 1), ("ann", 10, 2), ("eve", 10, 1)]
        assert pairs.rows() == [("bob", 9, 10)]
        assert found.same.rows() == [("ann", 9, 10)]
        assert found.place("rankings[0]", 2) == "more.csv, line 2"
        assert found.place("rankings[1]", 0) == "pairs.csv, line 2"
        assert found.place("rankings", 0) == "ranks.csv, line 2"
        assert found.place("same", 0) == "same.csv, line 2"

    def test_one_file_as_reviews_and_as_ranking(self, tmp_path: Path):
        path = written(tmp_path, "both.csv", "reviewer,paper,score,rank\nann,1,3,1\nann,2,3,2\n")
        found = import_files([path], [path])
        assert found.reviews.height == 2
        assert found.rankings[0].height == 2
        assert found.files == (path,)

    def test_places_of_issues_are_those_of_the_files(self, tmp_path: Path, two: list[Path]):
        ranks = "reviewer,paper,rank\nann,9,2\n\nann,10,1\nzed,9,1\n"
        found = import_files(two, [written(tmp_path, "ranks.csv", ranks)])
        places = {
            str(issue.kind): [found.place(issue.table, row) for row in issue.rows]
            for issue in unround.check(found.reviews, found.rankings)
        }
        assert places["unreviewed"] == ["ranks.csv, line 5"]
        assert "contradiction" in places

    def test_parquet_beside_text(self, tmp_path: Path, two: list[Path]):
        frame = pl.DataFrame({"reviewer": ["kim"], "paper": [11], "score": [4.5]})
        frame.write_parquet(tmp_path / "r.parquet")
        table = import_files([two[0], tmp_path / "r.parquet"]).reviews
        assert table["score"].to_list() == [3.0, 4.0, 4.5]
        assert table["paper"].to_list() == [10, 9, 11]


class TestIds:
    HEADER = "reviewer,paper,score\n"

    @pytest.mark.parametrize(
        ("ranked", "papers"),
        [("10", pl.Series([9, 10])), ("ten", pl.Series(["10", "9"]))],
        ids=["integers if all are", "text if one is not"],
    )
    def test_kinds(self, tmp_path: Path, ranked: str, papers: pl.Series):
        ranks = f"reviewer,paper,rank\n1,{ranked},1\n"
        found = imported(tmp_path, f"{self.HEADER}1,10,3\n2,9,3\n", ranks)
        for table in (found.reviews, found.rankings[0]):
            assert table.schema["reviewer"] == pl.Int64
            assert table.schema["paper"] == papers.dtype
        assert found.papers["paper"].to_list() == papers.to_list()

    @pytest.mark.parametrize("odd", ["007", "1.0", "+1", "1e3", "12345678901234567890", "-0", "١"])
    def test_what_looks_like_a_number_but_may_not_be_one(self, tmp_path: Path, odd: str):
        table = imported(tmp_path, f"{self.HEADER}{odd},1,3\n2,1,3\n").reviews
        assert table["reviewer"].to_list() == [odd, "2"]

    def test_negative_and_large_ids(self, tmp_path: Path):
        table = imported(tmp_path, f"{self.HEADER}-5,123456789012345678,3\n").reviews
        assert table.row(0) == (-5, 123456789012345678, 3)

    def test_a_missing_id_stays_missing(self, tmp_path: Path):
        found = imported(tmp_path, f"{self.HEADER}1,,3\n2,9,3\n")
        rows = [row for issue in unround.check(found.reviews) for row in issue.rows]
        assert [found.place("reviews", row) for row in rows] == ["t.csv, line 2"]


class TestPapers:
    def test_titles_from_a_list_of_papers_beside_reviews_and_rankings(self):
        plain = FIXTURES / "plain"
        found = import_files(
            [plain / "papers.csv", plain / "reviews.csv"],
            [plain / "rankings.tsv"],
            Options(match_ids="always"),  # one title was changed
        )
        assert found.papers.columns == ["paper", "title", "track", "area_chair", "decision"]
        assert found.papers.rows() == [
            (7, "Why?", "Systems", "chair-2", "Reject"),
            (12, "Rounding and Ranking", "Theory", "chair-1", "Accept"),
        ]
        assert "papers.csv: table (paper from 'pid')" in found.recognised
        assert found.rankings[0].rows() == [("zoë", 12, 1), ("zoë", 7, 2), ("李明", 7, 1)]
        assert found.place("rankings[0]", 2) == "rankings.tsv, line 5"

    def test_the_first_title_that_is_known_or_none(self, tmp_path: Path):
        titles = "reviewer,paper,score,title\na,1,3,\nb,1,3,First\nc,1,3,Second\n"
        assert imported(tmp_path, titles, match_ids="always").papers.rows() == [(1, "First")]
        none = "reviewer,paper,score\na,2,3\nb,1,3\n"
        assert imported(tmp_path, none).papers.rows() == [(1,), (2,)]


class TestRefusals:
    def test_rankings_without_reviews(self, tmp_path: Path):
        ranks = written(tmp_path, "ranks.csv", "reviewer,paper,rank\nann,9,1\n")
        with refused(r"no reviews among the files: ranks.csv: table \(reviewer, paper, rank\)"):
            import_files([], [ranks])

    @pytest.mark.parametrize(
        "ranks",
        [
            "ID,Title,Ann #~rank\n1,One,\n2,Two,\n",
            "reviewer,paper,rank\n",
            "user,item,rank\n",
            "rating,email,pid\n5,bob,9\n",
        ],
        ids=["columns without values", "plain header", "HotCRP header", "reviews"],
    )
    def test_a_ranking_without_a_rank(self, ranks: str, two: list[Path], tmp_path: Path):
        with refused(
            r"ranks.csv was given as a ranking but no rank was read from it: ranks.csv: .*"
            r"Export it again .*or leave the file out"
        ):
            import_files(two, [written(tmp_path, "ranks.csv", ranks)])

    @pytest.mark.parametrize(
        ("file", "looks_like"),
        [
            (
                "plain/reviews.csv",
                "a table with reviewer, paper and score, .*; use --format csv or --format auto",
            ),
            ("cmt/Reviews.xls", "CMT reviews"),
        ],
    )
    def test_the_wrong_system(self, file: str, looks_like: str):
        words = rf"eviews.... is not a hotcrp file: it looks like {looks_like}"
        with refused(words):
            import_files([FIXTURES / file], options=Options(format="hotcrp"))

    def test_an_unknown_table_for_a_system(self, tmp_path: Path):
        with refused("t.csv is a table of another kind"):
            imported(tmp_path, "alpha,beta\n1,2\n", format="cmt")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            (
                "alpha,beta\n1,2\n",
                "is a table, but its columns 'alpha', 'beta' are not understood.*--column reviewer=",
            ),
            ('{"a": 1}', "is a table, but its columns 'a' are not understood"),
            ('{\n"a": 1}', "is JSON or XML of an unknown shape; `unround help files` lists"),
            ("<html></html>", "is a web page"),
            (
                "$FL2@(#) SPSS DATA FILE\0\0",
                "is a binary file .* or save its table as .xlsx or CSV",
            ),
        ],
    )
    def test_other_unknown_files(self, tmp_path: Path, text: str, words: str):
        with refused(f"x {words}"):
            import_files([written(tmp_path, "x", text)])


class TestReaders:
    def test_every_reader_has_a_name_of_its_own(self):
        names = [reader.name for reader in readers()]
        assert len(set(names)) == len(names)

    @given(
        telling=st.sampled_from((REVIEWS, *STATEMENTS)),
        others=st.sets(st.sampled_from(sorted(SYNONYMS))),
        random=st.randoms(use_true_random=False),
    )
    @settings(max_examples=300, deadline=None)
    def test_no_other_system_has_unrounds_own_columns(
        self,
        tmp_path_factory: pytest.TempPathFactory,
        telling: tuple[str, ...],
        others: set[str],
        random: Random,
    ):
        """The reader found by these names alone is the one found by asking every reader."""
        names = sorted({*telling, *others})
        random.shuffle(names)
        cells = ",".join("1" for _ in names)
        path = written(tmp_path_factory.mktemp("own"), "t.csv", f"{','.join(names)}\n{cells}\n")
        first = next(reader for reader in readers() if reader.recognises(Source(path)))
        assert has_own_names(Source(path))
        assert first is READER

    @pytest.mark.parametrize("path", sorted(FIXTURES.rglob("*.*")), ids=lambda path: path.name)
    def test_a_file_belongs_to_its_system(self, path: Path):
        """No reader takes what belongs to another system."""
        system = path.relative_to(FIXTURES).parts[0]
        taken = {r.system for r in readers() if r.recognises(Source(path))} - {"csv"}
        assert taken <= {system}


@pytest.mark.parametrize(
    "header",
    [
        "forum,profileID,rating,confidence",
        "paper,title,review,reviewername,email,OveMer,RevExp",
        "reviewer,paper,score,comment",
    ],
)
def test_files_put_one_below_another_have_headers_inside(tmp_path: Path, header: str):
    """The second file may name one of its columns in another way."""
    cells = {"OveMer": "3", "rating": "3", "score": "3", "review": "1A", "paper": "1"}
    row = ",".join(
        cells.get(name, f"a{place}@x.org") for place, name in enumerate(header.split(","))
    )
    other = header.rpartition(",")[0] + ",Something else"
    second = row.replace("@x.org", "@y.org").replace("1A", "1B")
    path = written(tmp_path, "both.csv", "\n".join([header, row, other, second, ""]))
    found = import_files([path])
    assert found.reviews.height == 2
    assert any("1 row" in note and "header" in note for note in found.notes)
