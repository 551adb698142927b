"""Recognise CMT's exports by their columns; read comparisons and submissions."""

from __future__ import annotations

import re

from unround.formats.cells import counted
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, title_of
from unround.formats.model import (
    Context,
    FileContent,
    ImportRefused,
    KnownReviewers,
    Options,
    PaperBuilder,
    SheetBuilder,
)
from unround.formats.systems.exports import Exports, Kind, columns_by_title

QUESTION = re.compile(r"(Q[0-9]+) ?\((.*)\)", re.IGNORECASE)
_REVIEWER = {"reviewer name", "reviewer email", "reviewer number"}
_META_REVIEWER = {"meta-reviewer name", "meta-reviewer email", "meta-reviewer number"}
_OF_A_SUBMISSION = {"track name", "primary contact author name", "primary subject area", "abstract"}


def _title(name: str) -> str:
    """Return a column's title; any question of the form is a "question"."""
    title = title_of(name)
    return "question" if QUESTION.fullmatch(title) else title


_REVIEWS_TITLE = "CMT reviews (Reviews.xls, or saved again as XLSX or CSV)"
EXPORTS = Exports(
    "cmt",
    Kind("reviews", _REVIEWS_TITLE, ("paper id", "question"), any_of=_REVIEWER),
    Kind(
        "meta-reviews",
        "CMT meta-reviews (not used)",
        ("paper id", "question"),
        any_of=_META_REVIEWER,
        lacks=_REVIEWER | _OF_A_SUBMISSION,
    ),
    Kind("reviews", _REVIEWS_TITLE, ("paper id", "question"), lacks=_OF_A_SUBMISSION),
    Kind(
        "ratings",
        "CMT ratings of reviews (not used)",
        ("reviewer email", "rating", "meta-reviewer email"),
    ),
    Kind(
        "comparisons",
        "CMT paper comparisons (ReviewerSubmissionComparisons.txt)",
        ("reviewer email", "left", "operator", "right"),
    ),
    Kind("submissions", "CMT submissions", ("paper id", "paper title"), any_of=_OF_A_SUBMISSION),
    title=_title,
)


TITLES = {
    "paper": "Paper ID",
    "title": "Paper Title",
    "track": "Track Name",
    "decision": "Status",
}
AREA_CHAIR = "meta-reviewer"


def add_submissions(papers: PaperBuilder, table: Table, options: Options) -> None:
    """Add one paper per row. Whether it is withdrawn is known by the decision."""
    columns = _columns(table, options)
    cells = {ours: table.texts(name) for ours, name in columns.items()}
    for row in range(table.data.height):
        known = {ours: texts[row] for ours, texts in cells.items()}
        papers.add_paper(
            table.place(row), known["paper"], known, "" if "decision" in columns else None
        )


def _columns(table: Table, options: Options) -> dict[str, str]:
    """Return the columns by our names; area chairs are the meta-reviewers, the primary one if stated."""
    columns = columns_by_title(table, TITLES, options)
    titles = [title for title in table.header if AREA_CHAIR in title.casefold()]
    junior = [title for title in titles if "senior" not in title.casefold()]
    primary = [title for title in junior if "primary" in title.casefold()]
    named = options.columns.get("area_chair")
    chair = table.find(named) if named else next(iter(primary or junior), None)
    return columns if chair is None else {**columns, "area_chair": chair}


COLUMNS = ("Reviewer Email", "Left", "Operator", "Right")
HIDDEN = "x"  # stands for a paper that the exporting meta-reviewer may not see
PREFERRED, COMPARABLE = "preferredover", "comparable"


def read_comparisons(source: Source, options: Options, context: Context) -> FileContent:
    """Read PreferredOver as pairs and Comparable as 'same'; leave out statements on hidden papers."""
    pairs = SheetBuilder("reviewer", "better", "worse")
    same = SheetBuilder("reviewer", "paper", "same_as")
    reviewers: dict[str, str] = {}  # the one with each e-mail
    hidden, notes = 0, list[str]()
    for _, table in EXPORTS.tables(source, "comparisons", notes=notes):
        for place, cells in table.records():
            email, left, operator, right = (cells[title.casefold()] for title in COLUMNS)
            kind = operator.replace(" ", "").casefold()
            if kind not in (PREFERRED, COMPARABLE) or not left or not right:
                raise ImportRefused(
                    f"{place} is no comparison: expected a paper, PreferredOver or Comparable, and a "
                    f"paper; the operator is {operator[:60]!r}"
                )
            if HIDDEN in (left.casefold(), right.casefold()):
                hidden += 1
                continue
            statements = pairs if kind == PREFERRED else same
            if email not in reviewers:
                reviewers[email] = _reviewer(email, context.reviewers)
            statements.add(place, reviewers[email], left, right)
    if hidden:
        what = counted(hidden, "comparison")
        notes.append(
            f"{what} with a hidden paper (X) left out: every hidden paper is written alike"
        )
    return FileContent(
        recognised="CMT paper comparisons",
        pairs=pairs.sheet(),
        same=same.sheet(),
        notes=tuple(notes),
    )


def _reviewer(email: str, known: KnownReviewers) -> str:
    """Return the id of the one reviewer with this e-mail, in any case; else the e-mail as it is."""
    found = known.find(email)
    return found[0] if len(found) == 1 and email not in found else email
