"""Workbooks made to break a reader: a clear problem, at once, in little memory."""

import io
import random
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
import xlsxwriter

from tests.formats.given_files import assert_refused, needs_proc, read_apart, refused, written
from unround.formats.importer import import_files
from unround.formats.model import ImportRefused

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cmt"
NAME = "urn:schemas-microsoft-com:office:spreadsheet"
SPACE = f'xmlns="{NAME}" xmlns:ss="{NAME}"'
TITLES = ("Paper ID", "Reviewer Email", "Q2 (Overall score - Value)")


def cell(text: str, **attributes: str) -> str:
    said = "".join(f' ss:{name}="{value}"' for name, value in attributes.items())
    return f'<Cell{said}><Data ss:Type="String">{text}</Data></Cell>'


HEADER = "<Row>" + "".join(cell(title) for title in TITLES) + "</Row>"
REVIEW = "<Row>" + cell("1") + cell("a@example.org") + cell("3") + "</Row>"


def workbook(rows: str, before: str = "") -> str:
    sheet = f'<Worksheet ss:Name="Main"><Table>{HEADER}{rows}</Table></Worksheet>'
    return f"{before}<Workbook {SPACE}>{sheet}</Workbook>"


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' if n else "" for n in range(1, 10)).replace(
        "&a0;", "&a;"
    )
    + "]>"
)
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
PARAMETER = '<?xml version="1.0"?><!DOCTYPE b SYSTEM "http://example.org/b.dtd">'


@pytest.mark.parametrize("before", [BOMB, OUTSIDE, PARAMETER], ids=["bomb", "file", "network"])
def test_document_types_are_refused(tmp_path: Path, before: str):
    row = f"<Row>{cell('&a;')}{cell('b')}{cell('3')}</Row>"
    path = written(tmp_path, "Reviews.xls", workbook(row, before))
    assert_refused(path, r"Reviews.xls declares a document type, which no export has: refused")


def test_an_entity_without_a_document_type(tmp_path: Path):
    path = written(tmp_path, "Reviews.xls", workbook(f"<Row>{cell('&a;')}</Row>"))
    assert_refused(
        path, r"Reviews.xls is not readable XML \(undefined entity: line 1, column \d+\)"
    )


def test_every_truncation_is_a_problem_or_unknown(tmp_path: Path):
    whole = (FIXTURES / "Reviews.xls").read_bytes()
    for length in range(0, len(whole) - 20, 97):
        path = tmp_path / "Reviews.xls"
        path.write_bytes(whole[:length])
        with refused(r"Reviews\.xls"):
            import_files([path])


def test_a_truncated_export_says_that_it_may_be_cut_off(tmp_path: Path):
    whole = (FIXTURES / "Reviews.xls").read_bytes()
    path = tmp_path / "Reviews.xls"
    path.write_bytes(whole[: len(whole) * 3 // 4])
    assert_refused(path, r"is not readable XML \(.*\); it may be cut off: export it again")


def test_nesting(tmp_path: Path):
    path = written(tmp_path, "Reviews.xls", workbook("<Row>" + "<a>" * 1_000_000))
    assert_refused(path, r"Reviews.xls has elements nested more than 200 deep: refused")


def test_a_cell_of_20_megabytes(tmp_path: Path):
    path = written(
        tmp_path, "Reviews.xls", workbook(f"<Row>{cell('1')}{cell('x' * 20_000_000)}</Row>")
    )
    assert_refused(path, r"Reviews.xls, sheet 'Main', row 2 holds more than 10 MB of text")


def test_a_tag_of_20_megabytes(tmp_path: Path):
    path = written(tmp_path, "Reviews.xls", workbook(f'<Row a="{"x" * 20_000_000}"/>'))
    assert_refused(path, r"Reviews.xls, line 1 has an endless tag")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            '<Row ss:Index="1"><Cell/></Row>',
            r"sheet 'Main', row 1 is followed by row 1: the file is broken",
        ),
        ('<Row ss:Index="0"><Cell/></Row>', r"is followed by row 0"),
        ('<Row ss:Index="-4"><Cell/></Row>', r"row 1 states the row '-4': not a number"),
        ('<Row ss:Index="99999999"><Cell/></Row>', r"is followed by row 99999999"),
        (f'<Row ss:Index="{"9" * 5000}"/>', r"states the row '9999"),
        (f"<Row>{cell('x', Index='1e3')}</Row>", r"states the column '1e3'"),
        (f"<Row>{cell('x', Index='0')}</Row>", r"a cell in column 0"),
        (
            f"<Row>{cell('x', Index='70000')}</Row>",
            r"a cell in column 70000; at most 5000 are read",
        ),
        (
            f"<Row>{cell('x', MergeAcross='90000')}{cell('y')}</Row>",
            r"a cell in column 90002",
        ),
    ],
)
def test_impossible_places(tmp_path: Path, rows: str, words: str):
    assert_refused(written(tmp_path, "Reviews.xls", workbook(rows)), words)


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "windows-1252"])
def test_encodings_that_the_file_declares(tmp_path: Path, encoding: str):
    row = f"<Row>{cell('1')}{cell('ånn@example.org')}{cell('3')}</Row>"
    path = tmp_path / "Reviews.xls"
    path.write_bytes(workbook(row, f'<?xml version="1.0" encoding="{encoding}"?>').encode(encoding))
    assert import_files([path]).reviews["reviewer"].to_list() == ["ånn@example.org"]


