"""Section 6: how the load of a reviewer matters."""

from __future__ import annotations

import unround
from benchmarks.bench import Bench
from benchmarks.conferences import synthetic
from benchmarks.plan import Plan
from benchmarks.report import Section, Table, seconds
from benchmarks.solving import problem_of, timed_solve
from benchmarks.timing import best_of
from unround.simulate import Conference

TITLE = "Papers a reviewer"
HEAD = (
    "load", "preparing", "one solve, λ = 1", "sweeps", "ns a review and sweep",
    '`dequantize(lam="auto")`',
)  # fmt: skip
METHOD = """\
{reviews:,} reviews, four a paper. Preparing is reading, checking and turning into arrays
(`unround.check`). With ε = 0.05 a full ranking of more than 21 papers may not fit into one cell, so
that its room has to be looked at more closely."""


def steps(plan: Plan) -> int:
    return len(plan.loads)


def measure(bench: Bench) -> Section:
    plan, progress = bench.plan, bench.progress
    rows = []
    for load in plan.loads:
        progress.start(f"load {load}")
        rows.append(_row(load, synthetic(plan.reviews_of_sweeps, load), plan.repeats))
        progress.done()
    return Section(TITLE, (METHOD.format(reviews=plan.reviews_of_sweeps), Table(HEAD, rows)))


def _row(load: int, conference: Conference, repeats: int) -> tuple[str, ...]:
    ready = best_of(repeats, lambda: unround.check(conference.reviews, conference.rankings))
    problem = problem_of(conference)
    solve = timed_solve(problem, 1.0, repeats)
    whole = best_of(repeats, lambda: unround.dequantize(conference.reviews, conference.rankings))
    return (
        str(load),
        seconds(ready.seconds),
        seconds(solve.seconds),
        str(solve.value.sweeps),
        f"{1e9 * solve.seconds / (len(problem) * solve.value.sweeps):.1f}",
        seconds(whole.seconds),
    )
