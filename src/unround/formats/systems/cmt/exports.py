"""Recognise CMT's exports by the titles of their columns: one table per track, below a title."""

from __future__ import annotations

import re
from enum import Enum

from unround.formats.files.source import Source
from unround.formats.files.tables import Table
from unround.formats.model import (
    FileContent,
    ImportRefused,
    Options,
    Sheet,
    filled_columns,
    stacked,
)
from unround.formats.systems.exports import Exports, column_of, sheet_of

QUESTION = re.compile(r"(Q[0-9]+) ?\((.*)\)", re.IGNORECASE)
_REVIEWER = {"reviewer name", "reviewer email", "reviewer number"}
_META_REVIEWER = {"meta-reviewer name", "meta-reviewer email", "meta-reviewer number"}
_OF_A_SUBMISSION = {"track name", "primary contact author name", "primary subject area", "abstract"}


class Export(Enum):
    """The kinds of exports, in words."""

    REVIEWS = "reviews"
    META_REVIEWS = "meta-reviews"
    RATINGS = "ratings of reviews"
    COMPARISONS = "comparisons of papers"
    SUBMISSIONS = "submissions"


def _kind(has: set[str]) -> Export | None:
    """Return the export with these titles; comparisons and ratings first, as they have no questions."""
    if {"reviewer email", "left", "operator", "right"} <= has:
        return Export.COMPARISONS
    if {"reviewer email", "rating", "meta-reviewer email"} <= has:
        return Export.RATINGS
    if "paper id" not in has:
        return None
    asks = any(QUESTION.fullmatch(title) for title in has)
    if asks and has & _META_REVIEWER and not has & (_REVIEWER | _OF_A_SUBMISSION):
        return Export.META_REVIEWS
    if asks and (has & _REVIEWER or not has & _OF_A_SUBMISSION):
        return Export.REVIEWS
    if "paper title" in has and has & _OF_A_SUBMISSION:
        return Export.SUBMISSIONS
    return None


EXPORTS = Exports(Export, _kind)


TITLES = {
    "paper": "Paper ID",
    "title": "Paper Title",
    "track": "Track Name",
    "decision": "Status",
}
AREA_CHAIR = "meta-reviewer"


def read_submissions(source: Source, options: Options) -> FileContent:
    """Read one row per paper."""
    sheets: list[Sheet | None] = []
    for kind, table, _ in EXPORTS.tables(source):
        if kind is Export.SUBMISSIONS:
            sheets.append(sheet_of(table, _columns(table, options)))
    papers = stacked(sheets)
    if papers is None:
        raise ImportRefused(f"{source.name} (CMT submissions) holds no table of papers")
    filled = filled_columns(papers.table, ("paper",))
    return FileContent(
        recognised=f"{source.name}: CMT submissions, with {', '.join(filled.columns)}",
        papers=Sheet(filled, papers.place),
    )


def _columns(table: Table, options: Options) -> dict[str, str]:
    columns = {
        name: column
        for name, title in TITLES.items()
        if (column := table.find(options.columns.get(name, title))) is not None
    }
    columns["paper"] = column_of(table, options.columns.get("paper", TITLES["paper"]))
    chair = _area_chair(table, options)
    return columns if chair is None else {**columns, "area_chair": chair}


def _area_chair(table: Table, options: Options) -> str | None:
    """Return the column of meta-reviewers, preferring the primary one's."""
    if "area_chair" in options.columns:
        return table.find(options.columns["area_chair"])
    titles = [title for title in table.header if AREA_CHAIR in title.casefold()]
    junior = [title for title in titles if "senior" not in title.casefold()]
    primary = [title for title in junior if "primary" in title.casefold()]
    return next(iter(primary or junior), None)
