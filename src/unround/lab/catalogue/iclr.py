"""Read the scores for the experiments on ICLR 2017."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from unround.arrays import FloatArray
from unround.formats.importer import import_files
from unround.formats.model import ImportRefused
from unround.simulate import scale_of

# The paper's table: the first three reviews of the first 426 papers. Reference values hold for the
# table of this digest only.
PAPERS, REVIEWS = 426, 3
ICLR_2017 = "c11dcb1a122582be"
HOW_TO_GET = (
    "The experiments on ICLR 2017 need its review scores, which are not part of unround. Get them with "
    "`git clone https://github.com/allenai/PeerRead`, write them as a table with `python -m "
    "studies.peerread PeerRead -o iclr_2017.csv` in a checkout of unround, and use --data iclr_2017.csv."
)


@dataclass(frozen=True)
class Scores:
    """Original scores, one row per paper padded with NaN, and their digest."""

    table: FloatArray
    digest: str

    @property
    def is_iclr_2017(self) -> bool:
        """Whether these are the paper's scores, in its order."""
        return self.digest.startswith(ICLR_2017)

    def description(self) -> str:
        """Return the numbers of papers and reviews, and the scale, in words."""
        reviews = int(np.sum(~np.isnan(self.table)))
        levels = ", ".join(map(str, scale_of(self.table).levels))
        return f"{len(self.table):,} papers with {reviews:,} reviews on the scale {levels}"


def read_scores(path: Path) -> Scores:
    """Read a table of scores; take the paper's part if it is there."""
    table = score_table(path)
    published = Scores(table[:PAPERS, :REVIEWS], _digest(table[:PAPERS, :REVIEWS]))
    scores = published if published.is_iclr_2017 else Scores(table, _digest(table))
    scale_of(scores.table)  # refuse scores that cannot be coarsened before any trial runs
    return scores


def score_table(path: Path) -> FloatArray:
    """Read the scores of a table: one row per paper in the table's order, NaN beyond its reviews."""
    if path.is_dir():
        raise ImportRefused(f"{path.name} is a folder, not a table. {HOW_TO_GET}")
    reviews = import_files([path]).reviews
    if not reviews.schema["score"].is_numeric():
        words = reviews["score"].unique(maintain_order=True).head(3).to_list()
        raise ImportRefused(
            f"{path.name} has scores that are not numbers: {', '.join(words)}; correct them"
        )
    papers = reviews.group_by("paper", maintain_order=True).agg("score")["score"].to_list()
    table = np.full((len(papers), max(map(len, papers))), np.nan)
    for row, scores in enumerate(papers):
        table[row, : len(scores)] = scores
    return table


def _digest(table: FloatArray) -> str:
    return hashlib.sha256(np.ascontiguousarray(table).astype("<f8").tobytes()).hexdigest()
