"""Recognise CMT's exports by their columns; read comparisons and submissions; write synthetic files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from html import escape
from itertools import pairwise
from pathlib import Path

import polars as pl

from unround.formats.cells import counted
from unround.formats.files.source import Source
from unround.formats.files.tables import Table
from unround.formats.files.xml_sheets import NAMESPACE
from unround.formats.model import (
    FileContent,
    ImportRefused,
    KnownReviewers,
    Options,
    Sheet,
    SheetBuilder,
    filled_columns,
    stacked,
)
from unround.formats.synthetic import NamedConference
from unround.formats.systems.exports import Exports, columns_by_title, sheet_of

QUESTION = re.compile(r"(Q[0-9]+) ?\((.*)\)", re.IGNORECASE)
_REVIEWER = {"reviewer name", "reviewer email", "reviewer number"}
_META_REVIEWER = {"meta-reviewer name", "meta-reviewer email", "meta-reviewer number"}
_OF_A_SUBMISSION = {"track name", "primary contact author name", "primary subject area", "abstract"}


class CmtExport(Enum):
    """The kinds of exports, and what people call them."""

    REVIEWS = "CMT reviews (Reviews.xls, or saved again as XLSX or CSV)"
    META_REVIEWS = "CMT meta-reviews"
    RATINGS = "CMT ratings of reviews"
    COMPARISONS = "CMT paper comparisons (ReviewerSubmissionComparisons.txt)"
    SUBMISSIONS = "CMT submissions"


def _kind(has: set[str]) -> CmtExport | None:
    """Return the export with these titles; comparisons and ratings first, as they have no questions."""
    if {"reviewer email", "left", "operator", "right"} <= has:
        return CmtExport.COMPARISONS
    if {"reviewer email", "rating", "meta-reviewer email"} <= has:
        return CmtExport.RATINGS
    if "paper id" not in has:
        return None
    asks = any(QUESTION.fullmatch(title) for title in has)
    if asks and has & _META_REVIEWER and not has & (_REVIEWER | _OF_A_SUBMISSION):
        return CmtExport.META_REVIEWS
    if asks and (has & _REVIEWER or not has & _OF_A_SUBMISSION):
        return CmtExport.REVIEWS
    if "paper title" in has and has & _OF_A_SUBMISSION:
        return CmtExport.SUBMISSIONS
    return None


EXPORTS = Exports("cmt", CmtExport, _kind)


TITLES = {
    "paper": "Paper ID",
    "title": "Paper Title",
    "track": "Track Name",
    "decision": "Status",
}
AREA_CHAIR = "meta-reviewer"


def read_submissions(source: Source, options: Options) -> FileContent:
    """Read one row per paper."""
    tables = EXPORTS.tables(source, CmtExport.SUBMISSIONS)
    papers = stacked([sheet_of(table, _columns(table, options)) for _, table in tables])
    if papers is None:
        raise ImportRefused(
            f"{source.name} (CMT submissions) holds no table of papers; export the submissions again"
        )
    filled = filled_columns(papers.table, ("paper",))
    return FileContent(
        recognised=f"{source.name}: CMT submissions, with {', '.join(filled.columns)}",
        papers=Sheet(filled, papers.place),
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


def read_comparisons(source: Source, options: Options) -> FileContent:
    """Read PreferredOver as pairs and Comparable as 'same'; leave out statements on hidden papers."""
    pairs = SheetBuilder("reviewer", "better", "worse")
    same = SheetBuilder("reviewer", "paper", "same_as")
    reviewers: dict[str, str] = {}  # the one with each e-mail; "" for somebody who wrote no review
    hidden, notes = 0, list[str]()
    for _, table in EXPORTS.tables(source, CmtExport.COMPARISONS, notes=notes):
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
                reviewers[email] = _reviewer(email, options.known_reviewers)
            statements.add(place, reviewers[email] or email, left, right)
    if options.known_reviewers and reviewers and not any(reviewers.values()):
        met, other = min(reviewers), options.known_reviewers[0]["reviewer"]
        raise ImportRefused(
            f"{source.name}: none of its {len(reviewers)} reviewers, such as {met!r}, wrote a review; the "
            f"reviews' reviewers are called otherwise, such as {other!r}. Export the reviews with the "
            "column 'Reviewer Email'"
        )
    if hidden:
        what = counted(hidden, "comparison")
        notes.append(
            f"{what} with a hidden paper (X) left out: every hidden paper is written alike"
        )
    return FileContent(
        recognised=f"{source.name}: CMT paper comparisons",
        pairs=pairs.sheet(),
        same=same.sheet(),
        notes=tuple(f"{source.name}: {note}" for note in notes),
    )


def _reviewer(email: str, known: KnownReviewers) -> str:
    """Return the id of the one reviewer with this e-mail, in any case; "" if there is no or more than one."""
    found = known.find(email)
    if email in found:
        return email
    return found[0] if len(found) == 1 else ""


CONFERENCE = "Synthetic Conference"
WRITTEN = "3/13/2021 6:21:39 PM -08:00"
# CMT keeps the line ends that a chair typed into a question.
SCORE = 'Q10 (Please provide an "overall score" for this submission.\n{})'
CONFIDENCE = "Q11 (How confident are you?{})"
REVIEW_HEADER = (
    *("Paper ID", "Paper Title", "Reviewer Name", "Reviewer Email", "Reviewer Number", "Created"),
    *("Last Modified", "Q1 (Summary)", SCORE.format(""), SCORE.format(" - Value")),
    *(CONFIDENCE.format(""), CONFIDENCE.format(" - Value")),
)
SUBMISSION_HEADER = (
    *("Paper ID", "Created", "Last Modified", "Paper Title", "Track Name", "Meta-Reviewers"),
    "Status",
)
Cell = str | int | float


def write_conference(conference: NamedConference, folder: Path) -> list[Path]:
    """Write Reviews.xls, ReviewerSubmissionComparisons.txt and Submissions.txt."""
    names = ("Reviews.xls", "ReviewerSubmissionComparisons.txt", "Submissions.txt")
    reviews, comparisons, submissions = paths = [folder / name for name in names]
    _write_workbook(reviews, conference.reviews)
    _write_tabbed(comparisons, COLUMNS, _comparisons(conference.rankings))
    papers = conference.reviews.unique("paper", maintain_order=True).sort("paper")
    of_papers = (
        (paper, WRITTEN, WRITTEN, title, track, chair, "Awaiting Decision")
        for paper, title, track, chair in papers.select(
            "paper", "title", "track", "area_chair"
        ).iter_rows()
    )
    _write_tabbed(submissions, SUBMISSION_HEADER, of_papers)
    return paths


def _review(row: dict[str, Cell]) -> tuple[Cell, ...]:
    score, confidence = row["score"], row["confidence"]
    return (
        *(row[name] for name in ("paper", "title", "reviewer_name", "reviewer", "number")),
        *(WRITTEN, WRITTEN, ""),
        *(f"Level {score}", score, f"Confidence {confidence}", confidence),
    )


def _comparisons(rankings: pl.DataFrame) -> Iterator[tuple[Cell, ...]]:
    """Yield every paper of a rank over every paper of the next; papers of one rank as comparable."""
    for (reviewer,), ranked in rankings.group_by("reviewer", maintain_order=True):
        by_rank = ranked.sort("rank", maintain_order=True).group_by("rank", maintain_order=True)
        levels = by_rank.agg("paper")["paper"].to_list()
        for level in levels:
            for one, other in pairwise(level):
                yield str(reviewer), one, "Comparable", other
        for above, below in pairwise(levels):
            for better in above:
                for worse in below:
                    yield str(reviewer), better, "PreferredOver", worse


def _write_tabbed(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("\t".join(header) + "\r\n")
        file.writelines("\t".join(map(str, row)) + "\r\n" for row in rows)


def _write_workbook(path: Path, reviews: pl.DataFrame) -> None:
    """Write a worksheet per track."""
    numbered = reviews.with_columns(number=pl.int_range(1, pl.len() + 1).over("paper"))
    with path.open("w", encoding="utf-8", newline="\r\n") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n')
        file.write('<?mso-application progid="Excel.Sheet"?>\n')
        file.write(f'<Workbook xmlns="{NAMESPACE}" xmlns:ss="{NAMESPACE}">\n')
        for (track,), rows in numbered.group_by("track", maintain_order=True):
            file.write(f' <Worksheet ss:Name="{escape(str(track))}">\n  <Table>\n')
            file.write(_row([CONFERENCE]))
            file.write(_row(REVIEW_HEADER, ' ss:Index="3"'))
            file.writelines(_row(_review(row)) for row in rows.iter_rows(named=True))
            file.write("  </Table>\n </Worksheet>\n")
        file.write("</Workbook>\n")


def _row(cells: Sequence[Cell], index: str = "") -> str:
    """Return a row in XML. An empty cell is left out: the next one states its column."""
    written, gap = [], False
    for column, cell in enumerate(cells, start=1):
        if cell == "":
            gap = True
            continue
        place = f' ss:Index="{column}"' if gap else ""
        kind = "String" if isinstance(cell, str) else "Number"
        text = escape(str(cell), quote=False)
        written.append(f'<Cell{place}><Data ss:Type="{kind}">{text}</Data></Cell>')
        gap = False
    return f"   <Row{index}>{''.join(written)}</Row>\n"
