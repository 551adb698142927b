"""Section 4: how time grows with the number of reviews."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import unround
from benchmarks.bench import Bench
from benchmarks.conferences import synthetic
from benchmarks.plan import Plan
from benchmarks.report import Section, Table, seconds
from benchmarks.solving import problem_of, timed_solve
from benchmarks.timing import best_of

TITLE = "Growth with the number of reviews"
HEAD = (
    "reviews", "one solve, λ = 1", "sweeps", "ns a review and sweep", "whole validation",
    "µs a review",
)  # fmt: skip
METHOD = """\
Synthetic conferences, four reviews a paper and four papers a reviewer. One solve is of a problem
already prepared, to a proven 5e-10 in every score, from a cold start. The whole validation
(`unround.select_lambda`) reads the table, rounds the scores once more, and solves and scores all 40
values of λ."""


def steps(plan: Plan) -> int:
    return len(plan.growth)


def measure(bench: Bench) -> Section:
    sizes, found = bench.plan.growth, []
    for reviews in sizes:
        bench.progress.start(f"growth, {reviews:,} reviews")
        found.append(_measured(reviews, bench.plan.repeats))
        bench.progress.done()
    solving = exponent(sizes, [one.solving for one in found])
    validating = exponent(sizes, [one.validating for one in found])
    fitted = (
        f"Fitted over all rows, time ∝ reviews^a: a = {solving:.3f} for one solve, "
        f"a = {validating:.3f} for the validation."
    )
    return Section(TITLE, (METHOD, Table(HEAD, [one.row() for one in found]), fitted))


@dataclass(frozen=True)
class _Measured:
    """Times in seconds."""

    reviews: int
    solving: float
    sweeps: int
    validating: float

    def row(self) -> tuple[str, ...]:
        return (
            f"{self.reviews:,}",
            seconds(self.solving),
            str(self.sweeps),
            f"{1e9 * self.solving / (self.reviews * self.sweeps):.1f}",
            seconds(self.validating),
            f"{1e6 * self.validating / self.reviews:.2f}",
        )


def _measured(reviews: int, repeats: int) -> _Measured:
    conference = synthetic(reviews)
    solve = timed_solve(problem_of(conference), 1.0, repeats)
    whole = best_of(repeats, lambda: unround.select_lambda(conference.reviews))
    return _Measured(reviews, solve.seconds, solve.value.sweeps, whole.seconds)


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The slope of the straight line through the logarithms, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
