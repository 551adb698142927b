"""Read Microsoft CMT's exports: reviews, paper comparisons and submissions; write paper statuses."""

from __future__ import annotations

import polars as pl

from unround.formats.model import ExportedFile, ExportOptions, Gives, Reader
from unround.formats.systems.cmt.exports import (
    EXPORTS,
    CmtExport,
    read_comparisons,
    read_submissions,
    write_conference,
)
from unround.formats.systems.cmt.reviews import read_reviews
from unround.formats.systems.exports import decided_papers

__all__ = ["READERS", "export", "write_conference"]

READERS: tuple[Reader, ...] = (
    Reader(
        "cmt-reviews",
        "CMT reviews (Reviews.xls, or saved again as XLSX or CSV)",
        Gives.REVIEWS,
        # Meta-reviews and ratings look alike: they are recognised here to be refused by name.
        EXPORTS.recogniser(CmtExport.REVIEWS, CmtExport.META_REVIEWS, CmtExport.RATINGS),
        read_reviews,
    ),
    Reader(
        "cmt-comparisons",
        "CMT paper comparisons (ReviewerSubmissionComparisons.txt)",
        Gives.STATEMENTS,
        EXPORTS.recogniser(CmtExport.COMPARISONS),
        read_comparisons,
    ),
    Reader(
        "cmt-submissions",
        "CMT submissions",
        Gives.PAPERS,
        EXPORTS.recogniser(CmtExport.SUBMISSIONS),
        read_submissions,
    ),
)


def export(
    target: str, scores: pl.DataFrame, papers: pl.DataFrame, options: ExportOptions
) -> ExportedFile:
    """Return the paper's number and its decision, by the names of CMT's paper statuses, with tabs."""
    rows = (f"{paper}\t{decision}\r\n" for paper, decision in decided_papers(papers))
    return ExportedFile("txt", "".join(rows))
