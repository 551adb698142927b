"""A small conference as files."""

from __future__ import annotations

from pathlib import Path

import pytest

import unround
from unround.formats.synthetic import named, write_conference


@pytest.fixture
def conference(tmp_path: Path) -> Path:
    folder = tmp_path / "conference"
    folder.mkdir()
    write_conference(named(unround.simulate.thurstone(20, seed=5)), folder)
    return folder


@pytest.fixture
def files(conference: Path) -> tuple[object, ...]:
    """The conference as arguments of a command."""
    return conference / "reviews.csv", "--rankings", conference / "rankings.csv"


@pytest.fixture
def contradicted(conference: Path) -> Path:
    """The same conference, with one reviewer's ranking turned round."""
    path = conference / "rankings.csv"
    lines = path.read_text().splitlines()
    for place in range(1, 5):
        reviewer, paper, rank = lines[place].split(",")
        lines[place] = f"{reviewer},{paper},{5 - int(rank)}"
    path.write_text("\n".join(lines) + "\n")
    return conference
