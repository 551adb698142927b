"""Read CMT's reviews, comparisons and submissions; write paper statuses.

Reviews.xls is read as exported, or saved again as XLSX or CSV. A question of its form that has values has two
columns: "Q10 (Overall score)" holds the label that was chosen, "Q10 (Overall score - Value)" its number.
The numbers are scores; a field is called by its label.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import polars as pl

from unround.formats.cells import counted, on_one_line
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, title_of
from unround.formats.model import (
    Context,
    ExportedFile,
    ExportOptions,
    FileContent,
    Gives,
    ImportRefused,
    KnownReviewers,
    Options,
    PaperBuilder,
    SheetBuilder,
    content_of_tables,
)
from unround.formats.systems.exports import (
    ExportKind,
    Exports,
    column_of,
    columns_by_title,
    decided_papers,
)
from unround.formats.systems.form_fields import Field
from unround.formats.systems.review_collector import ReviewCollector

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
    ExportKind("reviews", _REVIEWS_TITLE, ("paper id", "question"), any_of=_REVIEWER),
    ExportKind(
        "meta-reviews",
        "CMT meta-reviews (not used)",
        ("paper id", "question"),
        any_of=_META_REVIEWER,
        lacks=_REVIEWER | _OF_A_SUBMISSION,
    ),
    ExportKind("reviews", _REVIEWS_TITLE, ("paper id", "question"), lacks=_OF_A_SUBMISSION),
    ExportKind(
        "ratings",
        "CMT ratings of reviews (not used)",
        ("reviewer email", "rating", "meta-reviewer email"),
    ),
    ExportKind(
        "comparisons",
        "CMT paper comparisons (ReviewerSubmissionComparisons.txt)",
        ("reviewer email", "left", "operator", "right"),
    ),
    ExportKind(
        "submissions", "CMT submissions", ("paper id", "paper title"), any_of=_OF_A_SUBMISSION
    ),
    title=_title,
)

HOW_TO_EXPORT = "In the chair's console choose Actions > Export to Excel > Reviews"
REVIEW_TITLES = {
    "paper": "Paper ID",
    "title": "Paper Title",
    "reviewer_name": "Reviewer Name",
    "reviewer_email": "Reviewer Email",
    "review": "Reviewer Number",
    "modified": "Last Modified",
}
BY_NAME = "no 'Reviewer Email': reviewers go by their names, so two of one name count as one"
_UNNAMED_SHEET = re.compile(r"(sheet|tabelle|feuil|hoja)? ?[0-9]*", re.IGNORECASE)
_VALUE = re.compile(r"\s*-\s*value(?=\)$)", re.IGNORECASE)


def read_reviews(source: Source, options: Options, context: Context) -> FileContent:
    """Read the reviews of all tracks, each with the form of its own table."""
    notes: list[str] = []
    tables = EXPORTS.tables(source, "reviews", notes=notes, wanted=_wanted(options))
    return content_of_tables([_content(table, options) for _, table in tables], notes)


def _wanted(options: Options) -> Callable[[str], bool]:
    """Return the test for columns that can matter: the texts of reviews are not even kept."""
    named = {title_of(title) for title in (*options.columns.values(), *options.score_fields)}

    def is_wanted(name: str) -> bool:
        title = on_one_line(name)
        is_text = QUESTION.fullmatch(title) and not _VALUE.search(title)
        return title_of(name) in named or not is_text

    return is_wanted


def _content(table: Table, options: Options) -> FileContent:
    collector = ReviewCollector(table.where, "CMT reviews", HOW_TO_EXPORT)
    collector.withdrawn_in = "the export of submissions with their status"
    columns = columns_by_title(table, REVIEW_TITLES, options)
    if "reviewer" in options.columns:
        columns["reviewer"] = column_of(table, options.columns["reviewer"])
    elif not _has_addresses(table, columns.get("reviewer_email")) and "reviewer_name" in columns:
        collector.notes.append(BY_NAME)
    # A worksheet is named after its track, unless a spreadsheet program named it.
    if not _UNNAMED_SHEET.fullmatch(table.sheet):
        table = replace(table, data=table.data.with_columns(pl.lit(table.sheet).alias("track")))
        columns["track"] = "track"
    fields = [name for name in table.data.columns if name not in columns.values()]
    for name in fields:
        collector.fields[name] = Field(name, _VALUE.sub("", on_one_line(name)))
    collector.add_rows(table, columns, fields)
    return replace(collector.part(options), file=f"sheet '{table.sheet}'" if table.sheet else "")


def _has_addresses(table: Table, column: str | None) -> bool:
    """Return whether reviewers have addresses; refuse a table where only some have."""
    addresses = table.texts(column) if column else []
    if not any(addresses):
        return False
    if "" in addresses:
        raise ImportRefused(
            f"{table.place(addresses.index(''))} has no {column!r}; write the reviewer's address there, or "
            "remove the row"
        )
    return True


PAPER_TITLES = {
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
    columns = columns_by_title(table, PAPER_TITLES, options)
    titles = [title for title in table.header if AREA_CHAIR in title.casefold()]
    junior = [title for title in titles if "senior" not in title.casefold()]
    primary = [title for title in junior if "primary" in title.casefold()]
    named = options.columns.get("area_chair")
    chair = table.find(named) if named else next(iter(primary or junior), None)
    return columns if chair is None else {**columns, "area_chair": chair}


COMPARISON_COLUMNS = ("Reviewer Email", "Left", "Operator", "Right")
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
            email, left, operator, right = (cells[title.casefold()] for title in COMPARISON_COLUMNS)
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


def export(
    target: str, scores: pl.DataFrame, papers: pl.DataFrame, options: ExportOptions
) -> ExportedFile:
    """Return the paper's number and its decision, by the names of CMT's paper statuses, with tabs."""
    rows = (f"{paper}\t{decision}\r\n" for paper, decision in decided_papers(papers))
    return ExportedFile("txt", "".join(rows))


READERS = (
    EXPORTS.reader(read_reviews, Gives.REVIEWS, "reviews"),
    EXPORTS.unused("meta-reviews", "ratings"),
    EXPORTS.reader(read_comparisons, Gives.STATEMENTS, "comparisons"),
    EXPORTS.papers("submissions", add_submissions),
)
