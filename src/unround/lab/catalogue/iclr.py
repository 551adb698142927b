"""Read the scores for the experiments on ICLR 2017."""

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
    "with `git clone https://github.com/allenai/PeerRead` and use --data PeerRead, or use a table with "
    "the columns split, paper_id, review_index, score."
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
    """Read a PeerRead checkout, one of its folders, or a table; take the paper's part if it is there."""
    inside = path / "data" / "iclr_2017"
    table = score_table(inside if inside.is_dir() else path)
    published = Scores(table[:PAPERS, :REVIEWS], _digest(table[:PAPERS, :REVIEWS]))
    scores = published if published.is_iclr_2017 else Scores(table, _digest(table))
    scale_of(scores.table)  # refuse scores that cannot be coarsened before any trial runs
    return scores


def _digest(table: FloatArray) -> str:
    return hashlib.sha256(np.ascontiguousarray(table).astype("<f8").tobytes()).hexdigest()
