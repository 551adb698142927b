"""Section: one solve, against general solvers called directly."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cases.conferences import iclr_shape, published, synthetic
from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import ICLR, SOLVER_RATIOS, Ladder, Plan
from benchmarks.harness.report import Section, Table, seconds
from benchmarks.rivals import RIVALS
from benchmarks.rivals.ladder import EQUAL, Attempt, Case, Climber, climbing
from unround.simulate import Conference

TITLE = "One solve, against general solvers"
HEAD = (
    "solver", "reviews", "time", "times ours", "true error", "≤ 1e-6", "≤ 1e-8", "means",
    "tolerance",
)  # fmt: skip
METHOD = """\
The same program for the same λ. What is timed: for unround, from its arrays of the problem to
scores with a proven bound of 5e-10 (`Solver(problem).solve`, laying out included), best of
{repeats}; for the others, setting up and solving in their own interface, best of 3, or once above
3 s. Making the arrays and the sparse matrices is not counted for anybody. All on one core.

The true error is the largest distance of a score from the certified answer, which is itself proven
right to 1e-9 by the certificate. Every solver gets only the comparisons of neighbouring ranks that
the cells do not imply, and two formulations: the papers' means eliminated from the objective, or as
variables of their own. While solves are expected to take under 2 s, both are tried with each of its
tolerances, and the row shows the quickest way with a true error of at most 1e-8, or else the most
accurate; above, the best way of the size before is used, or a looser tolerance where that fails. An
attempt counts only if the solver itself reports success. Each runs in a process of its own that is
ended after {limit}; a solver goes up until that happens, or until its last two sizes predict it.
Equal accuracy means at most 1e-8.

Solvers: {solvers}."""


def steps(plan: Plan) -> int:
    return sum(len(ladder.sizes) for ladder in plan.ladders)


def measure(bench: Bench) -> Section:
    plan = bench.plan
    solvers = ", ".join(f"{one.name} ({one.kind})" for one in RIVALS if one.installed)
    limit = seconds(max(ladder.limit for ladder in plan.ladders))
    parts: list[str | Table] = [
        METHOD.format(repeats=plan.repeats, limit=limit, solvers=solvers or "none is installed")
    ]
    missing = [one.name for one in RIVALS if not one.installed]
    if missing:
        parts.append(f"Left out, because not installed: {', '.join(missing)}.")
    for ladder in plan.ladders:
        parts += _climbed(ladder, bench)
    return Section(TITLE, tuple(parts))


def _climbed(ladder: Ladder, bench: Bench) -> list[str | Table]:
    climbers = [Climber(rival, ladder.limit) for rival in RIVALS if rival.installed]
    rows: list[tuple[str, ...]] = []
    verdicts = []
    for reviews in ladder.sizes:
        bench.progress.start(f"solvers, λ = {ladder.lam:g}, {reviews:,} reviews")
        if not all(climber.stopped for climber in climbers):
            with tempfile.TemporaryDirectory(dir=bench.fresh.folder) as folder:
                case = Case(_conference(reviews), ladder.lam, bench.plan.repeats, Path(folder))
                attempts = list(climbing(climbers, case))
            rows += [_our_row(case), *(_row(case, one) for one in attempts)]
            verdicts += _verdict(case, attempts)
        bench.progress.done()
    head = f"**λ = {ladder.lam:.4g}**, each solve ended after {seconds(ladder.limit)}:"
    return [head, Table(HEAD, rows), *verdicts]


def _conference(reviews: int) -> Conference:
    if reviews == 240:
        return published(60)
    return iclr_shape() if reviews == ICLR.reviews else synthetic(reviews)


def _our_row(case: Case) -> tuple[str, ...]:
    size, time = f"{case.reviews:,}", seconds(case.ours.seconds)
    proven = f"< {case.proven:.1e}, proven"
    return "**unround**", size, time, "1", proven, "yes", "yes", "", "5e-10"


def _row(case: Case, one: Attempt) -> tuple[str, ...]:
    size = f"{case.reviews:,}"
    if one.failed or one.way is None:
        return one.rival.name, size, one.failed, "", "", "", "", "", ""
    return (
        one.rival.name,
        size,
        seconds(one.seconds),
        f"{one.seconds / case.ours.seconds:,.1f}",
        f"{one.error:.1e}",
        "yes" if one.error <= 1e-6 else "no",
        "yes" if one.error <= EQUAL else "no",
        one.way.formulation,
        f"{one.way.tolerance:.0e}",
    )


def _verdict(case: Case, attempts: Sequence[Attempt]) -> list[str]:
    """The ratio to the quickest of equal accuracy, where one is wanted."""
    wanted = SOLVER_RATIOS.get(case.reviews)
    if wanted is None:
        return []
    equal = [one for one in attempts if one.error <= EQUAL]
    if not equal:
        return [f"{case.reviews:,} reviews: no general solver of equal accuracy."]
    best = min(equal, key=lambda one: one.seconds)
    ratio = best.seconds / case.ours.seconds
    return [
        f"{case.reviews:,} reviews, λ = {case.lam:.4g}: {ratio:,.1f} times as fast as "
        f"{best.rival.name}, the fastest general solver of equal accuracy; target {wanted:,.0f}, "
        f"{'met' if ratio >= wanted else '**not met**'}."
    ]
