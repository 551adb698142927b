"""The conferences that are measured: all simulated, all seeded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from benchmarks.plan import Size
from unround.simulate import Conference, coarsened, thurstone

SEED = 0
REVIEWS_A_PAPER = 4


def conference_of(size: Size) -> Conference:
    """A conference of a size in the plan."""
    return iclr_shape() if size.load is None else synthetic(size.reviews, size.load)


def iclr_shape() -> Conference:
    """426 papers x 3 reviews of integer scores 1 .. 10, given out again as ⌈y/2⌉ with k = 6."""
    drawn = thurstone(
        426, reviews_per_paper=3, papers_per_reviewer=6, noise=1.0, scale=range(1, 11), seed=SEED
    )
    scores = drawn.reviews.sort("paper")["score"].to_numpy().reshape(426, 3)
    return coarsened(scores, papers_per_reviewer=6, seed=SEED)


def synthetic(reviews: int, load: int = 4) -> Conference:
    """Thurstone's model: four reviews a paper, σ = 0.5, scores 0 .. 10."""
    return thurstone(
        reviews // REVIEWS_A_PAPER,
        reviews_per_paper=REVIEWS_A_PAPER,
        papers_per_reviewer=load,
        seed=SEED,
    )


def published(papers: int) -> Conference:
    """The paper's default synthetic setting, drawn as its trial 0 (60 papers there)."""
    return thurstone(papers, seed=SEED, draw="published")


def with_stated_pairs(conference: Conference) -> Conference:
    """Three pairs a reviewer instead of a ranking: 1st over 3rd and 4th, 2nd over 4th.

    Such an order is not levels, each wholly above the next: it needs the kernels for posets.
    """
    ranked = conference.rankings
    stated = pl.DataFrame({"rank": [1, 1, 2], "rank_right": [3, 4, 4]})
    pairs = ranked.join(ranked, on="reviewer").join(stated, on=["rank", "rank_right"])
    return replace(
        conference, rankings=pairs.select("reviewer", better="paper", worse="paper_right")
    )


def write(conference: Conference, folder: Path) -> None:
    """Both tables as Arrow files, for a fresh interpreter to read."""
    folder.mkdir(parents=True, exist_ok=True)
    conference.reviews.write_ipc(folder / "reviews.arrow")
    conference.rankings.write_ipc(folder / "rankings.arrow")
