"""Section: the whole validation as the paper does it, and with general solvers, beside ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

import unround
from benchmarks.cases.conferences import iclr_shape, published
from benchmarks.cases.paper_validation import GRID, Outcome, dequantize, programs
from benchmarks.cases.solving import TOLERANCE
from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import ICLR, PAPER_RATIOS, AgainstPaper, Plan
from benchmarks.harness.report import Section, Table, seconds
from benchmarks.harness.timing import best_of, timed
from benchmarks.rivals import RIVALS, NotSolvedByRival, Rival
from benchmarks.rivals.matrices import means_eliminated
from unround.arrays import FloatArray
from unround.preparation import prepare
from unround.problem.build import build_problem
from unround.problem.model import Problem
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.selection.validation import coarsen_reviews, validate
from unround.settings import AUTO, Policy, Settings
from unround.simulate import Conference
from unround.solver.local import Solver

TITLE = "Against the paper's formulation"
HEAD = (
    "solved by", "reviews", "one solve", "times ours", "validation and solve", "times ours", "λ",
    "furthest from our scores",
)  # fmt: skip
RIVAL_REPEATS = 3
EPSILON = 0.05
PAPER = "CVXPY + CVXOPT (the paper)"
METHOD = """\
240 reviews: the paper's default synthetic conference, trial 0 of its published draw. 1,278 reviews:
{iclr}. The validation tries the paper's values of λ{some} and then solves once more with the
best one; one solve is with that λ alone. The paper's program is written out as in its Algorithm 1,
one CVXPY constraint object for each comparison and each end of a cell, and solved by CVXOPT with
feastol = 1e-6; being slow, it is timed fewer times, once at 1,278. The general solvers get sparse
matrices, made beforehand and not counted, with the papers' means eliminated, and their first
tolerance of the section on general solvers; all but ours use unround's fast Kendall-tau error. A
validation expected to take over {limit} is not run. unround starts from tables, checks them, and
certifies its answer, in both columns; "from arrays" it starts and ends where the general solvers do.
It is the best of {repeats}; the general solvers are the best of 3 at most."""


def steps(plan: Plan) -> int:
    return sum(2 + len(RIVALS) for _ in plan.paper)


def measure(bench: Bench) -> Section:
    plan = bench.plan
    words = METHOD.format(
        iclr=ICLR.name,
        some="".join(f" (the first {p.lambdas})" for p in plan.paper[:1] if p.lambdas < GRID.size),
        limit=seconds(plan.paper[0].limit),
        repeats=plan.repeats,
    )
    rows, verdicts = [], list[str]()
    for setting in plan.paper:
        entries = _entries(setting, bench)
        rows += [_row(entry, setting, entries[-1]) for entry in entries]
        verdicts += _verdict(entries[0], setting, entries[-1])
    return Section(TITLE, (words, Table(HEAD, rows), *verdicts))


@dataclass(frozen=True)
class Entry:
    """Seconds of one solve and of the whole; without an outcome, the reason."""

    name: str
    solve: float
    whole: float
    outcome: Outcome | None
    reason: str = ""


def _entries(setting: AgainstPaper, bench: Bench) -> list[Entry]:
    """The paper's first, ours last."""
    conference = published(60) if setting.reviews == 240 else iclr_shape()
    repeats, progress = bench.plan.repeats, bench.progress
    ours = _ours(conference, setting, repeats)
    assert ours.outcome is not None
    lam, entries = ours.outcome.lam, []
    for rival in RIVALS:
        progress.start(f"validation by {rival.name}, {setting.reviews:,} reviews")
        if rival.installed:
            entries.append(_by_rival(rival, conference, setting, lam, min(repeats, RIVAL_REPEATS)))
        progress.done()
    progress.done()
    progress.start(f"validation by {PAPER}, {setting.reviews:,} reviews")
    paper = _paper(conference, setting, lam)
    progress.done()
    return [paper, *entries, _ours_from_arrays(conference, setting, lam, repeats), ours]


def _ours(conference: Conference, setting: AgainstPaper, repeats: int) -> Entry:
    reviews, rankings = conference.reviews, conference.rankings

    def whole() -> Outcome:
        lam: float | str = AUTO
        if setting.lambdas < GRID.size:
            lam = unround.select_lambda(reviews, grid=GRID[: setting.lambdas]).lam
        result = unround.dequantize(reviews, rankings, lam=lam)
        return Outcome(result.lam, result.scores["dequantized"].to_numpy())

    found = best_of(max(repeats, 2), whole)
    lam = found.value.lam
    solve = best_of(repeats, lambda: unround.dequantize(reviews, rankings, lam=lam))
    return Entry("**unround**", solve.seconds, found.seconds, found.value)


