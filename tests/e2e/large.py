"""A large conference to look at: 2,000 papers, 8 tracks, 167 area chairs, 40 reviewers who contradict
themselves.

    python -m tests.e2e.large FOLDER [PAPERS]

Writes reviews.csv and rankings.csv. Titles are long, as real ones are.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

from unround.formats.synthetic import named
from unround.simulate import thurstone

PAPERS = 2_000
CONTRADICTING = 40
PER_REVIEWER = 5
TRACKS = ("Databases", "HCI", "NLP", "Robotics", "Security", "Systems", "Theory", "Vision")
FIRST = ("Adaptive", "Bayesian", "Contrastive", "Differentiable", "Federated", "Hierarchical")
SECOND = ("Code Review", "Dense Retrieval", "Index Structures", "Policy Gradients", "Speech Codecs")
THIRD = ("at Scale", "beyond Worst-Case Analysis", "from Noisy Feedback", "with Few Labels")


def write(folder: Path, papers: int = PAPERS, seed: int = 7) -> list[Path]:
    """Write the conference's two files, and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = thurstone(
        papers, papers_per_reviewer=PER_REVIEWER, noise=0.8, scale=range(1, 11), seed=seed
    )
    made = named(drawn, seed)
    random = np.random.default_rng(seed)
    titles = [
        " ".join(random.choice(words) for words in (FIRST, SECOND, THIRD)) for _ in range(papers)
    ]
    tracks = random.choice(TRACKS, papers)
    place = made.reviews["paper"] - 1
    reviews = made.reviews.with_columns(
        title=pl.Series(titles).gather(place), track=pl.Series(tracks).gather(place)
    )
    reviewers = reviews["reviewer"].unique(maintain_order=True).to_list()
    against = random.choice(reviewers, min(CONTRADICTING, len(reviewers) // 10), replace=False)
    turned = pl.col("reviewer").is_in(against.tolist())
    rankings = made.rankings.with_columns(
        rank=pl.when(turned).then(PER_REVIEWER + 1 - pl.col("rank")).otherwise("rank")
    )
    paths = [folder / "rankings.csv", folder / "reviews.csv"]
    rankings.write_csv(paths[0])
    reviews.write_csv(paths[1])
    return paths


if __name__ == "__main__":
    write(Path(sys.argv[1]), *map(int, sys.argv[2:]))
