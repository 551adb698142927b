"""A conference in PeerRead's folders: order, splits and repeats as published."""

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from tests.formats.given_files import refused, written

from studies.peerread import convert
from unround import read
from unround.lab.catalogue.iclr import read_scores, score_table

CONFERENCE = Path(__file__).parent / "conference"
PEERREAD = os.environ.get("UNROUND_PEERREAD")  # a checkout


def paper(folder: Path, name: str, *reviews: object, split: str = "train") -> Path:
    inside = folder / split / "reviews"
    inside.mkdir(parents=True, exist_ok=True)
    return written(inside, f"{name}.json", json.dumps({"title": name, "reviews": reviews}))


def review(score: object, comments: object) -> dict[str, object]:
    return {"RECOMMENDATION": score, "comments": comments}


def scores(folder: Path) -> list[str]:
    table = folder / "scores.csv"
    convert(folder, table)
    return pl.read_csv(table, infer_schema=False)["score"].to_list()


def test_the_whole_conference(tmp_path: Path):
    table = tmp_path / "scores.csv"
    said = convert(CONFERENCE, table)
    assert said == (
        "4 papers, 13 reviews written; left out: 4 entries without a recommendation, "
        "1 entry with the text of another"
    )
    papers = [
        # Names as strings: 10 before 9. Splits: train, test, dev.
        ("train", "10", ["5", "5.5", "6"]),
        # A meta-review has the text of the last review, but no recommendation: this one counts.
        ("train", "9", ["7", "9", "8"]),
        ("test", "100", ["3", "4", "2"]),
        ("dev", "1", ["1", "2", "1", "3"]),
    ]
    assert pl.read_csv(table, infer_schema=False).rows() == [
        (split, paper, str(index), score)
        for split, paper, scores in papers
        for index, score in enumerate(scores)
    ]
    assert score_table(table)[:, 0].tolist() == [5, 7, 3, 1]
    assert read(table).reviews["reviewer"].to_list()[:3] == ["10/0", "10/1", "10/2"]


def test_a_checkout_gives_iclr_2017(tmp_path: Path):
    paper(tmp_path / "data" / "iclr_2017", "1", review(3, "x"))
    assert scores(tmp_path) == ["3"]


@pytest.mark.parametrize(
    ("reviews", "expected"),
    [
        (
            [review(3, "x"), review(4, None), review(4, None), {"RECOMMENDATION": 5}],
            ["3", "4", "4", "5"],
        ),
        # PeerRead lists some conversations twice, and has reviews that differ by a line end.
        ([review(10, "A strong paper.\n"), review(9, "A strong paper.")] * 2, ["10", "9"]),
    ],
    ids=["without any text", "equal to the last character"],
)
def test_only_equal_texts_repeat_each_other(
    tmp_path: Path, reviews: list[object], expected: list[str]
):
    paper(tmp_path, "1", *reviews)
    assert scores(tmp_path) == expected


@pytest.mark.parametrize("score", [True, [3], {"value": 3}])
def test_a_recommendation_that_is_no_score(tmp_path: Path, score: object):
    paper(tmp_path, "1", review(3, "x"), review(score, "y"))
    with refused(r"1\.json, review 2: RECOMMENDATION is .*not a score"):
        scores(tmp_path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        *((text, "a PeerRead file") for text in (b'{"reviews": 3}', b"[1, 2]", b'{"title": 1}')),
        *((text, "valid JSON") for text in (b'{"reviews": [', b"", b"[" * 100_000)),
        *((text, "UTF-8 text") for text in (b"\x00\xff\xfe", b'{"a": "\xe9"}')),
    ],
)
def test_a_broken_file_or_one_of_another_shape(tmp_path: Path, content: bytes, words: str):
    paper(tmp_path, "1", review(3, "x")).with_name("2.json").write_bytes(content)
    with refused(rf"2\.json is not {words}"):
        scores(tmp_path)


def test_on_the_command_line(tmp_path: Path):
    def call(*words: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "studies.peerread", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    done = call(CONFERENCE, "-o", tmp_path / "scores.csv")
    assert (done.returncode, done.stdout[:8]) == (0, "4 papers")
    done = call(tmp_path, "-o", tmp_path / "scores.csv")
    assert done.returncode == 1
    assert "is no conference of PeerRead: it has no train/reviews/*.json" in done.stderr


@pytest.mark.skipif(not PEERREAD, reason="UNROUND_PEERREAD does not give the path of a checkout")
def test_the_published_scores(tmp_path: Path):
    convert(Path(str(PEERREAD)), tmp_path / "iclr_2017.csv")
    assert read_scores(tmp_path / "iclr_2017.csv").is_iclr_2017
