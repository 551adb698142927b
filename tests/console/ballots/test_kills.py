"""Reviewers vote while the server is killed: what was confirmed is there, once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SMALL = "--reviewers 20 --papers 4 --minutes 0.04 --pause 0.5 --kills 1 --databases sqlite"


@pytest.mark.slow
def test_every_confirmed_save_survives_a_kill(tmp_path):
    """In a process of its own: connections to a killed server end when their process does."""
    report = tmp_path / "ballots.md"
    subprocess.run(
        [sys.executable, "-m", "benchmarks.ballots", *SMALL.split(), "-o", str(report)],
        check=True,
        capture_output=True,
        cwd=ROOT,
        timeout=240,
    )
    (row,) = (
        line for line in report.read_text("utf-8").splitlines() if line.startswith("| SQLite")
    )
    _, reviewers, submitted, kills, confirmed, lost, doubled, again, refused, *_ = (
        cell.strip() for cell in row.strip("|").split("|")
    )
    assert (reviewers, submitted, kills, confirmed) == ("20", "20", "1", "80")
    assert (lost, doubled, refused) == ("0", "0", "0")
    assert int(again) > 0
