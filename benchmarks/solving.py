"""A problem made ready, and one timed solve of it."""

from __future__ import annotations

from benchmarks.timing import Best, best_of
from unround.pipeline import Prepared, prepare
from unround.problem import Problem
from unround.settings import Settings
from unround.simulate import Conference
from unround.solver import Solution, Solver

# What `dequantize` asks of the solver: half its tolerance.
TOLERANCE = 0.5e-9


def prepared_conference(conference: Conference) -> Prepared:
    """Read, checked, and turned into arrays."""
    return prepare(conference.reviews, conference.rankings, same=None, settings=Settings())


def timed_solve(problem: Problem, lam: float, repeats: int) -> Best[Solution]:
    """Solve from a cold start, the problem's own preparation apart."""
    solver = Solver(problem)
    return best_of(repeats, lambda: solver.solve(lam, TOLERANCE))
