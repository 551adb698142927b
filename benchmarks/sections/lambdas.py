"""Section: how many sweeps a λ needs."""

from __future__ import annotations

from benchmarks.cases.conferences import published, synthetic
from benchmarks.cases.solving import problem_of, timed_solve
from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import SWEEPS_TARGET, Plan
from benchmarks.harness.report import Section, Table, seconds
from unround.solver.loop import Solution

TITLE = "Sweeps by λ"
HEAD = ("reviews", "λ", "sweeps", "time", "µs a sweep", "proven error below")
METHOD = """\
The paper's default conference and a large one, four papers a reviewer; one solve of a prepared
problem from a cold start, until 5e-10 is proven for every score."""


def steps(plan: Plan) -> int:
    return 2 * len(plan.lambdas)


def measure(bench: Bench) -> Section:
    plan, progress = bench.plan, bench.progress
    rows, words = [], []
    for conference in (published(plan.small // 4), synthetic(plan.reviews)):
        problem = problem_of(conference)
        for lam in plan.lambdas:
            progress.start(f"λ = {lam:g}, {len(problem):,} reviews")
            best = timed_solve(problem, lam, plan.repeats)
            rows.append(_row(len(problem), lam, best.seconds, best.value))
            words += _verdict(len(problem), lam, best.value)
            progress.done()
    return Section(TITLE, (METHOD, Table(HEAD, rows), *words))


def _row(reviews: int, lam: float, taken: float, found: Solution) -> tuple[str, ...]:
    return (
        f"{reviews:,}",
        f"{lam:,.0f}" if lam >= 1.0 else f"{lam:g}",
        f"{found.sweeps:,}",
        seconds(taken),
        f"{1e6 * taken / found.sweeps:,.0f}",
        f"{found.bound:.1e}",
    )


def _verdict(reviews: int, lam: float, found: Solution) -> list[str]:
    wanted, most = SWEEPS_TARGET
    if lam != wanted:
        return []
    met = "met" if found.sweeps <= most and found.bound <= 1e-9 else "**not met**"
    return [
        f"λ = {lam:g}, {reviews:,} reviews: {found.sweeps:,} sweeps to a proven {found.bound:.1e}; "
        f"target at most {most} to 1e-9, {met}."
    ]
