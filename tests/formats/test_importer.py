"""Several files as one conference: order, places, kinds of ids and scores, and who reads what."""

from pathlib import Path
from random import Random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import unround
from tests.formats.given_files import refused, written
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.formats.model import ImportRefused, Options
from unround.formats.registry import readers
from unround.formats.systems.plain import find_plain_table
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
        imported = import_files(two)
        assert_frame_equal(
            imported.reviews,
            pl.DataFrame(
                {
                    "reviewer": ["ann", "ann", "bob", "eve"],
                    "paper": [10, 9, 9, 10],
                    "score": [3, 4, 5, 2],
                    "title": ["Ten", "Nine", None, None],
                }
            ),
        )
        assert [imported.place("reviews", row) for row in range(4)] == [
            "one.csv, line 2",
            "one.csv, line 3",
            "two.csv, line 2",
            "two.csv, line 3",
        ]
        assert imported.files == tuple(two)
        assert len(imported.recognised) == 2

    def test_places_after_an_empty_file(self, tmp_path: Path, two: list[Path]):
        none = written(tmp_path, "none.csv", "reviewer,paper,score\n")
        imported = import_files([none, two[0], none.rename(tmp_path / "nil.csv"), two[1]][1:])
        assert imported.place("reviews", 2) == "two.csv, line 2"

    def test_rankings_of_every_kind(self, tmp_path: Path, two: list[Path]):
        rankings = [
            written(tmp_path, "pairs.csv", "reviewer,better,worse\nbob,9,10\n"),
            written(tmp_path, "same.csv", "reviewer,paper,same_as\nann,9,10\n"),
            written(tmp_path, "ranks.csv", "reviewer,paper,rank\nann,9,1\nann,10,2\n"),
            written(tmp_path, "more.csv", "reviewer,paper,rank\neve,10,1\n"),
        ]
        imported = import_files(two, rankings)
        ranks, pairs = imported.rankings
        assert ranks.rows() == [("ann", 9, 1), ("ann", 10, 2), ("eve", 10, 1)]
        assert pairs.rows() == [("bob", 9, 10)]
        assert imported.same.rows() == [("ann", 9, 10)]
        assert imported.place("rankings[0]", 2) == "more.csv, line 2"
        assert imported.place("rankings[1]", 0) == "pairs.csv, line 2"
        assert imported.place("rankings", 0) == "ranks.csv, line 2"
        assert imported.place("same", 0) == "same.csv, line 2"

    def test_one_file_as_reviews_and_as_ranking(self, tmp_path: Path):
        path = written(tmp_path, "both.csv", "reviewer,paper,score,rank\nann,1,3,1\nann,2,3,2\n")
        imported = import_files([path], [path])
        assert imported.reviews.height == 2
        assert imported.rankings[0].height == 2
        assert imported.files == (path,)

    def test_places_of_issues_are_those_of_the_files(self, tmp_path: Path, two: list[Path]):
        ranking = written(
            tmp_path, "ranks.csv", "reviewer,paper,rank\nann,9,2\n\nann,10,1\nzed,9,1\n"
        )
        imported = import_files(two, [ranking])
        issues = unround.check(imported.reviews, imported.rankings)
        places = {
            str(issue.kind): [imported.place(issue.table, row) for row in issue.rows]
            for issue in issues
        }
        assert places["unreviewed"] == ["ranks.csv, line 5"]
        assert "contradiction" in places

    def test_progress(self, two: list[Path]):
        told: list[tuple[int, int]] = []
        import_files(two, progress=lambda done, total: told.append((done, total)))
        assert told == [(1, 2), (2, 2)]

    def test_parquet_beside_text(self, tmp_path: Path, two: list[Path]):
        frame = pl.DataFrame({"reviewer": ["kim"], "paper": [11], "score": [4.5]})
        frame.write_parquet(tmp_path / "r.parquet")
        table = import_files([two[0], tmp_path / "r.parquet"]).reviews
        assert table["score"].to_list() == [3.0, 4.0, 4.5]
        assert table["paper"].to_list() == [10, 9, 11]


