"""Section 5: how many sweeps a λ needs."""

from __future__ import annotations

from benchmarks.bench import Bench
from benchmarks.conferences import synthetic
from benchmarks.plan import Plan
from benchmarks.report import Section, Table, seconds
from benchmarks.solving import problem_of, timed_solve

TITLE = "Sweeps by λ"
HEAD = ("λ", "sweeps", "time", "ms a sweep", "proven error below", "ended")
METHOD = """\
{reviews:,} reviews, four papers a reviewer; one solve of a prepared problem from a cold start,
until 5e-10 is proven for every score."""


def steps(plan: Plan) -> int:
    return len(plan.lambdas)


def measure(bench: Bench) -> Section:
    plan, progress = bench.plan, bench.progress
    problem = problem_of(synthetic(plan.reviews_of_sweeps))
    rows = []
    for lam in plan.lambdas:
        progress.start(f"λ = {lam:g}")
        best = timed_solve(problem, lam, plan.repeats)
        found = best.value
        rows.append(
            (
                f"{lam:,.0f}" if lam >= 1.0 else f"{lam:g}",
                f"{found.sweeps:,}",
                seconds(best.seconds),
                f"{1e3 * best.seconds / found.sweeps:.2f}",
                f"{found.bound:.1e}",
                str(found.status),
            )
        )
        progress.done()
    return Section(TITLE, (METHOD.format(reviews=len(problem)), Table(HEAD, rows)))
