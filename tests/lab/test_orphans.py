"""Workers of `unround reproduce` end although their parent was killed and could not tell them."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROC = Path("/proc")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PROC / "self/stat").exists(), reason="no list of processes"),
]


def children(process: int) -> set[int]:
    found = set()
    for path in PROC.glob("[0-9]*/stat"):
        try:
            state = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(state[1]) == process and state[0] != "Z":
            found.add(int(path.parent.name))
    return found


def wait_for(condition) -> None:
    """Wait until the condition is true; the limit on every test ends it otherwise."""
    while not condition():
        time.sleep(0.1)


def test_workers_end_with_a_killed_parent(tmp_path):
    command = [sys.executable, "-m", "unround", "reproduce", "noise", "--trials", "2000"]
    with subprocess.Popen([*command, "--jobs", "2", "--quiet", "-o", tmp_path / "out"]) as parent:
        # Trials are being written, so that both workers are at work.
        wait_for(lambda: len(list(tmp_path.glob("out/trials/*/*.json"))) > 8)
        workers = children(parent.pid)
        assert len(workers) >= 2
        parent.send_signal(signal.SIGKILL)
    wait_for(lambda: not any((PROC / str(worker)).exists() for worker in workers))
    drafts = {path.name for path in tmp_path.glob("out/trials/*/.*")}
    assert len(drafts) <= 2  # what each worker wrote when it ended, and nothing else is half there