@pytest.mark.parametrize("encoding", ["utf-8", "no-such-encoding", "gb2312"])
def test_encodings_that_do_not_fit(tmp_path: Path, encoding: str):
    path = tmp_path / "Reviews.xls"
    text = workbook(f"<Row>{cell('ånn')}</Row>", f'<?xml version="1.0" encoding="{encoding}"?>')
    path.write_bytes(text.encode("iso-8859-1"))
    assert_refused(path, r"Reviews.xls is not readable XML")


def test_a_package_without_a_workbook(tmp_path: Path):
    path = tmp_path / "Reviews.xlsx"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("word/document.xml", "<w/>")
    assert_refused(path, r"Reviews.xlsx is a Word document: copy its table into a spreadsheet")


def test_a_package_with_a_document_type(tmp_path: Path):
    path = tmp_path / "Reviews.xlsx"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("xl/workbook.xml", BOMB + "<workbook>&a9;</workbook>")
    assert_refused(path, "declares a document type")


def package() -> bytes:
    """A workbook as a spreadsheet program saves it."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as book:
        page = book.add_worksheet("Main")
        page.write_row(2, 0, TITLES)
        for row in range(3, 30):
            page.write_row(row, 0, [row, f"r{row}@example.org", 3])
    return content.getvalue()


@pytest.mark.parametrize(
    "name", ["Reviews.xls", pytest.param("Reviews.xlsx", marks=pytest.mark.slow)]
)
def test_random_damage_never_raises_anything_else(tmp_path: Path, name: str):
    whole = package() if name.endswith("x") else (FIXTURES / name).read_bytes()
    path = tmp_path / name
    for seed in range(300):
        chance = random.Random(seed)
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            damaged[chance.randrange(4, len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged if seed % 3 else damaged[: chance.randrange(4, len(damaged))])
        with suppress(ImportRefused):
            import_files([path])


@pytest.mark.slow
@needs_proc
def test_a_hundred_thousand_reviews_stream(tmp_path: Path):
    """160 MB of comments pass through; only what is wanted stays."""
    one = '<Cell><Data ss:Type="{}">{}</Data></Cell>'.format
    header = ("Paper ID", "Reviewer Email", "Q1 (Comments)", "Q2 (Overall score - Value)")
    comment = one("String", "Sound, clear and new. " * 70)
    path = tmp_path / "Reviews.xls"
    with path.open("w", encoding="utf-8") as file:
        space = "urn:schemas-microsoft-com:office:spreadsheet"
        file.write(
            f'<Workbook xmlns="{space}" xmlns:ss="{space}"><Worksheet ss:Name="Main"><Table>'
        )
        file.write(f'<Row ss:Index="3">{"".join(one("String", title) for title in header)}</Row>')
        for number in range(100_000):
            who = one("String", f"reviewer{number % 9000}@example.org")
            score = one("Number", number % 5 + 1)
            file.write(f"<Row>{one('Number', number // 4)}{who}{comment}{score}</Row>")
        file.write("</Table></Worksheet></Workbook>")
    reviews, megabytes = read_apart(path)
    assert reviews == 100_000
    assert megabytes < 250
