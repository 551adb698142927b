"""Read EasyChair's reviews, committee and submissions; write synthetic conferences."""

from __future__ import annotations

from unround.formats.model import Gives, Reader
from unround.formats.systems.easychair.exports import (
    EXPORTS,
    EasyChairExport,
    pass_over_meta_reviews,
    read_committee,
    read_submissions,
    write_conference,
)
from unround.formats.systems.easychair.reviews import read_reviews

__all__ = ["READERS", "write_conference"]

READERS: tuple[Reader, ...] = (
    Reader(
        "easychair-reviews",
        "EasyChair reviews (review.csv, or the workbook with all data)",
        Gives.REVIEWS,
        EXPORTS.recogniser(EasyChairExport.REVIEWS),
        read_reviews,
    ),
    Reader(
        "easychair-committee",
        "EasyChair committee (committee.csv)",
        Gives.MEMBERS,
        EXPORTS.recogniser(EasyChairExport.COMMITTEE),
        read_committee,
    ),
    Reader(
        "easychair-submissions",
        "EasyChair submissions (submission.csv)",
        Gives.PAPERS,
        EXPORTS.recogniser(EasyChairExport.SUBMISSIONS),
        read_submissions,
    ),
    Reader(
        "easychair-meta-reviews",
        "EasyChair meta-reviews (metareview.csv, not used)",
        Gives.PAPERS,
        EXPORTS.recogniser(EasyChairExport.META_REVIEWS),
        pass_over_meta_reviews,
        refuses=True,
    ),
)
