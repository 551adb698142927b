"""Public data with real scores and real rankings, by path and as published: licences forbid shipping them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from unround.errors import UsageError
from unround.formats.model import ImportRefused
from unround.lab.catalogue.aibs import read_aibs
from unround.lab.catalogue.sushi import read_sushi
from unround.lab.catalogue.zurich import read_zurich
from unround.reviews.tables import Tables


class DataSet(NamedTuple):
    """A published data set: what it is, where it is, and how to read it."""

    title: str
    source: str
    read: Callable[[Path], Tables]


DATA_SETS = {
    "aibs": DataSet(
        "grant reviews of the American Institute of Biological Sciences: scores of 1.0 (best) to 5.0 and "
        "the six best proposals of each reviewer",
        "the workbook GrantPeerReview_Scoring_Ranking_DataA2.xlsx (S. A. Gallo, figshare)",
        read_aibs,
    ),
    "sushi": DataSet(
        "SUSHI preference data: 5,000 people score ten kinds of sushi each from 0 to 4 and rank the same ten",
        "the folder sushi3-2016 with sushi3b.5000.10.score and .order (T. Kamishima, kamishima.net/sushi)",
        read_sushi,
    ),
    "zurich": DataSet(
        "participatory budgeting in Zurich: 180 people give ten points to five projects, and rank five",
        "a folder with the files S5D10 and S5R in pabulib's format .pb (Yang et al., arXiv 2310.03501)",
        read_zurich,
    ),
}


def read_data_set(name: str, paths: Sequence[Path]) -> Tables:
    """Read a published data set from its path."""
    if len(paths) != 1:
        raise UsageError(f"{name} is read from one path: {DATA_SETS[name].source}")
    if not paths[0].exists():
        raise ImportRefused(
            f"{paths[0]} does not exist; {name} is read from {DATA_SETS[name].source}"
        )
    return DATA_SETS[name].read(paths[0])
