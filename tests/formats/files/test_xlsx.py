"""XLSX packages: every cell, every row's number, and everything made to break a reader."""

import zipfile
from pathlib import Path

import pytest
import xlsxwriter

from tests.formats.given_files import assert_refused, refused, within_bounds, workbook
from unround.formats.files.grid import grid_rows
from unround.formats.files.source import Source
from unround.formats.importer import import_files

KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATED = (
    f'<Relationship Id="s" Type="{KINDS}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="t" Type="{KINDS}/sharedStrings" Target="/xl/sharedStrings.xml"/>'
)
BOOK = f'<workbook xmlns:r="{KINDS}"><sheets><sheet name="S" r:id="s"/></sheets></workbook>'


def package(path: Path, sheet: str, strings: str = "", below: str = "") -> Path:
    """A small XLSX file with these rows, shared texts, and elements below the rows."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/workbook.xml", BOOK)
        parts.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{RELATED}</Relationships>")
        content = f"<worksheet><sheetData>{sheet}</sheetData>{below}</worksheet>"
        parts.writestr("xl/worksheets/sheet1.xml", content)
        parts.writestr("xl/sharedStrings.xml", f"<sst>{strings}</sst>")
    return path


def row(*cells: str) -> str:
    written = [f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in cells]
    return f"<row>{''.join(written)}</row>"


HEADER = row("reviewer", "paper", "score")


class TestCells:
    def rows(self, path: Path) -> list[tuple[str, int, dict[int, str]]]:
        return [(row.sheet, row.number, dict(row.cells)) for row in grid_rows(Source(path))]

    def test_what_a_spreadsheet_program_writes(self, tmp_path: Path):
        path = tmp_path / "r.xlsx"
        with xlsxwriter.Workbook(path) as book:
            first, second = book.add_worksheet("Erste"), book.add_worksheet("<Zweite & Co>")
            first.write_row(0, 0, ["a", "", 'ü\n"', 3, 3.5, True])
            first.write(4, 2, -2)
            first.write_rich_string(5, 0, "plain ", book.add_format({"bold": True}), "bold")
            first.write_formula(5, 1, "=1+1", None, 2)
            first.write_formula(5, 2, '="x"', None, "x")
            second.write(9, 30, "far")
            chart = book.add_chart({"type": "line"})
            chart.add_series({"values": "=Erste!$A$1:$A$2"})
            book.add_chartsheet("Chart").set_chart(chart)
        assert self.rows(path) == [
            ("Erste", 1, {0: "a", 2: 'ü\n"', 3: "3", 4: "3.5", 5: "1"}),
            ("Erste", 5, {2: "-2"}),
            ("Erste", 6, {0: "plain bold", 1: "2", 2: "x"}),
            ("<Zweite & Co>", 10, {30: "far"}),
        ]

    def test_numbers_as_other_programs_write_them(self, tmp_path: Path):
        texts = ("12.0", "1.2E1", "1.5E-3", "0.1", "1E300")
        cells = "".join(f"<c><v>{text}</v></c>" for text in texts)
        [(_, _, found)] = self.rows(package(tmp_path / "r.xlsx", f"<row>{cells}</row>"))
        assert [found[column] for column in range(4)] == ["12", "12", "0.0015", "0.1"]
        assert float(found[4]) == 1e300

    def test_rows_and_cells_that_do_not_say_where_they_are(self, tmp_path: Path):
        sheet = (
            '<row><c/><c t="str"><v>b</v></c></row><row/>'
            '<row r="7"><c r="C7" t="str"><v>c</v></c></row><row><c t="str"><v>d</v></c></row>'
        )
        assert self.rows(package(tmp_path / "r.xlsx", sheet)) == [
            ("S", 1, {1: "b"}),
            ("S", 7, {2: "c"}),
            ("S", 8, {0: "d"}),
        ]

    def test_shared_texts_with_runs_reading_aids_and_escapes(self, tmp_path: Path):
        strings = (
            "<si><r><t>run </t></r><r><t>ning</t></r></si>"
            "<si><t>東京</t><rPh><t>トウキョウ</t></rPh></si>"
            "<si><t>a_x000D_b_x005F_x000D_c_xD83D_</t></si>"
        )
        sheet = "<row>" + "".join(f'<c t="s"><v>{n}</v></c>' for n in (2, 0, 1, 0)) + "</row>"
        assert self.rows(package(tmp_path / "r.xlsx", sheet, strings)) == [
            ("S", 1, {0: "a\rb_x000D_c_xD83D_", 1: "run ning", 2: "東京", 3: "run ning"})
        ]

    def test_a_late_word_among_numbers_is_kept(self, tmp_path: Path):
        rows = [[f"r{number}", number, 3 if number < 3000 else "B"] for number in range(1, 3001)]
        rows[4] = []  # an empty row in between
        header = ["reviewer", "paper", "score"]
        imported = import_files([workbook(tmp_path / "r.xlsx", Sheet1=[header, *rows])])
        assert imported.reviews["score"].to_list()[-2:] == ["3", "B"]
        assert imported.place("reviews", 3) == "r.xlsx, sheet 'Sheet1', row 5"
        assert imported.place("reviews", 4) == "r.xlsx, sheet 'Sheet1', row 7"

    def test_every_sheet_that_holds_something(self, tmp_path: Path):
        header = [[], [], ["reviewer", "paper", "score"]]
        one, two = ([*header, ["ann", score, score]] for score in (3, 4))
        imported = import_files([workbook(tmp_path / "r.xlsx", Empty=[], One=one, Two=two)])
        assert imported.reviews.rows() == [("ann", 3, 3), ("ann", 4, 4)]
        assert imported.place("reviews", 0) == "r.xlsx, sheet 'One', row 4"
        assert imported.place("reviews", 1) == "r.xlsx, sheet 'Two', row 4"
        with refused(r"r\.xlsx is a workbook without cells"):
            import_files([workbook(tmp_path / "r.xlsx", Empty=[])])


class TestHostile:
    def test_a_zip_bomb(self, tmp_path: Path):
        path = package(tmp_path / "r.xlsx", HEADER + " " * 100_000_000)
        assert path.stat().st_size < 1_000_000
        assert_refused(path, r"r.xlsx would unpack to 100 MB, which is more than is read")

    def test_a_size_that_lies(self, tmp_path: Path):
        path = package(tmp_path / "r.xlsx", HEADER + row("ann", "1", "3") * 20_000)
        raw = bytearray(path.read_bytes())
        with zipfile.ZipFile(path) as parts:
            truth = parts.getinfo("xl/worksheets/sheet1.xml").file_size.to_bytes(4, "little")
        path.write_bytes(raw.replace(truth, (1000).to_bytes(4, "little")))
        assert_refused(path, r"r.xlsx is not (a )?readable")

    @pytest.mark.parametrize(
        ("cells", "number", "length", "words"),
        [
            # A short file that would fill 5 GB: its long text is shared by many cells.
            (1000, "0", 5_000_000, "would unpack to more than 1000 MB: refused"),
            (1, "0", 20_000_000, "holds a text of more than 10 MB"),
            *((1, number, 1, "is not (a )?readable") for number in ("7", "-1", "x", "9" * 5000)),
        ],
        ids=["one text for many cells", "a text of 20 MB", *(["a text that is missing"] * 4)],
    )
    def test_shared_texts(self, tmp_path: Path, cells: int, number: str, length: int, words: str):
        rows = f'<row><c t="s"><v>{number}</v></c></row>' * cells
        text = f"<si><t>{'x' * length}</t></si>"
        assert_refused(package(tmp_path / "r.xlsx", HEADER + rows, text), f"r.xlsx {words}")

    def test_a_cell_in_the_farthest_corner(self, tmp_path: Path):
        path = tmp_path / "r.xlsx"
        with xlsxwriter.Workbook(path) as book:
            page = book.add_worksheet()
            page.write_row(0, 0, ["reviewer", "paper", "score"])
            page.write(1_048_575, 16_383, "here")
        assert_refused(path, r"row 1048576 has a cell in column 16384; at most 5000 are read")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("inside", "below", "words"),
        [
            ("<row>" + "<c/>" * 200_000 + "</row>", "", ""),
            ("<row/>" * 200_000, "", ""),
            ("", "<z/>" * 300_000, ""),
            ("", "<z>" * 1_000_000 + "</z>" * 1_000_000, "nested more than 200 deep"),
            ('<row r="999999999"><c><v>1</v></c></row>', "", "followed by row 999999999"),
        ],
        ids=["empty cells", "empty rows", "unknown elements", "depth", "a gap between rows"],
    )
    def test_elements_without_end(self, tmp_path: Path, inside: str, below: str, words: str):
        """Each is a file of a few kB; a tree of its elements would fill the memory."""
        cells = row("ann", "1", "3") + row("bob", "1", "4")
        path = package(tmp_path / "r.xlsx", HEADER + cells + inside, below=below)
        if words:
            assert_refused(path, words)
        else:
            with within_bounds(megabytes=20):
                assert import_files([path]).reviews.height == 2

    def test_another_zip(self, tmp_path: Path):
        path = tmp_path / "r.xlsx"
        with zipfile.ZipFile(path, "w") as parts:
            parts.writestr("notes.txt", "nothing to see\n")
        assert_refused(path, "r.xlsx is an archive without anything that looks like reviews: notes")

    def test_an_encrypted_member(self, tmp_path: Path):
        path = package(tmp_path / "r.xlsx", HEADER)
        raw = bytearray(path.read_bytes())
        for mark, flag in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            at = raw.find(mark)
            raw[at + flag] |= 1
        path.write_bytes(raw)
        assert_refused(path, r"r.xlsx is not a readable XLSX file: .*password required")