def _ours_from_arrays(
    conference: Conference, setting: AgainstPaper, lam: float, repeats: int
) -> Entry:
    """What the general solvers do: no tables, no certificate."""
    reviews, _, stated = _problems(conference)

    def whole() -> Outcome:
        curve = validate(reviews, epsilon=EPSILON, grid=GRID[: setting.lambdas])
        scores = Solver(stated).solve(curve.best, TOLERANCE).scores
        return Outcome(curve.best, reviews.in_caller_order(scores))

    found = best_of(repeats, whole)
    solve = best_of(repeats, lambda: Solver(stated).solve(lam, TOLERANCE))
    return Entry("unround, from arrays", solve.seconds, found.seconds, found.value)


def _paper(conference: Conference, setting: AgainstPaper, lam: float) -> Entry:
    from benchmarks.cases import paper_formulation

    coarse, stated = programs(conference)
    by_coarse = partial(paper_formulation.solve, coarse)
    by_stated = partial(paper_formulation.solve, stated)
    solve = best_of(setting.repeats, lambda: by_stated(lam))
    whole = best_of(
        setting.repeats, lambda: dequantize(stated.score, by_coarse, by_stated, setting.lambdas)
    )
    return Entry(PAPER, solve.seconds, whole.seconds, whole.value)


def _by_rival(
    rival: Rival, conference: Conference, setting: AgainstPaper, lam: float, repeats: int
) -> Entry:
    reviews, coarse, stated = _problems(conference)
    try:
        alone, _ = timed(_on(stated, rival, [lam])[lam])
        expected = alone * (setting.lambdas + 1)
        if expected > setting.limit:
            return Entry(rival.name, alone, np.inf, None, f"predicted {seconds(expected)}")
        grid = [float(each) for each in GRID[: setting.lambdas]]
        by_coarse, by_stated = _on(coarse, rival, grid), _on(stated, rival, grid)
        solve = best_of(repeats, by_stated[lam]).seconds if lam in by_stated else alone
        whole = best_of(
            repeats,
            lambda: dequantize(
                reviews.given,
                lambda strength: by_coarse[strength](),
                lambda strength: by_stated[strength](),
                setting.lambdas,
            ),
        )
    except NotSolvedByRival as failure:
        return Entry(rival.name, np.inf, np.inf, None, f"failed: {failure}")
    scores = reviews.in_caller_order(whole.value.scores)
    return Entry(rival.name, solve, whole.seconds, Outcome(whole.value.lam, scores))


def _on(problem: Problem, rival: Rival, grid: list[float]) -> dict[float, Callable[[], FloatArray]]:
    """For each λ, a solve with its matrices ready."""

    def ready(lam: float) -> Callable[[], FloatArray]:
        solve = rival.ready(means_eliminated(problem, lam), rival.tolerances[0])
        return lambda: solve()[: len(problem)]

    return {lam: ready(lam) for lam in grid}


def _problems(conference: Conference) -> tuple[ReviewSet, Problem, Problem]:
    """The reviews, the coarser program of the validation, and the stated one."""
    settings = Settings(epsilon=EPSILON, conflicts=Policy.SCORES)
    prepared = prepare(Tables(conference.reviews, conference.rankings), settings)
    coarse, _ = build_problem(coarsen_reviews(prepared.reviews), settings)
    return prepared.reviews, coarse, prepared.problem


def _row(entry: Entry, setting: AgainstPaper, ours: Entry) -> tuple[str, ...]:
    outcome, mine = entry.outcome, ours.outcome
    size = f"{setting.reviews:,}"
    one = (
        (seconds(entry.solve), f"{entry.solve / ours.solve:,.1f}")
        if np.isfinite(entry.solve)
        else ("", "")
    )
    if outcome is None or mine is None:
        return entry.name, size, *one, entry.reason, "", "", ""
    return (
        entry.name,
        size,
        *one,
        seconds(entry.whole),
        f"{entry.whole / ours.whole:,.1f}",
        f"{outcome.lam:.4f}",
        "" if entry is ours else _apart(outcome, mine),
    )


def _apart(one: Outcome, other: Outcome) -> str:
    if one.lam != other.lam:
        return "another λ"
    return f"{np.abs(one.scores - other.scores).max():.1e}"


def _verdict(paper: Entry, setting: AgainstPaper, ours: Entry) -> list[str]:
    wanted, ratio = PAPER_RATIOS.get(setting.reviews), paper.whole / ours.whole
    if wanted is None or setting.lambdas < GRID.size:
        return []
    met = "met" if ratio >= wanted else "**not met**"
    return [
        f"{setting.reviews:,} reviews: {ratio:,.0f} times as fast as the paper's formulation; "
        f"target {wanted:,.0f}, {met}."
    ]
