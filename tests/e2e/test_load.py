"""The measurement of the console under load, in small: it runs, and nothing in it fails."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.e2e.browsing import ROOT


def test_the_load_measurement_runs_without_an_error(tmp_path: Path) -> None:
    report = tmp_path / "load.md"
    small = ["--papers", "60", "--area-chairs", "3", "--within", "1"]
    small += ["--seconds", "2", "--pause", "0.1", "--paints", "1", "--only", "SQLite"]
    subprocess.run(
        [sys.executable, "-m", "benchmarks.console", *small, "-o", str(report)],
        check=True,
        capture_output=True,
        cwd=ROOT,
    )
    rows = re.findall(r"^\| ([\w ]+) \| ([\d,]+) \| (\d+) \|", report.read_text("utf-8"), re.M)
    assert {name: int(errors) for name, _, errors in rows}.items() >= {"enter": 0, "all": 0}.items()
    assert int({name: count for name, count, _ in rows}["all"].replace(",", "")) > 10
