"""Prepare a problem and time one solve of it."""

from __future__ import annotations

import unround
from benchmarks.harness.timing import Best, best_of
from unround.problem.model import Problem
from unround.simulate import Conference
from unround.solver.local import Solver
from unround.solver.loop import Solution

# What `dequantize` asks of the solver: half its tolerance.
TOLERANCE = 0.5e-9


def problem_of(conference: Conference) -> Problem:
    """The program that `dequantize` solves for a conference, as arrays."""
    return unround.dequantize(conference.reviews, conference.rankings, lam=1.0).internals.problem


def timed_solve(problem: Problem, lam: float, repeats: int) -> Best[Solution]:
    """Solve from a cold start, the problem's own preparation apart."""
    solver = Solver(problem)
    return best_of(repeats, lambda: solver.solve(lam, TOLERANCE))
