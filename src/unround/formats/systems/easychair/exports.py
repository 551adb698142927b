"""Recognise EasyChair's tables by the titles of their columns: CSV files, or sheets of a workbook."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from unround.formats.files.source import Source, once_per_source
from unround.formats.systems.sheet_tables import Layouts, kinds_in


class Export(Enum):
    """The kinds of tables, in words."""

    REVIEWS = "reviews"
    META_REVIEWS = "meta-reviews"
    COMMITTEE = "committee"
    SUBMISSIONS = "submissions"


def recogniser(*exports: Export) -> Callable[[Source], bool]:
    """Return a function that tells whether a file's most important table is one of these."""
    return lambda source: export_of(source) in exports


@once_per_source
def export_of(source: Source) -> Export | None:
    """Return the kind of the most important table at the beginning of a file."""
    kinds = kinds_in(source, LAYOUTS)
    return next((kind for kind in Export if kind in kinds), None)


def _kind(titles: set[str]) -> Export | None:
    if {"submission #", "member name"} <= titles:
        if "version" in titles and titles & {"scores", "total score"}:
            return Export.REVIEWS
        return Export.META_REVIEWS if "recommendation" in titles else None
    if {"#", "person #", "first name", "last name", "email", "role"} <= titles:
        return Export.COMMITTEE
    if {"#", "title", "authors", "decision"} <= titles:
        return Export.SUBMISSIONS
    return None


LAYOUTS = Layouts(_kind, ("submission #", "person #", "title"))
