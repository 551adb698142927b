"""Write a synthetic conference as EasyChair exports it; rankings, which it does not have, as a table."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from unround.formats.synthetic import NamedConference
from unround.output.tables import write_csv

REVIEW_HEADER = (
    *("#", "submission #", "member #", "member name", "number", "version", "text", "scores"),
    *("total score", "reviewer first name", "reviewer last name", "reviewer email"),
    *("reviewer person #", "date", "time", "attachment?"),
)
COMMITTEE_HEADER = (
    *("#", "person #", "first name", "last name", "email", "country", "affiliation"),
    *("Web page", "role"),
)
SUBMISSION_HEADER = (
    *("#", "title", "authors", "submitted", "last updated", "form fields", "keywords"),
    *("decision", "notified", "reviews sent", "abstract", "deleted?"),
)
DATE, TIME = "2026-01-15", "12:00"


def write_conference(conference: NamedConference, folder: Path) -> list[Path]:
    """Write review.csv, committee.csv, submission.csv and rankings.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    reviews = conference.reviews
    people = (
        reviews.select("reviewer", "reviewer_name").unique(maintain_order=True).sort("reviewer")
    )
    members = {email: number for number, email in enumerate(people["reviewer"], start=1)}
    papers = reviews.unique("paper", maintain_order=True).sort("paper")
    contents: dict[str, Iterable[Sequence[Any]]] = {
        "review.csv": [REVIEW_HEADER, *_reviews(reviews, members)],
        "committee.csv": [COMMITTEE_HEADER, *_committee(people)],
        "submission.csv": [SUBMISSION_HEADER, *_submissions(papers)],
    }
    for name, rows in contents.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
    write_csv(conference.rankings, folder / "rankings.csv")
    return [folder / name for name in (*contents, "rankings.csv")]


def _reviews(reviews: pl.DataFrame, members: dict[str, int]) -> Iterable[tuple[Any, ...]]:
    numbered = reviews.with_columns(
        number=pl.int_range(1, pl.len() + 1).over("paper"), row=pl.int_range(1, pl.len() + 1)
    )
    for row in numbered.iter_rows(named=True):
        member = members[row["reviewer"]], row["reviewer_name"]
        scores = f"Overall evaluation: {row['score']}\nReviewer's confidence: {row['confidence']}"
        text = ("A synthetic review", scores, row["score"])
        yield (
            row["row"],
            row["paper"],
            *member,
            row["number"],
            1,
            *text,
            *[""] * 4,
            DATE,
            TIME,
            "no",
        )


def _committee(people: pl.DataFrame) -> Iterable[tuple[Any, ...]]:
    for number, (email, name) in enumerate(people.iter_rows(), start=1):
        first, _, last = name.partition(" ")
        yield number, 1000 + number, first, last, email, "", "", "", "PC member"


def _submissions(papers: pl.DataFrame) -> Iterable[tuple[Any, ...]]:
    for paper, title in papers.select("paper", "title").iter_rows():
        yield paper, title, "", DATE, DATE, "", "", "no decision", "no", "no", "", "no"
