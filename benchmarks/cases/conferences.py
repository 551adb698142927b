"""Make the conferences that are measured: simulated, from fixed seeds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from unround.simulate import Conference, coarsened, thurstone

SEED = 0
REVIEWS_A_PAPER = 4


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
    stated = pl.DataFrame({"rank": [1, 1, 2], "rank_right": [3, 4, 4]})
    return _stating(conference, _pairs(conference).join(stated, on=["rank", "rank_right"]))


def with_some_pairs(conference: Conference, share: float) -> Conference:
    """A share of the pairs of every ranking, drawn at random: partial orders of any shape."""
    pairs = _pairs(conference)
    drawn = np.random.default_rng(SEED).random(pairs.height) < share
    return _stating(conference, pairs.filter(pl.Series(drawn)))


def with_ties(conference: Conference, share: float) -> Conference:
    """Neighbours in a ranking tied with this probability; all of them when it is 1."""
    ranked = conference.rankings.sort("reviewer", "rank")
    apart = pl.Series("apart", np.random.default_rng(SEED).random(ranked.height) >= share)
    rank = (pl.col("apart").cast(pl.Int64).cum_sum().over("reviewer")).rank("dense")
    tied = ranked.with_columns(apart).with_columns(rank.over("reviewer").cast(pl.Int64))
    return replace(conference, rankings=tied.select("reviewer", "paper", rank="apart"))


def _pairs(conference: Conference) -> pl.DataFrame:
    """Every pair of a reviewer's papers, the better one first."""
    ranked = conference.rankings
    return ranked.join(ranked, on="reviewer").filter(pl.col("rank") < pl.col("rank_right"))


def _stating(conference: Conference, pairs: pl.DataFrame) -> Conference:
    return replace(
        conference, rankings=pairs.select("reviewer", better="paper", worse="paper_right")
    )


def write(conference: Conference, folder: Path) -> None:
    """Both tables as Arrow files, for a fresh interpreter to read."""
    folder.mkdir(parents=True, exist_ok=True)
    conference.reviews.write_ipc(folder / "reviews.arrow")
    conference.rankings.write_ipc(folder / "rankings.arrow")
