"""Read the table of scores that the experiments on ICLR 2017 need."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from unround.arrays import FloatArray
from unround.formats.systems.peerread import score_table
from unround.simulate import scale_of

# The paper's table: the first three reviews of the first 426 papers. Reference values hold for the
# table of this digest only.
PAPERS, REVIEWS = 426, 3
ICLR_2017 = "c11dcb1a122582be"
HOW_TO_GET = (
    "The experiments on ICLR 2017 need its review scores, which are not part of unround. Get them "
    "with `git clone https://github.com/allenai/PeerRead` and give --data PeerRead, or give a "
    "table with the columns split, paper_id, review_index, score."
)


@dataclass(frozen=True)
class Scores:
    """Original scores, one row per paper and NaN beyond its reviews, and their digest."""

    table: FloatArray
    digest: str

    @property
    def is_iclr_2017(self) -> bool:
        """Whether these are the scores that the paper used, in its order."""
        return self.digest.startswith(ICLR_2017)

    def described(self) -> str:
        """Say how many papers and reviews there are, and on which scale."""
        reviews = int(np.sum(~np.isnan(self.table)))
        levels = ", ".join(map(str, scale_of(self.table).levels))
        return f"{len(self.table):,} papers with {reviews:,} reviews on the scale {levels}"


def read_scores(path: Path) -> Scores:
    """Read a PeerRead checkout, one of its folders, or a table: the paper's part, or else all of it."""
    inside = path / "data" / "iclr_2017"
    table = score_table(inside if inside.is_dir() else path)
    published = Scores(table[:PAPERS, :REVIEWS], _digest(table[:PAPERS, :REVIEWS]))
    scores = published if published.is_iclr_2017 else Scores(table, _digest(table))
    scale_of(scores.table)  # refuses what cannot be coarsened, before any trial runs
    return scores


def _digest(table: FloatArray) -> str:
    return hashlib.sha256(np.ascontiguousarray(table).astype("<f8").tobytes()).hexdigest()
