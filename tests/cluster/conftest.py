"""A real scheduler and real workers, each a process of its own, on the loopback address."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread, Timer

import polars as pl
import pytest
from distributed import Client

import unround

# Seconds after which a process that has not started is given up.
STARTUP = 200.0
HERE = ("--host", "127.0.0.1", "--no-dashboard")
ALONE = ("--nthreads", "1", "--no-nanny", "--memory-limit", "0", "--death-timeout", str(STARTUP))


class Cluster:
    """A scheduler's address, and the processes."""

    def __init__(self, folder: Path, running: ExitStack) -> None:
        self._folder, self._running = folder, running
        self.scheduler = self._start("scheduler", "--port", "0", *HERE, stderr=subprocess.PIPE)
        self.address = _printed_address(self.scheduler)
        rest = Thread(target=self.scheduler.stderr.read)
        rest.start()
        running.callback(rest.join)
        running.callback(self.scheduler.kill)
        self.workers: list[subprocess.Popen[str]] = []

    def add_workers(self, count: int, **environment: str) -> None:
        """Start workers and wait until the scheduler knows them."""
        for _ in range(count):
            local = ("--local-directory", str(self._folder))
            words = (self.address, *HERE, *ALONE, *local)
            self.workers.append(self._start("worker", *words, **environment))
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=STARTUP)

    def _start(
        self, command: str, *words: str, stderr: int = subprocess.DEVNULL, **environment: str
    ) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", command, *words],
            cwd=self._folder,
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            text=True,
        )
        self._running.enter_context(process)
        self._running.callback(process.kill)
        return process


def _printed_address(scheduler: subprocess.Popen[str]) -> str:
    """What the scheduler says when it is ready."""
    assert scheduler.stderr is not None
    too_late = Timer(STARTUP, scheduler.kill)
    too_late.start()
    try:
        for line in scheduler.stderr:
            found = re.search(r"Scheduler at:\s+(\S+)", line)
            if found:
                return found[1]
    finally:
        too_late.cancel()
    raise RuntimeError("the scheduler did not start")


@contextmanager
def started(folder: Path, workers: int) -> Iterator[Cluster]:
    with ExitStack() as running:
        cluster = Cluster(folder, running)
        if workers:
            cluster.add_workers(workers)
        yield cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and two workers that every test leaves in good health."""
    with started(tmp_path_factory.mktemp("cluster"), workers=2) as cluster:
        yield cluster


@pytest.fixture
def doomed(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two workers to be killed."""
    folder = tmp_path / "doomed"
    folder.mkdir()
    with started(folder, workers=2) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def conference():
    """Total orders of most reviewers, partial ones of some, and none of others."""
    drawn = unround.simulate.thurstone(40, seed=3)
    kind = pl.col("reviewer") % 4
    ranked = drawn.rankings.filter(kind > 1)
    place = drawn.rankings.filter(kind == 1).select("reviewer", "paper", "rank")
    # 1 above 2 and 3, 2 above 4: no levels.
    pairs = [
        place.filter(pl.col("rank") == above)
        .select("reviewer", better="paper")
        .join(place.filter(pl.col("rank") == below).select("reviewer", worse="paper"), "reviewer")
        for above, below in ((1, 2), (1, 3), (2, 4))
    ]
    return drawn.reviews, [ranked, pl.concat(pairs)]
