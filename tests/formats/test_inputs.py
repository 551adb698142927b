"""Folders, ZIP and gzip files, and workbooks with several sheets, as chairs hand them over."""

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.formats.given_files import refused, workbook
from unround.formats import inputs
from unround.formats.importer import import_files
from unround.formats.model import Options

FIXTURES = Path(__file__).parent / "fixtures"
REVIEWS = "reviewer,paper,score\nann,1,3\nann,2,4\nbob,1,5\n"
RANKS = "reviewer,paper,rank\nann,2,1\nann,1,2\n"


def written(folder: Path, **files: str | bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name.replace("__", ".")).write_bytes(data)
    return folder


def zipped(folder: Path, path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder.parent))
    return path


REVIEW_ROWS = [["reviewer", "paper", "score"], ["ann", 1, 3], ["ann", 2, 4]]
RANK_ROWS = [["reviewer", "paper", "rank"], ["ann", 2, 1], ["ann", 1, 2]]


class TestSheets:
    def test_reviews_and_rankings_in_one_workbook(self, tmp_path: Path):
        notes = [["To do", "Who"], ["call ann", "me"]]
        path = workbook(tmp_path / "r.xlsx", ReadMe=notes, Reviews=REVIEW_ROWS, Rankings=RANK_ROWS)
        imported = import_files([path])
        assert imported.reviews.rows() == [("ann", 1, 3), ("ann", 2, 4)]
        assert imported.rankings[0].rows() == [("ann", 2, 1), ("ann", 1, 2)]
        assert imported.place("rankings[0]", 1) == "r.xlsx, sheet 'Rankings', row 3"
        assert imported.recognised == (
            "r.xlsx: sheet 'Reviews': table (reviewer, paper, score); "
            "sheet 'Rankings': table (reviewer, paper, rank)",
        )
        assert imported.notes == (
            "r.xlsx: sheet 'ReadMe' passed over: its columns (To do, Who) are not understood",
        )

    def test_reviews_are_found_behind_another_sheet_if_there_are_any(self, tmp_path: Path):
        long = [["a", "b"], *([n, n] for n in range(200))]
        path = workbook(tmp_path / "r.xlsx", Long=long, Reviews=REVIEW_ROWS)
        assert import_files([path]).reviews.height == 2

        path = workbook(tmp_path / "r.xlsx", A=[["x", "y"], [1, 2]], B=[["u", "v"], [1, 2]])
        with refused(r"its columns 'x', 'y', 'u', 'v' are not understood"):
            import_files([path])


