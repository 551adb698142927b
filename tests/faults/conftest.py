"""The console that is struck, moments at random, and the report of what came of all faults."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from random import Random

import pytest

from tests.console.postgres import DURABLE, new_database, running_server
from tests.faults import KILLS
from tests.faults.site import Site

collect_ignore = [] if KILLS else ["test_backups_killed.py", "test_databases_stopped.py"]
Noted = Callable[[str, str], None]
HEAD = """# Faults

Written by `make faults KILLS={kills}`: commands, servers, workers and databases are killed or stopped at
random moments, disks are full (the console's by a limit on the size of files, PostgreSQL's a small one that
is filled), and descriptors are used up. After every fault a test of `tests/faults` compares everything with
what was promised before: finished runs have the same bytes, uploads are whole, every check and run ends with
a reason, a result is whole or not there, every file of the data folder belongs to something in the database,
and no log has a traceback. Backups are killed while files and runs come in; a whole one is restored into the
other database and compared row by row.

| fault | times | what came of it |
|---|---|---|
{rows}

Faults: {faults}. Tests that found a broken promise: {broken}. Commit {commit}.
"""


@pytest.fixture
def random(request: pytest.FixtureRequest) -> Random:
    """The same moments in every run, and others in every test."""
    return Random(request.node.name)


@pytest.fixture
def noted(request: pytest.FixtureRequest) -> Noted:
    """Note a fault and what came of it, for the report."""
    return lambda fault, outcome: request.node.user_properties.append((fault, outcome))


@pytest.fixture(scope="session", params=["SQLite", "PostgreSQL"] if KILLS else ["SQLite"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A console with a finished run."""
    data = tmp_path_factory.mktemp("site") / "data"
    with nullcontext() if request.param == "SQLite" else running_server(DURABLE) as server:
        database = new_database(server.address) if server else None
        with closing(Site(request.param, data, database)) as made:
            yield made


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write the report, where one is asked for."""
    path = os.environ.get("FAULTS_REPORT")
    if path is None:
        return
    failed = terminalreporter.getreports("failed")
    tests = [*terminalreporter.getreports("passed"), *failed]
    outcomes = Counter(tuple(noted) for test in tests for noted in test.user_properties)
    rows = []
    for fault in dict.fromkeys(fault for fault, _ in outcomes):
        found = {how: count for (one, how), count in outcomes.items() if one == fault}
        listed = ", ".join(f"{how}: {count}" for how, count in sorted(found.items()))
        rows.append(f"| {fault} | {sum(found.values())} | {listed} |")
    words = ["git", "describe", "--always", "--dirty"]
    commit = subprocess.run(words, check=False, capture_output=True, text=True).stdout.strip()
    report = HEAD.format(
        kills=KILLS,
        rows="\n".join(rows),
        faults=outcomes.total(),
        broken=len(failed),
        commit=commit or "unknown",
    )
    Path(path).write_text(report, "utf-8")
