"""PeerRead's folders, and tables of public scores: no reviewers, order and repeats as published."""

import json
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.formats.given_files import read_as, refused
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.formats.model import FileContent
from unround.formats.registry import recognise
from unround.formats.systems.peerread import review_files, score_table

FIXTURE = Path(__file__).parents[1] / "fixtures" / "peerread"
ANONYMOUS = "reviewers are not named: each review counts as a reviewer of its own"


def read(path: Path, name: str = "peerread-folder") -> FileContent:
    return read_as(name, path)


def paper(folder: Path, name: str, *reviews: object, **others: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"title": name, "reviews": list(reviews), **others}), "utf-8")
    return path


def review(score: object, comments: object) -> dict[str, object]:
    return {"RECOMMENDATION": score, "comments": comments}


class TestFolder:
    def test_the_whole_conference(self):
        part = read(FIXTURE)
        rows = [
            # Names as strings: 10 before 9. Splits: train, test, dev.
            ("10/0", "10", "5", "0", "Ten — café", "rejected", "4"),
            ("10/1", "10", "5.5", "1", "Ten — café", "rejected", "4"),
            ("10/2", "10", "6", "2", "Ten — café", "rejected", "4"),
            ("9/0", "9", "7", "0", "Nine", "accepted", "4"),
            ("9/1", "9", "9", "1", "Nine", "accepted", "4"),
            # The meta-review has the same text but no recommendation: this one counts.
            ("9/2", "9", "8", "2", "Nine", "accepted", "4"),
            ("100/0", "100", "3", "0", "Hundred", "rejected", "4"),
            ("100/1", "100", "4", "1", "Hundred", "rejected", "4"),
            ("100/2", "100", "2", "2", "Hundred", "rejected", "4"),
            ("1/0", "1", "1", "0", "One", None, "4"),
            ("1/1", "1", "2", "1", "One", None, "4"),
            ("1/2", "1", "1", "2", "One", None, "4"),
            ("1/3", "1", "3", "3", "One", None, "4"),
        ]
        names = ("reviewer", "paper", "score", "review", "title", "decision", "confidence")
        expected = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
        assert_frame_equal(part.reviews.table, expected)
        assert part.reviews.place(3) == "9.json, review 2"
        assert part.reviews.place(5) == "9.json, review 5"
        assert part.recognised == "peerread: PeerRead, 4 papers, scores from RECOMMENDATION"
        assert part.notes == (
            f"peerread: {ANONYMOUS}",
            "peerread: 4 entries without a recommendation left out",
            "peerread: 1 entry with the text of another left out",
        )

    @pytest.mark.parametrize("level", ["train", "train/reviews"])
    def test_any_level(self, level: str):
        part = read(FIXTURE / level)
        assert part.reviews.table["paper"].unique(maintain_order=True).to_list() == ["10", "9"]

    def test_a_whole_checkout_asks_for_one_conference(self, tmp_path: Path):
        for conference in ("acl_2017", "iclr_2017"):
            shutil.copytree(FIXTURE, tmp_path / "PeerRead" / "data" / conference)
        with refused(
            r"PeerRead is not a conference of PeerRead; name one of its conferences: "
            r"data/acl_2017, data/iclr_2017"
        ):
            read(tmp_path / "PeerRead")
        with refused("name one of its conferences: acl_2017, iclr_2017"):
            read(tmp_path / "PeerRead" / "data")

    def test_a_paper_in_two_splits(self, tmp_path: Path):
        for split in ("train", "dev"):
            paper(tmp_path / split / "reviews", "7", review(3, "x"))
        with refused(r"has a paper twice: train/reviews/7\.json and dev/reviews/7\.json"):
            read(tmp_path)

    @pytest.mark.parametrize(
        ("reviews", "scores"),
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
        self, tmp_path: Path, reviews: list[object], scores: list[str]
    ):
        paper(tmp_path, "1", *reviews)
        assert read(tmp_path).reviews.table["score"].to_list() == scores

    @pytest.mark.parametrize("score", [True, [3], {"value": 3}])
    def test_a_recommendation_that_is_no_score(self, tmp_path: Path, score: object):
        paper(tmp_path, "1", review(3, "x"), review(score, "y"))
        with refused(r"1\.json, review 2: RECOMMENDATION is .*not a score"):
            read(tmp_path)

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            *(
                (text, "a PeerRead file")
                for text in (b'{"reviews": 3}', b"[1, 2]", b'{"title": 1}')
            ),
            *((text, "valid JSON") for text in (b'{"reviews": [', b"", b"[" * 100_000)),
            *((text, "UTF-8 text") for text in (b"\x00\xff\xfe", b'{"a": "\xe9"}')),
        ],
    )
    def test_a_broken_file_or_one_of_another_shape(
        self, tmp_path: Path, content: bytes, words: str
    ):
        paper(tmp_path, "1", review(3, "x"))
        (tmp_path / "2.json").write_bytes(content)
        with refused(rf"2\.json is not {words}"):
            read(tmp_path)

    def test_no_recommendation_anywhere(self, tmp_path: Path):
        paper(tmp_path, "1", {"comments": "A question."})
        with refused("no review in 1 files has a RECOMMENDATION"):
            read(tmp_path)

    def test_other_files_beside_the_reviews_are_passed_over(self, tmp_path: Path):
        paper(tmp_path, "b", review(3, "x"))
        paper(tmp_path, "a", review(3, "x"))
        (tmp_path / "readme.txt").write_text("hello", "utf-8")
        (tmp_path / "c.json").mkdir()
        assert [path.name for path in review_files(tmp_path)] == ["a.json", "b.json"]