def ods(path: Path, *rows: str) -> Path:
    """A workbook of one sheet of reviews with these rows below its header."""
    parts = ("office", "table", "text")
    names = " ".join(f'xmlns:{p}="urn:oasis:names:tc:opendocument:xmlns:{p}:1.0"' for p in parts)
    header = ods_row("reviewer", "paper", "score")
    content = (
        f"<office:document-content {names}><office:body><office:spreadsheet>"
        f'<table:table table:name="S">{header}{"".join(rows)}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("content.xml", content)
    return path


def ods_row(*cells: object, times: int = 1) -> str:
    made = [
        f'<table:table-cell office:value-type="float" office:value="{cell}"><text:p>{cell},0</text:p>'
        "</table:table-cell>"
        if isinstance(cell, int | float)
        else f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
        for cell in cells
    ]
    repeated = f' table:number-rows-repeated="{times}"' if times > 1 else ""
    blank = '<table:table-cell table:number-columns-repeated="16000"/>'
    return f"<table:table-row{repeated}>{''.join(made)}{blank}</table:table-row>"


class TestOpenDocument:
    def test_cells_repeated_rows_and_numbers(self, tmp_path: Path):
        note = "<office:annotation><text:p>a comment</text:p></office:annotation>"
        path = ods(
            tmp_path / "r.ods",
            ods_row("ann", 1, 3.5).replace("<text:p>ann", f"{note}<text:p>ann"),
            ods_row(times=4),
            ods_row("bob", 1, 3, times=2),
            ods_row("eve", 1, 3),
            ods_row(times=1_000_000),
        )
        imported = import_files([path])
        assert imported.reviews.rows() == [
            ("ann", 1, 3.5),
            ("bob", 1, 3),
            ("bob", 1, 3),
            ("eve", 1, 3),
        ]
        assert [imported.place("reviews", row) for row in (1, 2, 3)] == [
            f"r.ods, sheet 'S', row {number}" for number in (7, 8, 9)
        ]

    @pytest.mark.parametrize(
        ("row", "words"),
        [
            (ods_row("a", 1, 1, times=1_000_000), "r.ods repeats a row with cells 1000000 times"),
            (
                '<table:table-row><table:table-cell table:number-columns-repeated="4000"><text:p>'
                f"{'x' * 1_000_000}</text:p></table:table-cell></table:table-row>",
                "holds more than 10 MB of text",
            ),
        ],
        ids=["a row", "a cell"],
    )
    def test_repeated_to_do_harm(self, tmp_path: Path, row: str, words: str):
        with refused(words):
            import_files([ods(tmp_path / "r.ods", row)])


class TestFolders:
    def test_tables_and_what_is_passed_over(self, tmp_path: Path):
        folder = written(
            tmp_path / "conf",
            reviews__csv=REVIEWS,
            ranks__csv=RANKS,
            notes__txt="Ask ann about paper 2.\n",
            logo__png=b"\x89PNG\r\n\x1a\n\x00\x00",
        )
        written(folder / "old", run__json="{}", reviews__csv=REVIEWS)
        archive = zipped(folder, tmp_path / "conf.zip")
        tables = (folder / "ranks.csv", folder / "reviews.csv")
        for given, files in ((folder, tables), (archive, (archive,))):
            imported = import_files([given])
            assert imported.files == files
            assert imported.reviews.rows() == [("ann", 1, 3), ("ann", 2, 4), ("bob", 1, 5)]
            assert imported.rankings[0].rows() == [("ann", 2, 1), ("ann", 1, 2)]
            assert imported.place("reviews", 0) == "reviews.csv, line 2"
            assert imported.notes == (
                f"{given.name}: 3 files passed over, not understood as reviews, rankings or papers: "
                "logo.png, notes.txt, old/",
            )

    def test_places_say_the_folder_or_zip_file_below(self, tmp_path: Path):
        written(tmp_path / "conf" / "north", r__csv=REVIEWS)
        south = REVIEWS.replace("ann", "eve").replace("b", "d")
        zipped(written(tmp_path / "south", r__csv=south), tmp_path / "conf" / "south.zip")
        imported = import_files([tmp_path / "conf"], options=Options(match_ids="always"))
        places = [imported.place("reviews", row) for row in (0, 3)]
        assert places == ["north/r.csv, line 2", "south/r.csv, line 2"]

    def test_nothing_like_reviews(self, tmp_path: Path):
        folder = written(tmp_path / "conf", a__txt="hello", b__csv="alpha,beta\n1,2\n")
        with refused(r"conf is a folder without anything .* reviews: a.txt, b.csv"):
            import_files([folder])

    def test_a_broken_workbook_is_not_passed_over(self, tmp_path: Path):
        """It may hold half of the reviews."""
        folder = written(tmp_path / "conf", a__csv=REVIEWS, b__xlsx=b"PK\x03\x04" + b"x" * 100)
        with refused(r"b.xlsx is not a readable XLSX file"):
            import_files([folder])

    def test_a_folder_of_rankings_must_hold_one(self, tmp_path: Path):
        reviews = written(tmp_path / "conf", a__csv=REVIEWS)
        rankings = written(tmp_path / "ranks", b__csv=RANKS, c__txt="hello")
        assert import_files([reviews], [rankings]).rankings
        with refused(r"conf was given as a ranking but no rank was read"):
            import_files([reviews], [reviews])

    def test_too_many_files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(inputs, "MOST_FILES", 2)
        folder = written(tmp_path / "conf", a__txt="", b__txt="", c__txt="")
        with refused("holds more than 2 files"):
            import_files([folder])


def tar() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(FIXTURES / "plain", "conf")
    return packed.getvalue()


def numbers() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("Index/Document.iwa", b"x")
    return packed.getvalue()


class TestCompressed:
    def test_gzip(self, tmp_path: Path):
        path = tmp_path / "reviews.csv.gz"
        path.write_bytes(gzip.compress(REVIEWS.encode()))
        imported = import_files([path])
        assert imported.reviews.height == 3
        assert imported.place("reviews", 0) == "reviews.csv.gz, line 2"
        assert imported.files == (path,)

    def test_what_is_packed_twice_is_passed_over(self, tmp_path: Path):
        folder = written(tmp_path / "conf", a__csv=REVIEWS, b__gz=gzip.compress(REVIEWS.encode()))
        zipped(written(tmp_path / "more", c__csv=REVIEWS), folder / "more.zip")
        imported = import_files([zipped(folder, tmp_path / "conf.zip")])
        assert imported.reviews.height == 3
        assert imported.notes[0].endswith("rankings or papers: b.gz, more.zip")

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (
                gzip.compress(b"0" * 50_000_000),
                "would unpack to more than .* MB, more than is read",
            ),
            (gzip.compress(REVIEWS.encode())[:-9], "cannot be unpacked: Compressed"),
            (b"7z\xbc\xaf\x27\x1c" + b"\x00" * 40, "is a binary file .*: unpack it"),
            (b"Rar!\x1a\x07" + b"\x00" * 40, "is a binary file .*: unpack it"),
            (tar(), "is a binary file .*: unpack it"),
            (numbers(), "is an archive without anything .* save its table as .xlsx or CSV"),
        ],
        ids=["a bomb", "cut off", "7z", "RAR", "TAR", "Apple Numbers"],
    )
    def test_what_cannot_be_unpacked(self, tmp_path: Path, content: bytes, words: str):
        with refused(f"reviews.x {words}"):
            import_files([written(tmp_path, reviews__x=content) / "reviews.x"])


