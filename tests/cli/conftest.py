"""A small conference as files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import unround
from unround.formats.synthetic import named, write_conference


@pytest.fixture(scope="session")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("conference")
    write_conference(named(unround.simulate.thurstone(20, seed=5)), folder)
    return folder


@pytest.fixture(scope="session")
def finished(call: Callable[..., Result], simulated: Path) -> Path:
    """The results of the conference, for tests that read them alone."""
    run = ("run", simulated / "reviews.csv", "--rankings", simulated / "rankings.csv")
    ended = call(*run, "-o", simulated / "results")
    assert ended.exit_code == 0, ended.output
    return simulated / "results"


@pytest.fixture
def conference(simulated: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "conference"
    folder.mkdir()
    for name in ("reviews.csv", "rankings.csv"):
        shutil.copy(simulated / name, folder)
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
