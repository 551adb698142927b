"""Write a synthetic conference as CMT exports it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path

import polars as pl

from unround.formats.files.grid import NAMESPACE
from unround.formats.synthetic import NamedConference

CONFERENCE = "Synthetic Conference"
WRITTEN = "3/13/2021 6:21:39 PM -08:00"
# CMT keeps the line ends that a chair typed into a question.
SCORE = 'Q10 (Please provide an "overall score" for this submission.\n{})'
CONFIDENCE = "Q11 (How confident are you?{})"
REVIEW_HEADER = (
    "Paper ID",
    "Paper Title",
    "Reviewer Name",
    "Reviewer Email",
    "Reviewer Number",
    "Created",
    "Last Modified",
    "Q1 (Summary)",
    SCORE.format(""),
    SCORE.format(" - Value"),
    CONFIDENCE.format(""),
    CONFIDENCE.format(" - Value"),
)
SUBMISSION_HEADER = (
    "Paper ID",
    "Created",
    "Last Modified",
    "Paper Title",
    "Track Name",
    "Meta-Reviewers",
    "Status",
)
Cell = str | int | float


def write_conference(conference: NamedConference, folder: Path) -> list[Path]:
    """Write Reviews.xls, ReviewerSubmissionComparisons.txt and Submissions.txt."""
    reviews, comparisons, submissions = (
        folder / name
        for name in ("Reviews.xls", "ReviewerSubmissionComparisons.txt", "Submissions.txt")
    )
    _write_workbook(reviews, _review_sheets(conference.reviews))
    _write_tabbed(
        comparisons,
        ("Reviewer Email", "Left", "Operator", "Right"),
        _comparisons(conference.rankings),
    )
    _write_tabbed(submissions, SUBMISSION_HEADER, _submissions(conference.reviews))
    return [reviews, comparisons, submissions]


def _review_sheets(reviews: pl.DataFrame) -> Iterator[tuple[str, Iterable[Sequence[Cell]]]]:
    numbered = reviews.with_columns(
        number=pl.int_range(1, pl.len() + 1).over("paper"), order=pl.int_range(pl.len())
    )
    for (track,), rows in numbered.group_by("track", maintain_order=True):
        yield str(track), (_review(row) for row in rows.iter_rows(named=True))


def _review(row: dict[str, Cell]) -> tuple[Cell, ...]:
    return (
        row["paper"],
        row["title"],
        row["reviewer_name"],
        row["reviewer"],
        row["number"],
        WRITTEN,
        WRITTEN,
        "",
        f"Level {row['score']}",
        row["score"],
        f"Confidence {row['confidence']}",
        row["confidence"],
    )


def _comparisons(rankings: pl.DataFrame) -> Iterator[tuple[Cell, ...]]:
    """Yield every paper of a rank over every paper of the next; papers of one rank as comparable."""
    for (reviewer,), ranked in rankings.group_by("reviewer", maintain_order=True):
        levels = [
            level["paper"].to_list()
            for _, level in ranked.sort("rank", maintain_order=True).group_by(
                "rank", maintain_order=True
            )
        ]
        for level in levels:
            for one, other in pairwise(level):
                yield str(reviewer), one, "Comparable", other
        for above, below in pairwise(levels):
            for better in above:
                for worse in below:
                    yield str(reviewer), better, "PreferredOver", worse


def _submissions(reviews: pl.DataFrame) -> Iterator[tuple[Cell, ...]]:
    papers = reviews.unique("paper", maintain_order=True).sort("paper")
    for paper, title, track, chair in papers.select(
        "paper", "title", "track", "area_chair"
    ).iter_rows():
        yield paper, WRITTEN, WRITTEN, title, track, chair, "Awaiting Decision"


def _write_tabbed(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("\t".join(header) + "\r\n")
        file.writelines("\t".join(map(str, row)) + "\r\n" for row in rows)


def _write_workbook(path: Path, sheets: Iterable[tuple[str, Iterable[Sequence[Cell]]]]) -> None:
    with path.open("w", encoding="utf-8", newline="\r\n") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n')
        file.write('<?mso-application progid="Excel.Sheet"?>\n')
        file.write(f'<Workbook xmlns="{NAMESPACE}" xmlns:ss="{NAMESPACE}">\n')
        for name, rows in sheets:
            file.write(f' <Worksheet ss:Name="{escape(name)}">\n  <Table>\n')
            file.write(_row([CONFERENCE]))
            file.write(_row(REVIEW_HEADER, ' ss:Index="3"'))
            file.writelines(_row(row) for row in rows)
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