class TestEncodings:
    TEXT = "reviewer,paper,score\nzoë,1,3\n"

    @pytest.mark.parametrize(
        ("encoding", "notes"), [("cp1252", ("a.csv: read as cp1252 text",)), ("utf-8", ())]
    )
    def test_the_users_encoding_is_for_text_that_is_not_utf_8(
        self, tmp_path: Path, encoding: str, notes: tuple[str, ...]
    ):
        path = written(tmp_path, a__csv=self.TEXT.encode(encoding)) / "a.csv"
        imported = import_files([path], options=Options(encoding="cp1252"))
        assert imported.reviews.rows() == [("zoë", 1, 3)]
        assert imported.notes == notes

    @pytest.mark.parametrize("encoding", ["klingon", "base64", "undefined", "idna", "a\0"])
    def test_an_encoding_that_nobody_knows(self, tmp_path: Path, encoding: str):
        path = written(tmp_path, a__csv=self.TEXT) / "a.csv"
        with refused(r"--encoding .*: unknown; try cp1252"):
            import_files([path], options=Options(encoding=encoding))


def test_an_archive_of_more_tables_than_are_read_says_so(tmp_path):
    many = tmp_path / "many.zip"
    with zipfile.ZipFile(many, "w") as archive:
        for number in range(inputs.MOST_TABLES + 1):
            archive.writestr(f"{number}.csv", f"reviewer,paper,score\nann,{number},3\n")
    with refused(r"many\.zip holds more than 1,000 tables: put their rows"):
        import_files([many])
