"""Tables of a finished run that chairs can post to OpenReview."""

from __future__ import annotations

import polars as pl
import pytest

from tests.formats.systems.openreview.openreview_made import (
    EDGE_INVITATION,
    NOTE_INVITATION,
    PAPERS,
    SCORES,
    VENUE,
)
from unround.errors import UsageError
from unround.formats.systems.openreview import edges, notes


def test_edges_carry_every_digit_and_say_who_may_read_them() -> None:
    made = edges(SCORES, PAPERS, EDGE_INVITATION)
    assert made[0] == {
        "invitation": EDGE_INVITATION,
        "head": "forumA",
        "tail": "~Ann_Lee1",
        "weight": 6.123456789,
        "label": "6",
        "readers": [VENUE],
        "writers": [VENUE],
        "signatures": [VENUE],
    }
    assert [(edge["head"], edge["tail"]) for edge in made[1:]] == [
        ("forumA", "~Bo_Ek1"),
        ("forumB", "~Ann_Lee1"),
    ]


def test_notes_answer_to_each_papers_own_invitation() -> None:
    assert notes(PAPERS, NOTE_INVITATION)[0] == {
        "invitation": f"{VENUE}/Submission1/-/Dequantized_Scores",
        "signatures": [f"{VENUE}/Program_Chairs"],
        "note": {
            "forum": "forumA",
            "replyto": "forumA",
            "signatures": [f"{VENUE}/Program_Chairs"],
            "content": {
                "dq_mean": {"value": 6.9367},
                "dq_median": {"value": 6.9367},
                "dq_min": {"value": 6.1235},
                "dq_max": {"value": 7.75},
                "dq_spread": {"value": 1.6265},
            },
        },
    }


def test_what_is_missing_is_named() -> None:
    with pytest.raises(UsageError, match="no column 'forum'"):
        edges(SCORES, PAPERS.drop("forum"), EDGE_INVITATION)
    with pytest.raises(UsageError, match="the forum of paper 12 is not known"):
        edges(SCORES, PAPERS.head(1), EDGE_INVITATION)
    with pytest.raises(UsageError, match="is no invitation"):
        edges(SCORES, PAPERS, "Dequantized")
    with pytest.raises(UsageError, match="no column dequantized_mean; found: paper"):
        notes(PAPERS.drop("dequantized_mean"), NOTE_INVITATION)
    by_forum = PAPERS.with_columns(paper=pl.col("forum"))
    with pytest.raises(UsageError, match="needs submission numbers, but a paper's id is 'forumA'"):
        notes(by_forum, NOTE_INVITATION)


def test_the_forum_may_stand_with_the_reviews() -> None:
    with_forum = SCORES.with_columns(forum=pl.Series(["forumA", "forumA", "forumB"]))
    assert edges(with_forum, PAPERS.drop("forum"), EDGE_INVITATION) == edges(
        SCORES, PAPERS, EDGE_INVITATION
    )
