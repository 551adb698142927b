"""Measure every rival at growing sizes until it fails or takes too long, each solve in its own process."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import unround
from benchmarks.cases.solving import TOLERANCE
from benchmarks.harness.fresh import ROOT
from benchmarks.harness.report import seconds
from benchmarks.harness.timing import best_of
from benchmarks.rivals import Rival
from benchmarks.rivals.matrices import FORMULATIONS
from benchmarks.rivals.storing import save
from unround.simulate import Conference
from unround.solver.local import Solver

# Solves expected to be quicker than this are tried in every way, slower ones in the best way known.
TRY_ALL_BELOW = 2.0
EQUAL = 1e-8
# The growth assumed while only one size is known.
FIRST_EXPONENT = 2.0


@dataclass(frozen=True)
class Way:
    """How a rival is asked."""

    formulation: str
    tolerance: float


@dataclass(frozen=True)
class Attempt:
    """What came of it: a time and the true error, or a sentence why not."""

    rival: Rival
    way: Way | None
    seconds: float = math.inf
    error: float = math.inf
    failed: str = ""
    hopeless: bool = False  # out of time or crashed: no looser tolerance would help


class Case:
    """One program: our own time, the certified answer, and the matrices on disk for others."""

    def __init__(self, conference: Conference, lam: float, repeats: int, folder: Path) -> None:
        result = unround.dequantize(conference.reviews, conference.rankings, lam=lam)
        problem = result.internals.problem
        self.reviews, self.lam = len(problem), lam
        self.proven = result.certificate.max_error
        self.ours = best_of(repeats, lambda: Solver(problem).solve(lam, TOLERANCE))
        self._folder = folder
        np.save(folder / "certified.npy", result.internals.values)
        for name, formulation in FORMULATIONS.items():
            save(formulation(problem, lam), folder / f"{name}.npz")

    def attempt(self, rival: Rival, way: Way, limit: float) -> Attempt:
        """Ask a rival, in a process that is ended when it takes too long."""
        command = [
            sys.executable, "-m", "benchmarks.rivals.one_solve", rival.name,
            str(self._folder / f"{way.formulation}.npz"), repr(way.tolerance),
            str(self._folder / "certified.npy"),
        ]  # fmt: skip
        try:
            done = subprocess.run(
                command, cwd=ROOT, capture_output=True, text=True, timeout=limit, check=False
            )
        except subprocess.TimeoutExpired:
            return Attempt(rival, way, failed=f"stopped after {seconds(limit)}", hopeless=True)
        if done.returncode:
            return Attempt(rival, way, failed=f"ended with code {done.returncode}", hopeless=True)
        # A solver may have printed before.
        return Attempt(rival, way, **json.loads(done.stdout.splitlines()[-1]))


class Climber:
    """One rival on its way up."""

    def __init__(self, rival: Rival, limit: float) -> None:
        self.rival, self._limit = rival, limit
        self._known: list[tuple[int, float]] = []
        self._way: Way | None = None
        self.stopped = False

    def climb(self, case: Case) -> Attempt:
        """The best attempt at this size, or why there is none; then it stops for good."""
        expected = predicted(self._known, case.reviews)
        if expected > self._limit:
            self.stopped = True
            return Attempt(self.rival, None, failed=f"predicted {seconds(expected)}")
        best = best_attempt(list(self._attempts(case, expected)))
        self._known.append((case.reviews, best.seconds))
        self._way, self.stopped = best.way, bool(best.failed)
        return best

    def _attempts(self, case: Case, expected: float) -> Iterator[Attempt]:
        """Every way while that is cheap; else the best known, and looser ones where that fails."""
        if self._way is None or expected <= TRY_ALL_BELOW:
            for name in FORMULATIONS:
                for tolerance in self.rival.tolerances:
                    yield case.attempt(self.rival, Way(name, tolerance), self._limit)
            return
        for way in _retreat(self._way, self.rival):
            attempt = case.attempt(self.rival, way, self._limit)
            yield attempt
            if attempt.hopeless or not attempt.failed:
                return


def _retreat(way: Way, rival: Rival) -> list[Way]:
    looser = sorted(each for each in rival.tolerances if each > way.tolerance)
    return [way, *(Way(way.formulation, tolerance) for tolerance in looser)]


def predicted(known: Sequence[tuple[int, float]], reviews: int) -> float:
    """Drawn on from the last two sizes as a power law, at least linearly; 0 when none is known."""
    if not known:
        return 0.0
    size, time = known[-1]
    exponent = FIRST_EXPONENT
    if len(known) > 1:
        before, then = known[-2]
        exponent = max(1.0, math.log(time / then) / math.log(size / before))
    return float(time * (reviews / size) ** exponent)


def best_attempt(attempts: Sequence[Attempt]) -> Attempt:
    """The quickest of equal accuracy; if none is, the most accurate."""
    equal = [one for one in attempts if one.error <= EQUAL]
    if equal:
        return min(equal, key=lambda one: one.seconds)
    return min(attempts, key=lambda one: one.error)


def climbing(climbers: Sequence[Climber], case: Case) -> Iterator[Attempt]:
    """Everybody who has not stopped."""
    for climber in climbers:
        if not climber.stopped:
            yield climber.climb(case)
