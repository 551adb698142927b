"""Recognise EasyChair's tables by the titles of their columns; read its committee and submissions.

Tables are CSV files, or sheets of a workbook.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import polars as pl

from unround.formats.files.source import Source
from unround.formats.files.tables import Table
from unround.formats.model import FileContent, ImportRefused, Options, PaperBuilder
from unround.formats.synthetic import NamedConference
from unround.formats.systems.exports import Exports
from unround.output.tables import write_csv

TITLES = {"title": "title", "track": "track name", "decision": "decision"}
META_REVIEWS = (
    "EasyChair meta-reviews, which are not used: scores are those of reviewers; give review.csv"
)


class EasyChairExport(Enum):
    """The kinds of tables, and what people call them."""

    REVIEWS = "EasyChair reviews (review.csv, or the workbook with all data)"
    META_REVIEWS = "EasyChair meta-reviews (metareview.csv, not used)"
    COMMITTEE = "EasyChair committee (committee.csv)"
    SUBMISSIONS = "EasyChair submissions (submission.csv)"


def _kind(titles: set[str]) -> EasyChairExport | None:
    if {"submission #", "member name"} <= titles:
        if "version" in titles and titles & {"scores", "total score"}:
            return EasyChairExport.REVIEWS
        return EasyChairExport.META_REVIEWS if "recommendation" in titles else None
    if {"#", "person #", "first name", "last name", "email", "role"} <= titles:
        return EasyChairExport.COMMITTEE
    if {"#", "title", "authors", "decision"} <= titles:
        return EasyChairExport.SUBMISSIONS
    return None


EXPORTS = Exports("easychair", EasyChairExport, _kind)


# Keys of FileContent.members: a person need not be on the committee.
MEMBER_KEY, PERSON_KEY = "EasyChair member {}", "EasyChair person {}"


def read_committee(source: Source, options: Options) -> FileContent:
    """Read a committee file."""
    members: dict[str, str] = {}
    for _, table in EXPORTS.tables(source, EasyChairExport.COMMITTEE):
        members |= members_in(table)
    if not members:
        raise ImportRefused(
            f"{source.name} (EasyChair committee) names nobody with an e-mail; download it with a chair's "
            "account"
        )
    people = sum(key.startswith(MEMBER_KEY.format("")) for key in members)
    return FileContent(
        recognised=f"{source.name}: EasyChair committee, {people} members and their e-mails",
        members=members,
    )


def members_in(table: Table) -> dict[str, str]:
    """Return the e-mail of every member number and person number of a committee table."""
    members: dict[str, str] = {}
    for _, cells in table.records():
        for title, key in (("#", MEMBER_KEY), ("person #", PERSON_KEY)):
            if cells["email"] and cells[title]:
                members[key.format(cells[title])] = cells["email"]
    return members


def read_submissions(source: Source, options: Options) -> FileContent:
    """Read one row per paper."""
    papers = PaperBuilder()
    for _, table in EXPORTS.tables(source, EasyChairExport.SUBMISSIONS):
        add_submissions(papers, table)
    return FileContent(
        recognised=f"{source.name}: EasyChair submissions",
        papers=papers.papers(),
        withdrawn=papers.withdrawn,
    )


def add_submissions(papers: PaperBuilder, table: Table) -> None:
    """Add the papers of a table, and those among them that were deleted."""
    for place, cells in table.records():
        known = {ours: cells.get(title, "") for ours, title in TITLES.items()}
        deleted = cells.get("deleted?", "").casefold() in ("yes", "✔")
        papers.add_paper(place, cells["#"], known, "deleted" * deleted)


def pass_over_meta_reviews(source: Source, _: Options) -> FileContent:
    """Take nothing from meta-reviews, and say so."""
    return FileContent(recognised=f"{source.name}: {META_REVIEWS}")


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
    reviews = conference.reviews.with_columns(
        number=pl.int_range(1, pl.len() + 1).over("paper"), row=pl.int_range(1, pl.len() + 1)
    )
    people = reviews.select("reviewer", "reviewer_name").unique().sort("reviewer").rows()
    members = {email: number for number, (email, _) in enumerate(people, start=1)}
    committee = (
        (members[email], 1000 + members[email], *name.split(" ", 1), email, "", "", "", "PC member")
        for email, name in people
    )
    submissions = (
        (paper, title, "", DATE, DATE, "", "", "no decision", "no", "no", "", "no")
        for paper, title in reviews.select("paper", "title").unique().sort("paper").rows()
    )
    contents: dict[str, Iterable[Sequence[Any]]] = {
        "review.csv": [REVIEW_HEADER, *(_review(row, members) for row in reviews.rows(named=True))],
        "committee.csv": [COMMITTEE_HEADER, *committee],
        "submission.csv": [SUBMISSION_HEADER, *submissions],
    }
    for name, rows in contents.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
    write_csv(conference.rankings, folder / "rankings.csv")
    return [folder / name for name in (*contents, "rankings.csv")]


def _review(row: Mapping[str, Any], members: Mapping[str, int]) -> tuple[Any, ...]:
    scores = f"Overall evaluation: {row['score']}\nReviewer's confidence: {row['confidence']}"
    return (
        *(row["row"], row["paper"], members[row["reviewer"]], row["reviewer_name"], row["number"]),
        *(1, "A synthetic review", scores, row["score"], "", "", "", "", DATE, TIME, "no"),
    )
