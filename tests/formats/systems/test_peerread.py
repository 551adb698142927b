"""PeerRead's folders, and tables of public scores: no reviewers, order and repeats as published."""

import json
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.formats.given_files import places, read_as, refused, rows_of, written
from unround.formats.importer import import_files
from unround.formats.model import FileContent
from unround.formats.systems.peerread import score_table

FIXTURE = Path(__file__).parents[1] / "fixtures" / "peerread"
SPLITS = "split,paper_id,review_index,score\n"
ANONYMOUS = "reviewers are not named: each review counts as a reviewer of its own"


def read(path: Path, name: str = "peerread-folder") -> FileContent:
    return read_as(name, path)


def paper(folder: Path, name: str, *reviews: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return written(folder, f"{name}.json", json.dumps({"title": name, "reviews": reviews}))


def scores_csv(folder: Path, rows: str, header: str = SPLITS) -> Path:
    """A table of public scores."""
    return written(folder, "scores.csv", header + rows)


def review(score: object, comments: object) -> dict[str, object]:
    return {"RECOMMENDATION": score, "comments": comments}


class TestFolder:
    def test_the_whole_conference(self):
        part = read(FIXTURE)
        papers = [
            # Names as strings: 10 before 9. Splits: train, test, dev.
            ("10", "Ten — café", "rejected", ["5", "5.5", "6"]),
            # A meta-review has the text of the last review, but no recommendation: this one counts.
            ("9", "Nine", "accepted", ["7", "9", "8"]),
            ("100", "Hundred", "rejected", ["3", "4", "2"]),
            ("1", "One", None, ["1", "2", "1", "3"]),
        ]
        columns = ("reviewer", "paper", "score", "review", "title", "decision", "confidence")
        assert rows_of(part.reviews, *columns) == [
            (f"{paper}/{number}", paper, score, str(number), title, decision, "4")
            for paper, title, decision, scores in papers
            for number, score in enumerate(scores)
        ]
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

    def test_other_files_beside_the_reviews_are_passed_over(self, tmp_path: Path):
        paper(tmp_path, "b", review(3, "x"))
        paper(tmp_path, "a", {"comments": "A question."})
        written(tmp_path, "readme.txt", "hello")
        (tmp_path / "c.json").mkdir()
        assert places(read(tmp_path).reviews) == ["b.json, review 1"]
        (tmp_path / "b.json").unlink()
        with refused("no review in 1 files has a RECOMMENDATION"):
            read(tmp_path)


class TestScoreTable:
    def test_every_review_in_order(self):
        table = score_table(FIXTURE)
        assert len(table) == 4
        np.testing.assert_array_equal(table[:3, :3], [[5, 5.5, 6], [7, 9, 8], [3, 4, 2]])

    def test_scores_that_are_words_or_missing(self, tmp_path: Path):
        with refused("does not exist"):
            score_table(tmp_path / "none")
        with refused(r"it holds no \.json files"):
            score_table(tmp_path)
        paper(tmp_path, "1", review("good", "x"), review(2, "y"))
        with refused("paper 1 has scores that are not numbers: good, 2"):
            score_table(tmp_path)

    def test_from_a_table_of_scores(self, tmp_path: Path):
        rows = "train,5,0,8\ntrain,5,1,7\ntrain,5,2,1\ntest,4,0,3\ntest,4,1,4\ndev,1,0,2\n"
        nan = float("nan")
        expected = [[8, 7, 1], [3, 4, nan], [2, nan, nan]]
        np.testing.assert_array_equal(score_table(scores_csv(tmp_path, rows)), expected)
        with refused(r"no table of public scores; needed are .*; found: paper, score"):
            score_table(written(tmp_path, "scores.csv", "paper,score\n1,2\n"))


class TestScores:
    def test_splits(self, tmp_path: Path):
        path = scores_csv(tmp_path, "train,30,0,8\ntrain,30,1,\ntest,4,0,3.5\n")
        part = read(path, "peerread-scores")
        assert rows_of(part.reviews, "reviewer", "paper", "score", "review") == [
            ("30/0", "30", "8", "0"),
            ("4/0", "4", "3.5", "0"),
        ]
        assert part.reviews.place(1) == "scores.csv, line 4"
        assert part.notes == (
            f"scores.csv: {ANONYMOUS}",
            "scores.csv: 1 review without a score left out",
        )

    def test_venues(self, tmp_path: Path):
        path = tmp_path / "scores.parquet"
        names = ("venue", "year", "paper", "review_index", "score", "confidence")
        reviews = [("00F7", 0, 4, 3), ("00F7", 1, 6, None), ("x1", 0, 10, 5)]
        rows = [("ICLR", 2026, *review) for review in reviews]
        pl.DataFrame(rows, schema=names, orient="row").write_parquet(path)
        part = read(path, "peerread-scores")
        assert part.reviews.table.rows() == [
            ("00F7/0", "00F7", "4", "0", "3"),
            ("00F7/1", "00F7", "6", "1", None),
            ("x1/0", "x1", "10", "0", "5"),
        ]
        assert import_files([path]).reviews["score"].to_list() == [4, 6, 10]

    @pytest.mark.parametrize(
        ("header", "rows", "words"),
        [
            (
                "venue,year,paper,review_index,score,confidence\n",
                "ICLR,2025,a,0,4,3\nICLR,2026,b,0,4,3\n",
                r"several conferences \(ICLR 2025, ICLR 2026\)",
            ),
            (
                SPLITS,
                "train,3,0,4\ntrain,4,0,4\ndev,4,0,5\n",
                "has paper 4 in more than one split: train, dev",
            ),
            (SPLITS, "train,3,0,\n", r"scores\.csv holds no scores"),
        ],
    )
    def test_what_is_refused(self, tmp_path: Path, header: str, rows: str, words: str):
        with refused(words):
            read(scores_csv(tmp_path, rows, header), "peerread-scores")

    def test_with_reviewers_it_is_an_ordinary_table(self, tmp_path: Path):
        header = "split,paper_id,review_index,score,reviewer\n"
        read(scores_csv(tmp_path, "train,3,0,2,ann\n", header), "csv-reviews")
