"""Read the table of scores that the experiments on ICLR 2017 need."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from unround.arrays import FloatArray
from unround.formats.systems.peerread import score_table

# Of the 426 x 3 scores of ICLR 2017 in the published order: reference values hold for these only.
ICLR_2017 = "c11dcb1a122582be"
HOW_TO_GET = (
    "The experiments on ICLR 2017 need its review scores, which are not part of unround. Get them "
    "with `git clone https://github.com/allenai/PeerRead` and give --data PeerRead, or give a "
    "table with the columns split, paper_id, review_index, score."
)


@dataclass(frozen=True)
class Scores:
    """Original scores, one row per paper, and their digest."""

    table: FloatArray
    digest: str

    @property
    def is_iclr_2017(self) -> bool:
        """Whether these are the scores that the paper used, in its order."""
        return self.digest.startswith(ICLR_2017)


def read_scores(path: Path) -> Scores:
    """The first three reviews of the first 426 papers of a PeerRead checkout, folder or table."""
    inside = path / "data" / "iclr_2017"
    table = score_table(inside if inside.is_dir() else path)
    return Scores(table, hashlib.sha256(table.astype("<f8").tobytes()).hexdigest())
