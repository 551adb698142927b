"""Read HotCRP's reviews, scores and rankings; write synthetic conferences and bulk assignments."""

from __future__ import annotations

import polars as pl

from unround.formats.model import ExportedFile, ExportOptions, Gives, Reader
from unround.formats.systems.hotcrp import lists, rankings, review_forms, reviews
from unround.formats.systems.hotcrp.live import download, push
from unround.formats.systems.hotcrp.writers import assignments, write_conference

__all__ = ["READERS", "assignments", "download", "export", "push", "write_conference"]

# fmt: off
READERS: tuple[Reader, ...] = (*(
    Reader(f"hotcrp-{name}", title, gives, recognises, read)
    for name, gives, title, recognises, read in (
        ("assignments", Gives.MEMBERS, lists.ASSIGNMENTS_TITLE, lists.recognises_assignments,
         lists.read_assignments),
        ("rqc", Gives.REVIEWS, reviews.RQC_TITLE, reviews.recognises_rqc, reviews.read_rqc),
        ("reviews-json", Gives.REVIEWS, reviews.API_TITLE, reviews.recognises_api, reviews.read_api),
        ("reviews", Gives.REVIEWS, reviews.CSV_TITLE, reviews.recognises_reviews, reviews.read_reviews),
        ("forms", Gives.REVIEWS, review_forms.TITLE, review_forms.recognises, review_forms.read),
        ("tags", Gives.STATEMENTS, lists.TAGS_TITLE, lists.recognises_tags, lists.read_tags),
        ("ranking", Gives.STATEMENTS, rankings.OFFLINE_TITLE, rankings.recognises_offline,
         rankings.read_offline),
        ("ranks", Gives.STATEMENTS, rankings.RANKS_TITLE, rankings.recognises_ranks, rankings.read_ranks),
        ("rank-assignments", Gives.STATEMENTS, rankings.ASSIGNMENTS_TITLE,
         rankings.recognises_assignments, rankings.read_assignments),
        ("papers", Gives.PAPERS, lists.CSV_TITLE, lists.recognises_csv, lists.read_csv),
    )
), Reader("hotcrp-text", lists.TEXT_TITLE, Gives.REVIEWS, lists.recognises_text, lists.refuse_text,
          refuses=True))
# fmt: on


def export(
    target: str, scores: pl.DataFrame, papers: pl.DataFrame, options: ExportOptions
) -> ExportedFile:
    """Return bulk assignments of tag values and decisions."""
    return ExportedFile("csv", assignments(scores, papers, options))
