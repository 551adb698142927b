"""HotCRP: reviews, scores and rankings in; made-up conferences and bulk assignments out."""

from unround.formats.hotcrp import (
    ballots,
    offline_ranking,
    paper_lists,
    review_forms,
    review_json,
    review_tables,
    tag_columns,
)
from unround.formats.hotcrp.assigning import assignments
from unround.formats.hotcrp.writing import write_conference
from unround.formats.model import Gives, Reader

__all__ = ["READERS", "assignments", "write_conference"]

READERS: tuple[Reader, ...] = tuple(
    Reader(name, "hotcrp", title, gives, recognises, read)
    for name, title, gives, recognises, read in (
        (
            "hotcrp-rqc",
            review_json.RQC_TITLE,
            Gives.REVIEWS,
            review_json.recognises_rqc,
            review_json.read_rqc,
        ),
        (
            "hotcrp-reviews-json",
            review_json.API_TITLE,
            Gives.REVIEWS,
            review_json.recognises_reviews,
            review_json.read_reviews,
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
        ("hotcrp-ranks", ballots.TITLE, Gives.STATEMENTS, ballots.recognises, ballots.read),
        (
            "hotcrp-papers",
            paper_lists.CSV_TITLE,
            Gives.PAPERS,
            paper_lists.recognises_csv,
            paper_lists.read_csv,
        ),
        (
            "hotcrp-papers-json",
            paper_lists.JSON_TITLE,
            Gives.PAPERS,
            paper_lists.recognises_json,
            paper_lists.read_json,
        ),
    )
)