class TestIds:
    def ids(self, folder: Path, reviews: str, ranks: str = "") -> unround.Tables:
        files = [written(folder, "reviews.csv", "reviewer,paper,score\n" + reviews)]
        rankings = [written(folder, "ranks.csv", "reviewer,paper,rank\n" + ranks)] if ranks else []
        return import_files(files, rankings)

    def test_integers_if_all_are(self, tmp_path: Path):
        imported = self.ids(tmp_path, "1,10,3\n2,9,3\n", "1,10,1\n")
        for table in (imported.reviews, imported.rankings[0]):
            assert table.schema["reviewer"] == table.schema["paper"] == pl.Int64
        assert imported.papers["paper"].to_list() == [9, 10]

    def test_text_if_one_is_not(self, tmp_path: Path):
        imported = self.ids(tmp_path, "1,10,3\n2,9,3\n", "1,ten,1\n")
        for table in (imported.reviews, imported.rankings[0]):
            assert table.schema["reviewer"] == pl.Int64
            assert table.schema["paper"] == pl.String
        assert imported.papers["paper"].to_list() == ["10", "9"]

    @pytest.mark.parametrize("odd", ["007", "1.0", "+1", "1e3", "12345678901234567890", "-0", "١"])
    def test_what_looks_like_a_number_but_may_not_be_one(self, tmp_path: Path, odd: str):
        table = self.ids(tmp_path, f"{odd},1,3\n2,1,3\n").reviews
        assert table["reviewer"].to_list() == [odd, "2"]

    def test_negative_and_large_ids(self, tmp_path: Path):
        table = self.ids(tmp_path, "-5,123456789012345678,3\n").reviews
        assert table.row(0) == (-5, 123456789012345678, 3)

    def test_a_missing_id_stays_missing(self, tmp_path: Path):
        imported = self.ids(tmp_path, "1,,3\n2,9,3\n")
        issues = unround.check(imported.reviews)
        assert [imported.place(issue.table, row) for issue in issues for row in issue.rows] == [
            "reviews.csv, line 2"
        ]


class TestPapers:
    def test_titles_from_a_list_of_papers(self):
        plain = FIXTURES / "plain"
        imported = import_files(
            [plain / "papers.csv", plain / "reviews.csv"],
            [plain / "rankings.tsv"],
            Options(match_ids="always"),  # one title was changed
        )
        assert_frame_equal(
            imported.papers,
            pl.DataFrame(
                {
                    "paper": [7, 12],
                    "title": ["Why?", "Rounding and Ranking"],
                    "track": ["Systems", "Theory"],
                    "area_chair": ["chair-2", "chair-1"],
                    "decision": ["Reject", "Accept"],
                }
            ),
        )

    def test_the_first_that_is_known(self, tmp_path: Path):
        reviews = written(
            tmp_path, "r.csv", "reviewer,paper,score,title\na,1,3,\nb,1,3,First\nc,1,3,Second\n"
        )
        options = Options(match_ids="always")
        assert import_files([reviews], options=options).papers.rows() == [(1, "First")]

    def test_nothing_is_known(self, tmp_path: Path):
        reviews = written(tmp_path, "r.csv", "reviewer,paper,score\na,2,3\nb,1,3\n")
        assert import_files([reviews]).papers.rows() == [(1,), (2,)]


class TestRefusals:
    def test_rankings_without_reviews(self, tmp_path: Path):
        ranks = written(tmp_path, "ranks.csv", "reviewer,paper,rank\nann,9,1\n")
        with refused(r"no reviews among the files: ranks.csv: table \(reviewer, paper, rank\)"):
            import_files([], [ranks])

    def test_reviews_given_as_a_ranking(self, two: list[Path]):
        with refused(r"two.csv was given as a ranking but holds none: two.csv: table"):
            import_files(two[:1], two[1:])

    @pytest.mark.parametrize(
        "ranks",
        ["ID,Title,Ann #~rank\n1,One,\n2,Two,\n", "reviewer,paper,rank\n", "user,item,rank\n"],
        ids=["columns without values", "plain header", "HotCRP header"],
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
                "a table with reviewer, paper, score; use --format csv or --format auto",
            ),
            ("cmt/Reviews.xls", "CMT reviews"),
        ],
    )
    def test_the_wrong_system(self, file: str, looks_like: str):
        words = rf"eviews.... is not a hotcrp file: it looks like {looks_like}"
        with refused(words):
            import_files([FIXTURES / file], options=Options(format="hotcrp"))

    def test_unknown_tables_ask_for_their_columns(self, tmp_path: Path):
        path = written(tmp_path, "x.csv", "alpha,beta\n1,2\n")
        with pytest.raises(ImportRefused) as caught:
            import_files([path])
        said = str(caught.value)
        assert "x.csv is a table, but its columns 'alpha', 'beta' are not understood" in said
        assert "--column reviewer=.." in said

    def test_a_table_of_another_system(self, tmp_path: Path):
        path = written(tmp_path, "x.csv", "alpha,beta\n1,2\n")
        with refused("x.csv is a table of another kind"):
            import_files([path], options=Options(format="cmt"))

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ('{"a": 1}', "is a table, but its columns 'a' are not understood"),
            ('{\n"a": 1}', "is JSON of an unknown shape; `unround help files` lists"),
            ("<html></html>", "is a web page"),
            ("$FL2@(#) SPSS DATA FILE\0\0", "is a data file of SPSS: save it as CSV"),
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
        assert find_plain_table(Source(path)) is first

    @pytest.mark.parametrize("path", sorted(FIXTURES.rglob("*.*")), ids=lambda path: path.name)
    def test_a_file_belongs_to_its_system(self, path: Path):
        """No reader takes what belongs to another system."""
        system = path.relative_to(FIXTURES).parts[0]
        if system != "peerread":
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
