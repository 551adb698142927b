"""Run tests in a fork of a process that has loaded the libraries, and end it when it takes too long."""

from __future__ import annotations

import math
import os
import pickle
import resource
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

MEMORY = 12 << 30  # bytes of address space that tests of a mutant may take
LONGEST = 3600.0  # seconds of processor time for all tests without a mutant
WAITING = 20.0  # seconds that a process may take for each second of processor time
# What tests import beside unround, loaded once.
LIBRARIES = ("numpy", "scipy.sparse", "scipy.optimize", "polars", "pandas", "pyarrow", "numba")
LIBRARIES += ("hypothesis.strategies", "clarabel", "narwhals", "rich.console", "click.testing")
LIBRARIES += ("fastapi", "starlette.testclient", "sqlalchemy.orm", "alembic.command", "uvicorn")
WORDS = ("-q", "-x", "-p", "no:cacheprovider", "-p", "pytest_timeout")
WORDS += ("--timeout", "0", "-W", "ignore::pytest.PytestAssertRewriteWarning")
# Generators of random numbers overflow on purpose, which is a warning where they are not compiled.
WORDS += ("-W", "ignore:overflow encountered:RuntimeWarning")


def load_libraries() -> None:
    """Import what every trial needs."""
    for name in LIBRARIES:
        import_module(name)


@dataclass(frozen=True)
class Coverage:
    """Which tests reach which lines, and how long each test takes."""

    seconds: dict[str, float]  # by test, the quickest with its fixtures first
    tests: dict[str, dict[int, list[str]]]  # by file and line

    def reaching(self, path: Path, lines: range) -> list[str]:
        """Return the tests that reach any of these lines."""
        by_line = self.tests.get(str(path), {})
        reached = {test for line in lines for test in by_line.get(line, ())}
        return [test for test in self.seconds if test in reached]


def measure(words: Sequence[str], folder: Path) -> Coverage:
    """Run tests that must pass, and return what they reach under a folder of sources."""
    answer = Path("coverage.pickle").absolute()

    def run() -> int:
        recorder = _Recorder(folder)
        code = pytest.main([*WORDS, *words], plugins=[recorder])
        answer.write_bytes(pickle.dumps(recorder.found()))
        return int(code)

    if _in_fork(run, LONGEST, quiet=False) != 0:
        sys.exit("the tests fail without a mutant")
    found: Coverage = pickle.loads(answer.read_bytes())
    return found


def notices(tests: Sequence[str], limit: float) -> str:
    """Return "killed" if a test fails, "timeout" if they take too much time, else "survived"."""
    code = _in_fork(lambda: int(pytest.main([*WORDS, *tests])), limit)
    return {0: "survived", -signal.SIGXCPU: "timeout", None: "timeout"}.get(code, "killed")


def _in_fork(work: Callable[[], int], limit: float, quiet: bool = True) -> int | None:
    """Return the exit code of work done in a fork, None if it waited for too long.

    The limit is in seconds of processor time, so that a busy machine kills no mutant.
    """
    child = get_context("fork").Process(target=_limited, args=(work, limit, quiet))
    child.start()
    child.join(WAITING * limit)
    if child.exitcode is None:
        os.killpg(child.ident or 0, signal.SIGKILL)
        child.join()
        return None
    return child.exitcode


def _limited(work: Callable[[], int], limit: float, quiet: bool) -> None:
    """Do the work within limits, and end the process without waiting for threads that it started."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 5))
    if quiet:
        sys.dont_write_bytecode = True  # of a mutant, which the next one may match in time and size
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
    code = work()
    sys.stdout.flush()
    os._exit(code)


class _Recorder:
    """A plugin of pytest that records the lines that each test reaches."""

    def __init__(self, folder: Path) -> None:
        import coverage

        self._coverage = coverage.Coverage(data_file=None, source=[str(folder)], config_file=False)
        self._coverage.start()
        self._seconds: dict[str, float] = {}
        self._fixtures: dict[str, list[str]] = {}
        self._shared: dict[str, float] = {}  # fixtures that several tests use

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Any:
        began = time.monotonic()
        result = yield
        if fixturedef.scope != "function":
            self._shared[fixturedef.argname] = time.monotonic() - began
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self._coverage.switch_context(item.nodeid)
        began = time.process_time()
        result = yield
        self._seconds[item.nodeid] = time.process_time() - began
        self._fixtures[item.nodeid] = getattr(item, "fixturenames", [])
        self._coverage.switch_context("")
        return result

    def found(self) -> Coverage:
        self._coverage.stop()
        data = self._coverage.get_data()
        tests = {
            path: {
                line: [context for context in contexts if context]
                for line, contexts in data.contexts_by_lineno(path).items()
            }
            for path in data.measured_files()
        }
        quickest = sorted(self._seconds, key=self._alone)
        return Coverage({test: self._seconds[test] for test in quickest}, tests)

    def _alone(self, test: str) -> float:
        """Return how long a test takes when no other one has set up its fixtures."""
        shared = (self._shared.get(name, 0.0) for name in self._fixtures[test])
        return self._seconds[test] + sum(shared)
