"""A command that is killed leaves its whole result, the one before, or none, and can be repeated."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from tests.console.hosting import waited_for
from tests.faults import KILLS
from tests.faults.cases import NAMES, Case, cases, prepare
from tests.faults.conftest import Noted
from tests.faults.results import digest, strays, visible

pytestmark = pytest.mark.slow
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
MARK = "UNROUND_FAULT"  # an environment variable by which processes of a command are found
THERE = (
    "--force",
    "name another",
    "holds data already",
    "already",
)  # what a refusal to repeat says


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("commands") / "inputs"
    prepare(folder, with_console=KILLS > 0)
    return folder


@pytest.mark.parametrize("name", NAMES if KILLS else ["run again"])
def test_at_any_moment(inputs: Path, tmp_path: Path, name: str, random: Random, noted: Noted):
    case, before = cases(inputs)[name], digest(inputs)
    seconds, whole = _measured(case, tmp_path / "whole")
    killed = tries = 0
    wanted = max(KILLS // (2 * len(NAMES)), 2)
    while killed < wanted and tries < 5 * wanted:
        tries += 1
        # Late moments are likelier: that is when files are written.
        wait = seconds * random.random() ** 0.5
        folder = tmp_path / f"{tries}"
        outcome = _killed(case, folder, random.choice(SIGNALS), wait, whole)
        if outcome:
            killed += 1
            noted(f"`unround {name}` killed", outcome)
            if killed % 2:
                _repeat(case, folder, whole)
        else:  # it ended first: the next kill comes earlier
            seconds *= 0.8
    assert killed
    assert digest(inputs) == before


def _measured(case: Case, folder: Path) -> tuple[float, str]:
    """Return how long a command takes and what it writes when nothing happens."""
    case.prepare(folder)
    began = time.monotonic()
    environment = {**os.environ, **case.environment}
    subprocess.run(case.command(folder), check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.monotonic() - began, visible(case, folder)


def _killed(case: Case, folder: Path, how: signal.Signals, wait: float, whole: str) -> str:
    """Kill a command after a wait; return what it left, or nothing if it had ended before."""
    case.prepare(folder)
    before, mark = visible(case, folder), uuid4().hex
    process = subprocess.Popen(
        case.command(folder),
        env={**os.environ, **case.environment, MARK: mark},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with suppress(subprocess.TimeoutExpired):
        process.wait(wait)
        return ""
    process.send_signal(how)
    process.wait()
    assert waited_for(lambda: not _marked(mark), case.longest_end), "its processes live on"
    found = visible(case, folder)
    assert found in (whole, before), f"half a result after {how.name}"
    _check_data(case, folder)
    return "the whole result" if found and found == whole else "no result"


def _repeat(case: Case, folder: Path, whole: str) -> None:
    """Do what was killed once more, to its end."""
    environment = {**os.environ, **case.environment}
    done = subprocess.run(
        case.command(folder), check=False, capture_output=True, text=True, env=environment
    )
    said = done.stderr + done.stdout
    assert done.returncode in (0, 1) or any(word in said for word in THERE), said[-300:]
    assert visible(case, folder) == whole
    _check_data(case, folder)
    assert list(folder.rglob("*.unfinished-*")) == []


def _check_data(case: Case, folder: Path) -> None:
    """Compare every file of a console's data folder with what its database says."""
    data = case.data(folder)
    if data and (data / "uploads").is_dir() and not (data / "restoring").exists():
        assert strays(data) == []


def _marked(mark: str) -> list[int]:
    """Return the processes that a command started."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            try:
                environment = (process / "environ").read_bytes()
                state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if mark.encode() in environment and state != "Z":
                found.append(int(process.name))
    return found
