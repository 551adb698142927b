"""Workbooks made to break a reader: a clear problem, at once, in little memory."""

import random
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from tests.formats.given_files import assert_refused, needs_proc, read_apart, refused, written
from tests.formats.given_files import workbook as xlsx_workbook
from unround.formats.importer import import_files
from unround.formats.model import ImportRefused

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cmt"
NAME = "urn:schemas-microsoft-com:office:spreadsheet"
SPACE = f'xmlns="{NAME}" xmlns:ss="{NAME}"'
TITLES = ["Paper ID", "Reviewer Email", "Q2 (Overall score - Value)", "Q1 (Comments)"]
LONG = "(20 MB of text)"


def cell(text: str, **attributes: str) -> str:
    said = "".join(f' ss:{name}="{value}"' for name, value in attributes.items())
    return f'<Cell{said}><Data ss:Type="String">{text}</Data></Cell>'


def row(*texts: str) -> str:
    return f"<Row>{''.join(map(cell, texts))}</Row>"


def workbook(rows: str, before: str = "") -> str:
    sheet = f'<Worksheet ss:Name="Main"><Table>{row(*TITLES)}{rows}</Table></Worksheet>'
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
    path = written(tmp_path, "Reviews.xls", workbook(row("&a;", "b", "3", ""), before))
    assert_refused(path, r"Reviews.xls declares a document type, which no export has: refused")


def test_every_truncation_is_a_problem_or_unknown(tmp_path: Path):
    whole = (FIXTURES / "Reviews.xls").read_bytes()
    for length in range(0, len(whole) - 20, 97):
        with refused(r"Reviews\.xls"):
            import_files([written(tmp_path, "Reviews.xls", whole[:length])])
    path = written(tmp_path, "Reviews.xls", whole[: len(whole) * 3 // 4])
    assert_refused(path, r"is not readable XML \(.*\); it may be cut off: export it again")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (row("&a;"), r"is not readable XML \(undefined entity: line 1, column \d+\)"),
        ("<Row>" + "<a>" * 10_000, "has elements nested more than 200 deep: refused"),
        (row("1", LONG), "sheet 'Main', row 2 holds more than 10 MB of text"),
        (f'<Row a="{LONG}"/>', "line 1 has an endless tag"),
        (
            '<Row ss:Index="1"><Cell/></Row>',
            r"sheet 'Main', row 1 is followed by row 1: the file is broken",
        ),
        ('<Row ss:Index="0"><Cell/></Row>', r"is followed by row 0"),
        ('<Row ss:Index="-4"><Cell/></Row>', r"row 1 states the row '-4': not a number"),
        ('<Row ss:Index="99999999"><Cell/></Row>', r"is followed by row 99999999"),
        (f'<Row ss:Index="{"9" * 5000}"/>', r"states the row '9999"),
        (f"<Row>{cell('1')}{cell('2', Index='1')}</Row>", "row 2 has two values in column 1"),
        ("<Row><Cell><Data>4</Data><Data>3</Data></Cell></Row>", "has two values in column 1"),
        (f"<Row>{cell('x', Index='1e3')}</Row>", r"states the column '1e3'"),
        (f"<Row>{cell('x', Index='0')}</Row>", r"a cell in column 0"),
        (
            f"<Row>{cell('x', Index='70000')}</Row>",
            r"a cell in column 70000; at most 5000 are read",
        ),
        (f"<Row>{cell('x', MergeAcross='90000')}{cell('y')}</Row>", r"a cell in column 90002"),
    ],
    ids=lambda value: value[:60],
)
def test_rows_that_no_program_writes(tmp_path: Path, rows: str, words: str):
    content = workbook(rows.replace(LONG, "x" * 20_000_000))
    assert_refused(written(tmp_path, "Reviews.xls", content), rf"Reviews\.xls,? .*{words}")


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "windows-1252"])
def test_encodings_that_the_file_declares(tmp_path: Path, encoding: str):
    declared = f'<?xml version="1.0" encoding="{encoding}"?>'
    content = workbook(row("1", "ånn@example.org", "3", ""), declared).encode(encoding)
    imported = import_files([written(tmp_path, "Reviews.xls", content)])
    assert imported.reviews["reviewer"].to_list() == ["ånn@example.org"]


@pytest.mark.parametrize("encoding", ["utf-8", "no-such-encoding", "gb2312"])
def test_encodings_that_do_not_fit(tmp_path: Path, encoding: str):
    text = workbook(row("ånn"), f'<?xml version="1.0" encoding="{encoding}"?>')
    path = written(tmp_path, "Reviews.xls", text.encode("iso-8859-1"))
    assert_refused(path, r"Reviews.xls is not readable XML")


@pytest.mark.parametrize(
    ("member", "content", "words"),
    [
        ("word/document.xml", "<w/>", "is an archive without anything .* save its table as .xlsx"),
        ("xl/workbook.xml", BOMB + "<workbook>&a9;</workbook>", "declares a document type"),
    ],
    ids=["no workbook", "a document type"],
)
def test_packages_that_are_refused(tmp_path: Path, member: str, content: str, words: str):
    path = tmp_path / "Reviews.xlsx"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr(member, content)
    assert_refused(path, f"Reviews.xlsx {words}")


@pytest.mark.slow
def test_random_damage_of_a_workbook_never_raises_anything_else(tmp_path: Path):
    """As tests/fuzz has it for other kinds of files."""
    rows = [[], [], TITLES, *([n, f"r{n}@example.org", 3] for n in range(3, 30))]
    path = xlsx_workbook(tmp_path / "saved.xlsx", Main=rows)
    whole = path.read_bytes()
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
    comment = "Sound, clear and new. " * 70
    before, after = workbook(LONG).split(LONG)
    path = tmp_path / "Reviews.xls"
    with path.open("w", encoding="utf-8") as file:
        file.write(before)
        for number in range(100_000):
            who = f"reviewer{number % 9000}@example.org"
            file.write(row(str(number // 4), who, str(number % 5 + 1), comment))
        file.write(after)
    reviews, megabytes = read_apart(path)
    assert reviews == 100_000
    assert megabytes < 250
