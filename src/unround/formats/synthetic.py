"""A synthetic conference with names, so that it can be written in every system's shape.

Names, e-mails and profile ids sort alike, so that a run gives the same scores bit for bit whichever
of them a system uses for its reviewers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from unround.scale import Scale
from unround.simulate import Conference

TRACKS = ("Algorithms", "Applications", "Systems", "Theory")
PAPERS_PER_CHAIR = 12


@dataclass(frozen=True)
class NamedConference:
    """`reviews`: reviewer (e-mail), reviewer_name, paper (1, 2, ..), score, title, track, area_chair,
    confidence (1 to 5). `rankings`: reviewer, paper, rank.
    """

    reviews: pl.DataFrame
    rankings: pl.DataFrame
    scale: Scale


def named(conference: Conference, seed: int = 0) -> NamedConference:
    """Give reviewers, papers and area chairs of a synthetic conference names."""
    random = np.random.default_rng(seed)
    paper = pl.col("paper") + 1
    number = pl.col("reviewer").cast(pl.String).str.zfill(5)
    email = pl.format("reviewer{}@example.org", number)
    reviews = conference.reviews.select(
        reviewer=email,
        reviewer_name=pl.format("Reviewer {}", number),
        paper=paper,
        score=pl.col("score"),
        title=pl.format("Synthetic paper {}", paper),
        track=pl.Series(TRACKS).gather(conference.reviews["paper"] % len(TRACKS)),
        area_chair=pl.format("Chair {}", pl.col("paper") // PAPERS_PER_CHAIR + 1),
        confidence=pl.Series(random.integers(1, 6, conference.reviews.height)),
    )
    rankings = conference.rankings.select(reviewer=email, paper=paper, rank=pl.col("rank"))
    return NamedConference(reviews, rankings, conference.scale)
