"""Recognise CMT's exports by the titles of their columns: one table per track, below a title."""

from __future__ import annotations

import re
from enum import Enum

from unround.formats.systems.exports import Exports

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
