"""The benchmarks run in small, and nothing in them fails. No time is judged."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.harness.bench import Bench
from benchmarks.harness.fresh import Fresh
from benchmarks.harness.plan import TINY
from benchmarks.harness.progress import Steps
from benchmarks.harness.report import FAILED, Table
from benchmarks.harness.run import SECTIONS, measured

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
# These compile everything again: too long for a test.
TESTED = [name for name in SECTIONS if name not in ("startup", "run", "paper")]
VISITS = "--papers 60 --area-chairs 3 --within 1 --seconds 2 --pause 0.1 --paints 1 --only SQLite"


class Warm(Fresh):
    """Starts interpreters with the checkout's caches."""

    def run(self, arguments, numba_cache="", **variables):
        caches = {"NUMBA_CACHE_DIR": "", "PYTHONPYCACHEPREFIX": ""}
        return super().run(arguments, numba_cache, **{**variables, **caches})


def test_every_section_has_full_tables(tmp_path):
    with Steps(1) as progress:
        bench = Bench(TINY, Warm(tmp_path), progress)
        sections = [measured(SECTIONS[name], bench) for name in TESTED]
    for section in sections:
        tables = [part for part in section.parts if isinstance(part, Table)]
        assert tables, section
        for table in tables:
            assert table.rows
            assert all(len(row) == len(table.head) for row in table.rows)
        text = section.markdown()
        assert not any(sign in text for sign in (FAILED, "nan", "{"))


def test_area_chairs_visit_a_console_without_an_error(tmp_path):
    report = tmp_path / "load.md"
    command = [sys.executable, "-m", "benchmarks.console", *VISITS.split(), "-o", str(report)]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    rows = re.findall(r"^\| ([\w ]+) \| ([\d,]+) \| (\d+) \|", report.read_text("utf-8"), re.M)
    assert {name for name, _, _ in rows} >= {"enter", "all"}
    assert {errors for _, _, errors in rows} == {"0"}
