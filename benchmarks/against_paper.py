"""Section 2: the paper's own way to solve its program, in the same run, as a ratio to ours."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import unround
from benchmarks import clarabel_formulation, paper_formulation
from benchmarks.bench import Bench
from benchmarks.conferences import published
from benchmarks.paper_validation import GRID, Algorithm1, Outcome, dequantize
from benchmarks.plan import SPEEDUP_TARGET, Plan
from benchmarks.progress import Steps
from benchmarks.report import Section, Table, seconds
from benchmarks.timing import Best, best_of
from unround.simulate import Conference

TITLE = "Against the paper's formulation"
HEAD = ("solved by", "time", "best of", "ratio to ours", "λ", "furthest from our scores")
WRITTEN = "CVXPY + CVXOPT, constraint by constraint (the paper)"
METHOD = """\
{reviews} reviews: the paper's default synthetic conference, trial 0 of its published draw. Each row
tries the same {lambdas} values of λ in the validation and then solves once more with the best one.
The paper's program is written out as in its Algorithm 1, one CVXPY constraint object for each
comparison and each end of a cell, and solved by CVXOPT with feastol = 1e-6; being slow, it is timed
fewer times. Clarabel gets the same program as sparse matrices, without CVXPY, at its defaults.
Both use unround's fast Kendall-tau error and start from arrays; unround starts from tables, checks
them and certifies its answer."""


def steps(plan: Plan) -> int:
    return 3


def measure(bench: Bench) -> Section:
    plan, progress = bench.plan, bench.progress
    conference = published(plan.papers_against_paper)
    lambdas = plan.lambdas_against_paper
    ours = _timed("unround", lambda: _unround(conference, lambdas), plan.repeats, progress)
    clarabel = _timed(
        "Clarabel", lambda: _other(conference, clarabel_formulation.solve, lambdas),
        plan.repeats, progress,
    )  # fmt: skip
    paper = _timed(
        "CVXPY + CVXOPT", lambda: _other(conference, paper_formulation.solve, lambdas),
        plan.repeats_of_paper, progress,
    )  # fmt: skip
    rows = [
        _row(WRITTEN, paper, plan.repeats_of_paper, ours),
        _row("Clarabel, sparse matrices", clarabel, plan.repeats, ours),
        _row("unround", ours, plan.repeats, ours),
    ]
    words = METHOD.format(reviews=conference.reviews.height, lambdas=lambdas)
    parts = (words, Table(HEAD, rows))
    if lambdas < GRID.size:
        return Section(TITLE, parts)
    return Section(TITLE, (*parts, _target(paper.seconds / ours.seconds)))


def _timed(name: str, work: Callable[[], Outcome], repeats: int, progress: Steps) -> Best[Outcome]:
    progress.start(f"against the paper: {name}")
    best = best_of(repeats, work)
    progress.done()
    return best


def _unround(conference: Conference, lambdas: int) -> Outcome:
    if lambdas == GRID.size:
        lam: float | str = "auto"
    else:
        lam = unround.select_lambda(conference.reviews, grid=GRID[:lambdas]).lam
    result = unround.dequantize(conference.reviews, conference.rankings, lam=lam)
    return Outcome(result.lam, result.scores["dequantized"].to_numpy())


def _other(conference: Conference, solve: Algorithm1, lambdas: int) -> Outcome:
    return dequantize(conference, solve, lambdas)


def _row(name: str, best: Best[Outcome], repeats: int, ours: Best[Outcome]) -> tuple[str, ...]:
    return (
        name,
        seconds(best.seconds),
        str(repeats),
        f"{best.seconds / ours.seconds:,.0f}x",
        f"{best.value.lam:.4f}",
        "" if best is ours else f"{np.abs(best.value.scores - ours.value.scores).max():.1e}",
    )


def _target(ratio: float) -> str:
    met = "met" if ratio >= SPEEDUP_TARGET else "**not met**"
    return f"Target: at least {SPEEDUP_TARGET:,.0f}x; measured {ratio:,.0f}x, {met}."
