"""Read HotCRP's reviews, scores and rankings; write synthetic conferences and bulk assignments."""

from __future__ import annotations

from unround.formats.model import Gives, Reader
from unround.formats.systems.hotcrp import (
    offline_ranking,
    papers,
    ranks,
    review_forms,
    review_tables,
    reviews_json,
    tag_columns,
)
from unround.formats.systems.hotcrp.assignments import assignments
from unround.formats.systems.hotcrp.synthetic import write_conference

__all__ = ["READERS", "assignments", "write_conference"]

READERS: tuple[Reader, ...] = tuple(
    Reader(name, "hotcrp", title, gives, recognises, read)
    for name, title, gives, recognises, read in (
        (
            "hotcrp-rqc",
            reviews_json.RQC_TITLE,
            Gives.REVIEWS,
            reviews_json.recognises_rqc,
            reviews_json.read_rqc,
        ),
        (
            "hotcrp-reviews-json",
            reviews_json.API_TITLE,
            Gives.REVIEWS,
            reviews_json.recognises_reviews,
            reviews_json.read_reviews,
        ),
        (
            "hotcrp-scores",
            review_tables.SCORES_TITLE,
            Gives.REVIEWS,
            review_tables.recognises_scores,
            review_tables.read_scores,
        ),
        (
            "hotcrp-reviews",
            review_tables.REVIEWS_TITLE,
            Gives.REVIEWS,
            review_tables.recognises_reviews,
            review_tables.read_reviews,
        ),
        (
            "hotcrp-forms",
            review_forms.TITLE,
            Gives.REVIEWS,
            review_forms.recognises,
            review_forms.read,
        ),
        (
            "hotcrp-tags",
            tag_columns.TITLE,
            Gives.STATEMENTS,
            tag_columns.recognises,
            tag_columns.read,
        ),
        (
            "hotcrp-ranking",
            offline_ranking.TITLE,
            Gives.STATEMENTS,
            offline_ranking.recognises,
            offline_ranking.read,
        ),
        ("hotcrp-ranks", ranks.TITLE, Gives.STATEMENTS, ranks.recognises, ranks.read),
        (
            "hotcrp-papers",
            papers.CSV_TITLE,
            Gives.PAPERS,
            papers.recognises_csv,
            papers.read_csv,
        ),
        (
            "hotcrp-papers-json",
            papers.JSON_TITLE,
            Gives.PAPERS,
            papers.recognises_json,
            papers.read_json,
        ),
    )
)
