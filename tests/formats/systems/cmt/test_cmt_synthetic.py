"""Synthetic conferences as CMT would export them: their shape, and a file too long to hold."""

from pathlib import Path

import pytest

import unround
from tests.formats.given_files import needs_proc, read_apart
from unround.formats.importer import import_files
from unround.formats.synthetic import named
from unround.formats.systems import cmt


def test_what_is_known_of_papers_survives(tmp_path: Path):
    conference = named(unround.simulate.thurstone(papers=50, seed=1))
    imported = import_files(cmt.write_conference(conference, tmp_path))
    wanted = (
        conference.reviews.select("paper", "title", "track", "area_chair").unique().sort("paper")
    )
    assert imported.papers.drop("decision").equals(wanted)
    sure = conference.reviews.sort("reviewer", "paper")["confidence"].cast(str).to_list()
    assert imported.reviews.table.sort("reviewer", "paper")["confidence"].to_list() == sure


def test_the_files_look_like_cmt(tmp_path: Path):
    conference = named(unround.simulate.thurstone(papers=12, seed=0))
    paths = cmt.write_conference(conference, tmp_path)
    assert [path.name for path in paths] == [
        "Reviews.xls",
        "ReviewerSubmissionComparisons.txt",
        "Submissions.txt",
    ]
    book, statements, _ = (path.read_bytes() for path in paths)
    assert b'<Row ss:Index="3">' in book
    assert b"submission.\r\n - Value)" in book
    assert book.count(b"<Worksheet") == 4
    assert statements.startswith(b"Reviewer Email\tLeft\tOperator\tRight\r\n")


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
