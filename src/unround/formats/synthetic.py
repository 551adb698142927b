"""A synthetic conference with names of people and papers, and its tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from unround.output.tables import write_csv
from unround.simulate import Conference

TRACKS = ("Algorithms", "Applications", "Systems", "Theory")
PAPERS_PER_CHAIR = 12


def named(conference: Conference, seed: int = 0) -> Conference:
    """Give reviewers, papers and area chairs of a synthetic conference names.

    Its reviews have reviewer (e-mail), reviewer_name, paper (1, 2, ..), score, title, track, area_chair
    and confidence (1 to 5).
    """
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
    return replace(conference, reviews=reviews, rankings=rankings)


def write_conference(conference: Conference, folder: Path) -> list[Path]:
    """Write reviews.csv and rankings.csv."""
    paths = [folder / "reviews.csv", folder / "rankings.csv"]
    for table, path in zip((conference.reviews, conference.rankings), paths, strict=True):
        write_csv(table, path)
    return paths
