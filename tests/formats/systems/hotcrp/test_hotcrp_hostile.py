"""Files broken on purpose: a clear ImportRefused or a correct reading, never anything else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.formats.given_files import needs_proc, read_apart, refused, written
from tests.formats.systems.hotcrp.hotcrp_files import FIXTURES, KNOWING, KNOWN
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.formats.model import ImportRefused, Options, Reader
from unround.formats.systems import hotcrp

pytestmark = pytest.mark.slow

OPTIONS = Options(ranker=KNOWN[0]["reviewer"])
FILES = sorted(path.name for path in FIXTURES.iterdir() if path.is_file())
BY_NAME = {reader.name: reader for reader in hotcrp.READERS}


def survives(path: Path) -> None:
    """Recognition never raises; every reader reads the file or says what is wrong with it."""
    for reader in hotcrp.READERS:
        assert reader.recognises(Source(path)) in (True, False)
        assert path.name in outcome(reader, path)


def outcome(reader: Reader, path: Path) -> str:
    """What a reader says of a file: what it recognised, or what is wrong."""
    try:
        return reader.read(Source(path), OPTIONS, KNOWING).described
    except ImportRefused as problem:
        return str(problem)


@pytest.mark.parametrize("file", FILES)
def test_every_reader_survives_every_file(file: str) -> None:
    survives(FIXTURES / file)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "zeros": lambda: bytes(100_000),
    "noise": lambda: random.Random(3).randbytes(200_000),
    "latin": lambda: "paper,title,review,Overall merit\n1,Caf\xe9,1A,3\n".encode("latin-1"),
    "utf16": lambda: "paper,title,review,Overall merit\n1,Café,1A,3\n".encode("utf-16"),
    "open quote": lambda: b'paper,title,review,Overall merit\n1,"One,1A,3\n2,Two,2A,4\n',
    "cut off": lambda: b"paper,title,review,Overall merit\n1,One,1A",
    "deep": lambda: b'{"hotcrp_version":"3","reviewform":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "deep reviews": lambda: b'[{"object":"review","pid":1,"OveMer":' + b"[" * 200_000,
    "long cell": lambda: b"paper,title,review,Overall merit\n1,One,1A," + b"9" * 11_000_000,
    "long line": lambda: b"action,paper\n," + b"1" * 5_000_000 + b"\n",
    "wide": lambda: b"ID,Title," + b",".join(b"R%d #~rank" % n for n in range(6_000)) + b"\n",
    "wide reviews": lambda: b"paper,title,review," + b"Overall merit," * 20_000 + b"\n",
    "only a header": lambda: b"paper,title,review,Overall merit\n",
    "no papers": lambda: b'{"hotcrp_version": "3", "reviewform": [], "papers": []}',
    "not objects": lambda: b'{"hotcrp_version": "3", "reviewform": 7, "papers": [1, null]}',
    "odd reviews": lambda: b'{"hotcrp_version": "3", "papers": [{"pid": 1, "reviews": {"a": 1}}]}',
    "odd values": lambda: (
        b'[{"object":"review","pid":1.5,"rid":[],"status":7,"reviewer":{},"OveMer":NaN},'
        b'{"object":"review","pid":true,"ordinal":3,"OveMer":1e999}]'
    ),
    "odd form": lambda: json.dumps(
        {
            "hotcrp_version": "3",
            "reviewform": {
                "A": {"values": 3},
                "B": {"values": ["x"] * 2_000},
                "C": {"symbols": [True, {}]},
                "D": {"values": ["x"] * 20, "start": "Z"},
                "E": [],
            },
            "papers": [{"pid": 1, "reviews": [{"B": 1, "C": True, "D": "[", "E": 1}]}],
        }
    ).encode(),
    "huge number": lambda: b'[{"object":"review","pid":1,"OveMer":' + b"9" * 5_000 + b"}]",
    "lone surrogate": lambda: (
        b'[{"object":"review","pid":1,"rid":2,"reviewer":"\\ud800","OveMer":1}]'
    ),
    "marks only": lambda: b"==+== Begin Review #1A\n" * 1_000,
    "many fields": lambda: (
        b"==+== Begin Review #1A\n"
        + b"".join(b"==*== Field %d\n3\n" % n for n in range(20_000))
        + b"==+== End Review\n"
    ),
    "digits": lambda: b"action,paper\n,1\n" + b"1" * 2_000_000 + b"x,2\n",
    "spaces": lambda: b"==+== Begin Review" + b" " * 2_000_000 + b"!\n==+== Begin Review #1A\n",
    "at signs": lambda: (
        b"==+== Begin Review #1A\n==+== Reviewer: " + b"@" * 2_000_000 + b" b\n==+== End Review\n"
    ),
    "addresses": lambda: b"user,item,rank\n<" + b"a@" * 1_000_000 + b",1,1\n",
    "long title": lambda: (
        b"==+== Begin Review #1A\n==-== Title: T\n" + b"==-==        on\n" * 200_000
    ),
    "long name": lambda: b"paper,title,review," + b"Ab" * 2_000_000 + b"\n1,One,1A,3\n",
    "carriage returns": lambda: b"action,paper\r,1\r=,2\r",
}


# What a reader says of some of them.
SAID = {
    "empty": ("hotcrp-reviews", "has no cells; export it again"),
    "deep": ("hotcrp-rqc", "is not valid JSON"),
    "deep reviews": ("hotcrp-reviews-json", "is not valid JSON"),
    "not objects": ("hotcrp-rqc", "paper 1 of the file is not a JSON object"),
    "odd reviews": ("hotcrp-rqc", "paper 1 of the file: 'reviews' is not a list"),
    "odd values": ("hotcrp-reviews-json", "names no paper"),
    "huge number": ("hotcrp-reviews-json", "is not valid JSON"),
    "marks only": ("hotcrp-forms", "begins on line 1 has no end"),
    "only a header": ("hotcrp-reviews", "holds no submitted reviews"),
    "no papers": ("hotcrp-rqc", "holds no submitted reviews"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"{name}.dat", HOSTILE[name]())
    survives(path)
    if name in SAID:
        reader, words = SAID[name]
        assert words in outcome(BY_NAME[reader], path)


@pytest.mark.parametrize("name", ["only a header", "no papers"])
def test_files_without_reviews_are_refused(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"{name}.dat", HOSTILE[name]())
    with refused(r"no reviews among .* holds no submitted reviews"):
        import_files([path])


@needs_proc
def test_a_hundred_thousand_reviews_with_texts_stay_small(tmp_path: Path) -> None:
    form = {"OveMer": {"name": "Overall merit", "type": "radio", "values": list("abcde")}}
    text = "A review of some length, with ’typographic’ marks. " * 20
    path = tmp_path / "large"
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps({"hotcrp_version": "3", "reviewform": form})[:-1] + ', "papers": [')
        for paper in range(25_000):
            reviews = [
                {"object": "review", "pid": paper, "rid": 4 * paper + number, "status": "complete"}
                | {"reviewer_email": f"r{(paper + number * 997) % 25_000}@example.org"}
                | {"OveMer": 1 + (paper + number) % 5, "PapSum": text}
                for number in range(4)
            ]
            paper_json = json.dumps({"pid": paper, "title": "T", "reviews": reviews})
            file.write(("," if paper else "") + paper_json)
        file.write("]}")
    reviews, megabytes = read_apart(path)
    path.unlink()
    assert reviews == 100_000
    assert megabytes < 300