class TestScoreTable:
    def test_every_review_in_order(self):
        table = score_table(FIXTURE)
        assert len(table) == 4
        np.testing.assert_array_equal(table[:3, :3], [[5, 5.5, 6], [7, 9, 8], [3, 4, 2]])

    def test_scores_that_are_words(self, tmp_path: Path):
        paper(tmp_path, "1", review("good", "x"), review(2, "y"))
        with refused("paper 1 has scores that are not numbers: good, 2"):
            score_table(tmp_path)

    def test_nothing_there(self, tmp_path: Path):
        with refused("does not exist"):
            score_table(tmp_path / "none")
        with refused(r"it holds no \.json files"):
            score_table(tmp_path)

    def test_from_a_table_of_scores(self, tmp_path: Path):
        path = tmp_path / "scores.csv"
        path.write_text(
            "split,paper_id,review_index,score\n"
            "train,5,0,8\ntrain,5,1,7\ntrain,5,2,1\ntest,4,0,3\ntest,4,1,4\ndev,1,0,2\n",
            "utf-8",
        )
        nan = float("nan")
        expected = [[8, 7, 1], [3, 4, nan], [2, nan, nan]]
        np.testing.assert_array_equal(score_table(path), expected)


class TestScores:
    def test_splits(self, tmp_path: Path):
        path = tmp_path / "scores.csv"
        path.write_text(
            "split,paper_id,review_index,score\ntrain,30,0,8\ntrain,30,1,\ntest,4,0,3.5\n", "utf-8"
        )
        part = read(path, "peerread-scores")
        assert part.reviews.table.rows() == [("30/0", "30", "8", "0"), ("4/0", "4", "3.5", "0")]
        assert part.reviews.table.columns == ["reviewer", "paper", "score", "review"]
        assert part.reviews.place(1) == "scores.csv, line 4"
        assert part.notes == (
            f"scores.csv: {ANONYMOUS}",
            "scores.csv: 1 review without a score left out",
        )

    def test_venues(self, tmp_path: Path):
        path = tmp_path / "scores.parquet"
        pl.DataFrame(
            {
                "venue": ["ICLR"] * 3,
                "year": [2026] * 3,
                "paper": ["00F7", "00F7", "x1"],
                "review_index": [0, 1, 0],
                "score": [4, 6, 10],
                "confidence": [3, None, 5],
            }
        ).write_parquet(path)
        part = read(path, "peerread-scores")
        assert part.reviews.table.rows() == [
            ("00F7/0", "00F7", "4", "0", "3"),
            ("00F7/1", "00F7", "6", "1", None),
            ("x1/0", "x1", "10", "0", "5"),
        ]
        imported = import_files([path])
        assert imported.reviews["score"].to_list() == [4, 6, 10]

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            (
                "venue,year,paper,review_index,score,confidence\n"
                "ICLR,2025,a,0,4,3\nICLR,2026,b,0,4,3\n",
                r"several conferences \(ICLR 2025, ICLR 2026\)",
            ),
            (
                "split,paper_id,review_index,score\ntrain,3,0,4\ntrain,4,0,4\ndev,4,0,5\n",
                "has paper 4 in more than one split: train, dev",
            ),
            ("split,paper_id,review_index,score\ntrain,3,0,\n", r"scores\.csv holds no scores"),
        ],
    )
    def test_what_is_refused(self, tmp_path: Path, text: str, words: str):
        path = tmp_path / "scores.csv"
        path.write_text(text, "utf-8")
        with refused(words):
            read(path, "peerread-scores")

    def test_another_table(self, tmp_path: Path):
        path = tmp_path / "scores.csv"
        path.write_text("paper,score\n1,2\n", "utf-8")
        with refused(r"no table of public scores; needed are .*; found: paper, score"):
            score_table(path)

    def test_with_reviewers_it_is_an_ordinary_table(self, tmp_path: Path):
        path = tmp_path / "scores.csv"
        path.write_text("split,paper_id,review_index,score,reviewer\ntrain,3,0,2,ann\n", "utf-8")
        assert recognise(Source(path)).name == "csv-reviews"
