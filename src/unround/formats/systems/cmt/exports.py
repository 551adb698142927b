"""Recognise CMT's exports by the titles of their columns: one table per track, below a title."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from enum import Enum

from unround.formats.files.source import Source, once_per_source
from unround.formats.systems.sheet_tables import Layouts, SheetTable, kinds_in
from unround.formats.systems.sheet_tables import tables as sheet_tables

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


def recogniser(*exports: Export) -> Callable[[Source], bool]:
    """Return a function that tells whether a file is one of these exports."""
    return lambda source: export_of(source) in exports


@once_per_source
def export_of(source: Source) -> Export | None:
    """Return the kind of export, by the titles of its columns."""
    return next(iter(kinds_in(source, _LAYOUTS)), None)


def tables(
    source: Source, export: Export, passed_over: list[str] | None = None
) -> Iterator[SheetTable]:
    """Yield the tables of this kind; add the other sheets that are not empty to `passed_over`."""
    for kind, table in sheet_tables(source, _LAYOUTS, passed_over):
        if kind is export:
            yield table
        elif passed_over is not None:
            passed_over.append(table.sheet)


def _kind(titles: Collection[str]) -> Export | None:
    """Return the export with these titles; comparisons and ratings first, as they have no questions."""
    has = set(titles)
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


_LAYOUTS = Layouts(_kind, ("paper id", "reviewer email"))
