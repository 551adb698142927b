"""A synthetic conference written as CMT would export it gives the same run, bit for bit."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import unround
from unround.formats.importer import import_files
from unround.formats.synthetic import NamedConference, named
from unround.formats.systems import cmt

LETTERS = unround.Scale.letters("A", "E")
CONFERENCES = {
    "default": {"seed": 1},
    "uneven loads": {"seed": 2, "papers_per_reviewer": [2, 7, 5], "papers": 80},
    "half points": {"seed": 3, "scale": [1, 1.5, 2, 2.5, 3], "papers": 50},
    "ties": {"seed": 4, "noise": 6.0, "papers": 60},  # opinions clipped to the scale's ends tie
    "letters": {"seed": 5, "scale": LETTERS, "papers": 40},
}


@pytest.fixture(params=CONFERENCES)
def conference(request: pytest.FixtureRequest) -> NamedConference:
    return named(unround.simulate.thurstone(**CONFERENCES[request.param]))


def test_round_trip(conference: NamedConference, tmp_path: Path):
    reviews, comparisons, submissions = cmt.write_conference(conference, tmp_path)
    imported = import_files([reviews, submissions], [comparisons])
    plain = unround.dequantize(conference.reviews, conference.rankings, scale=conference.scale)
    again = unround.dequantize(
        imported.reviews.table,
        [sheet.table for sheet in imported.rankings],
        same=imported.same.table if imported.same else None,
        scale=conference.scale,
    )
    assert again.lam == plain.lam
    keys = ["reviewer", "paper"]
    columns = [*keys, "reviewer_name", "score", "title", "track", "dequantized"]
    here, there = (result.scores.select(columns).sort(keys) for result in (plain, again))
    assert here.equals(there)
    assert np.array_equal(plain.papers["dequantized_mean"], again.papers["dequantized_mean"])


def test_what_is_known_of_papers_survives(conference: NamedConference, tmp_path: Path):
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


# The process's own peak: getrusage would count that of the process that started it.
STATUS = Path("/proc/self/status")
MEASURE = """
import re, sys
from pathlib import Path
from unround.formats.importer import import_files
imported = import_files([Path(sys.argv[1])])
peak = re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text()).group(1)
print(imported.reviews.table.height, int(peak) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(not STATUS.exists(), reason="no /proc to measure with")
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
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True
    )
    reviews, megabytes = map(int, done.stdout.split())
    assert reviews == 100_000
    assert megabytes < 250
