"""Small conferences of every kind of statement."""

import math
from functools import cache
from itertools import combinations

import numpy as np
import polars as pl

import unround
from unround.gpu.conference import GpuConference
from unround.gpu.launch import xp

KINDS = ("total", "ties", "partial", "pairs", "same", "long", "scores only")


def tables(kind, *, papers=8, load=4, reviews=4, seed=1):
    """Reviews, rankings and further options of `dequantize`."""
    conference = unround.simulate.thurstone(
        papers, reviews_per_paper=reviews, papers_per_reviewer=load, noise=2.5, seed=seed
    )
    ranks, options = conference.rankings, {}
    if kind == "ties":
        ranks = ranks.with_columns(rank=(pl.col("rank") + 1) // 2)
    elif kind == "partial":
        ranks = ranks.filter(pl.col("rank") != 2, pl.col("reviewer").hash() % 4 > 0)
    elif kind == "scores only":
        ranks = None
    elif kind in ("pairs", "same"):
        stated = pl.DataFrame({"rank": [1, 1, 2], "rank_right": [3, 4, 4]})
        both = ranks.join(ranks, on="reviewer")
        ranks = both.join(stated, on=["rank", "rank_right"]).select(
            "reviewer", better="paper", worse="paper_right"
        )
        if kind == "same":
            alike = both.filter(pl.col("rank") == 1, pl.col("rank_right") == 2)
            options["same"] = alike.select("reviewer", "paper", same_as="paper_right")
    return conference.reviews, ranks, options


@cache
def problem(kind, **sizes):
    """The program of such a conference; contradictions are settled for the scores."""
    reviews, ranks, options = tables(kind, **sizes)
    result = unround.dequantize(
        reviews, ranks, lam=math.inf, conflicts="scores", allow_loss=True, tolerance=1e-6, **options
    )
    return result.internals.problem


def scattered(seed=1):
    """Eight reviewers of three papers each, as arrays on the GPU."""
    random = np.random.default_rng(seed)
    rows = [2 * np.array(three) + side for side in (0, 1) for three in combinations(range(4), 3)]
    paper = np.stack([rows[k] for k in random.permutation(len(rows))]).astype(np.int32)
    level = random.integers(0, 3, paper.shape).astype(np.uint8)
    arrays = (
        np.arange(0, paper.size + 1, 3, dtype=np.int32),
        paper.ravel(),
        level.ravel(),
        (3 * level + np.arange(3)).ravel().astype(np.uint8),
    )
    return GpuConference(*map(xp.asarray, arrays), papers=8)
