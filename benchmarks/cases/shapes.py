"""Measure one shape of conference: preparing it, one solve, the whole job."""

from __future__ import annotations

import unround
from benchmarks.cases.solving import problem_of, timed_solve
from benchmarks.harness.report import seconds
from benchmarks.harness.timing import best_of
from unround.simulate import Conference

COLUMNS = (
    "preparing", "one solve, λ = 1", "sweeps", "ns a review and sweep", "proven error below",
    '`dequantize(lam="auto")`',
)  # fmt: skip


def cells(conference: Conference, repeats: int) -> tuple[str, ...]:
    """One cell for each of the columns."""
    reviews, rankings = conference.reviews, conference.rankings
    ready = best_of(repeats, lambda: unround.check(reviews, rankings))
    problem = problem_of(conference)
    solve = timed_solve(problem, 1.0, repeats)
    whole = best_of(repeats, lambda: unround.dequantize(reviews, rankings))
    return (
        seconds(ready.seconds),
        seconds(solve.seconds),
        str(solve.value.sweeps),
        f"{1e9 * solve.seconds / (len(problem) * solve.value.sweeps):.1f}",
        f"{whole.value.certificate.max_error:.1e}",
        seconds(whole.seconds),
    )
