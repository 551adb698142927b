"""The order in which tests run, and which of them run in one process, so that both cores stay busy.

Files with long tests come first: one that started last would leave the other core idle. The tests of
the console come by database, since each process makes a console once and loses it at the next change
of database.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

# The files with the longest tests, by pytest --durations. A file that is missing here costs time, no more.
LONG = (
    "tests/lab/test_studies.py",
    "tests/gpu/test_simulated.py",
    "tests/formats/test_every_format.py",
    "tests/test_benchmarks.py",
    "tests/e2e/test_every_page.py",
    "tests/e2e/test_import_page.py",
    "tests/e2e/test_line.py",
    "tests/e2e/test_runs_page.py",
    "tests/e2e/test_papers_page.py",
    "tests/e2e/test_load.py",
    "tests/e2e/test_ballot_saving.py",
    "tests/e2e/test_ballots_page.py",
    "tests/e2e/test_ballot_moves.py",
    "tests/e2e/test_access_page.py",
    "tests/e2e/test_decisions.py",
    "tests/e2e/test_offline_report.py",
    "tests/e2e/test_sureness.py",
    "tests/cli/test_interruption.py",
    "tests/lab/test_real_data.py",
    "tests/lab/test_compare.py",
    "tests/lab/test_resuming.py",
    "tests/faults/test_faults.py",
    "tests/console/jobs/test_database_stops.py",
)
# Files that look at the same results, which each process makes anew (`small_results`).
SMALL_STUDIES = (
    "tests/lab/test_studies.py",
    "tests/lab/test_figures.py",
    "tests/lab/test_reproduce.py",
    "tests/lab/test_references.py",
)
DATABASE = re.compile(r"\[(sqlite|postgresql)\b")


def work_of(nodeid: str) -> str:
    """Return the name of what one process does together: a file, on a database where it has one."""
    file, _, test = nodeid.partition("::")
    if file in SMALL_STUDIES:
        return "small studies"
    found = DATABASE.search(test)
    return f"{file} on {found[1]}" if found else file


def place_of(nodeid: str) -> tuple[int, int]:
    """Return what tests are sorted by: the long files, then the console by database, then the rest."""
    file, _, test = nodeid.partition("::")
    found = DATABASE.search(test)
    if found:
        return 1, ("sqlite", "postgresql").index(found[1])
    return (0, LONG.index(file)) if file in LONG else (2, 0)


class InOrder(LoadFileScheduling):
    """A process takes the tests of a file on a database whenever it has none left, in the order collected."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return work_of(nodeid)
