"""Section: solving again after a change of one review."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

import unround
from benchmarks.cases.conferences import SEED, synthetic
from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import CHANGE_TARGET, Plan
from benchmarks.harness.report import Section, Table, seconds, verdict
from unround.arrays import FloatArray, IntArray
from unround.audit.influence.one_reviewer import ReviewerParts
from unround.audit.influence.resolve import ChangedScores, SolvedProblem
from unround.problem.build import build_problem
from unround.problem.model import Problem
from unround.reviews.review_set import Statements
from unround.settings import Policy
from unround.solver.local import Solver

TITLE = "Solving again after a change of one review"
TOLERANCES = (1e-6, 1e-9)
FRESH = 5  # changes that are also solved afresh
METHOD = """\
{reviews:,} reviews, four a paper, four papers a reviewer, λ by validation and then left as it is. {changes:,}
changes by chance of each kind: a score one level up or down with the ranking as it is, or two neighbours in
a ranking the other way round; what contradicts the scores then is set aside. Each time is the processor
time of one change alone: the reviewer's part of the problem is built anew, and only papers that the change
reaches are looked at. The proven error is the largest of all changes. A solve of the whole problem starts
from the centres of the run, and is timed without building its problem; {fresh} changes are compared with one
to a thousandth of the tolerance."""
HEAD = (
    "change",
    "asked for",
    "proven error",
    "median",
    "target",
    "met",
    "95 of 100 below",
    "papers reached",
    "reviews projected",
    "the whole solved",
    "times faster",
    "furthest from a fresh solve",
)


@dataclass(frozen=True)
class Change:
    """What one reviewer says after a change."""

    reviewer: int
    level: IntArray
    rank: FloatArray


@dataclass(frozen=True)
class Measured:
    """What changes took, one entry per change."""

    seconds: FloatArray
    papers: FloatArray
    work: FloatArray
    bound: float


def steps(plan: Plan) -> int:
    return 2 * len(TOLERANCES)


def measure(bench: Bench) -> Section:
    plan, rows = bench.plan, []
    drawn = synthetic(plan.reviews)
    result = unround.dequantize(drawn.reviews, drawn.rankings, scale=range(11))
    reviews, problem = result.internals.reviews, result.internals.problem
    parts = ReviewerParts(reviews, replace(result.settings, conflicts=Policy.SCORES))
    for tolerance in TOLERANCES:
        solved = SolvedProblem(problem, reviews.scale, result.lam, tolerance)
        for name, draw in (("a score", _rescored), ("a ranking", _reranked)):
            bench.progress.start(f"changes of {name}, {tolerance:g}")
            random = np.random.default_rng(SEED)
            changes = [draw(parts, random) for _ in range(plan.changes)]
            found = _timed(solved, parts, changes)
            whole, furthest = _fresh(solved, parts, changes[:FRESH], result.lam, tolerance)
            rows.append(_row(name, tolerance, found, whole, furthest))
            bench.progress.done()
    method = METHOD.format(reviews=plan.reviews, changes=plan.changes, fresh=FRESH)
    return Section(TITLE, (method, Table(HEAD, rows)))


def _row(
    name: str, tolerance: float, found: Measured, whole: float, furthest: float
) -> tuple[str, ...]:
    median = float(np.median(found.seconds))
    return (
        name,
        f"{tolerance:.0e}",
        f"{found.bound:.1e}",
        seconds(median),
        seconds(CHANGE_TARGET),
        verdict(median, CHANGE_TARGET) if found.bound <= tolerance else "**no**",
        seconds(float(np.percentile(found.seconds, 95))),
        f"{np.median(found.papers):,.0f}",
        f"{np.median(found.work):,.0f}",
        seconds(whole),
        f"{whole / median:,.0f}",
        f"{furthest:.1e}",
    )


def _timed(solved: SolvedProblem, parts: ReviewerParts, changes: list[Change]) -> Measured:
    _resolved(solved, parts, changes[0])  # compiles
    taken, found = [], []
    for change in changes:
        begin = time.process_time()
        moved = _resolved(solved, parts, change)
        taken.append(time.process_time() - begin)
        found.append(moved)
    return Measured(
        np.array(taken),
        np.array([moved.papers.size for moved in found]),
        np.array([moved.work for moved in found]),
        max(moved.bound for moved in found),
    )


def _resolved(solved: SolvedProblem, parts: ReviewerParts, change: Change) -> ChangedScores:
    part = parts.part(change.reviewer, change.level, change.rank)
    if part is None:
        raise RuntimeError("a policy that refuses nothing refused a change")
    return solved.after(parts.of(change.reviewer).start, part)


def _fresh(
    solved: SolvedProblem,
    parts: ReviewerParts,
    changes: list[Change],
    lam: float,
    tolerance: float,
) -> tuple[float, float]:
    """Return the median seconds of solving the whole problem, and how far any score is from its answer."""
    taken, furthest = [], 0.0
    for change in changes:
        solver = Solver(_whole(parts, change))
        begin = time.process_time()
        solver.solve(lam, tolerance, solved.means)
        taken.append(time.process_time() - begin)
        exact = solver.solve(lam, tolerance / 1000.0, solved.means).scores
        moved, scores = _resolved(solved, parts, change), solved.scores
        scores[moved.reviews] = moved.scores
        furthest = max(furthest, float(np.abs(scores - exact).max()))
    return float(np.median(taken)), furthest


def _whole(parts: ReviewerParts, change: Change) -> Problem:
    """Return the problem of the whole conference after a change."""
    reviews, mine = parts.reviews, parts.of(change.reviewer)
    level, rank = reviews.level.copy(), reviews.statements.rank.copy()
    level[mine], rank[mine] = change.level, change.rank
    changed = replace(reviews, level=level, statements=Statements.ranks_only(rank))
    return build_problem(changed, parts.settings)[0]


def _rescored(parts: ReviewerParts, random: np.random.Generator) -> Change:
    """Draw a score and move it a level up or down."""
    change = _as_it_is(parts, int(random.integers(len(parts))))
    review, last = random.integers(change.level.size), len(parts.reviews.scale.levels) - 1
    step = int(random.choice([-1, 1]))
    inside = 0 <= change.level[review] + step <= last
    change.level[review] += step if inside else -step
    return change


def _reranked(parts: ReviewerParts, random: np.random.Generator) -> Change:
    """Draw two neighbours in a ranking and turn them round."""
    change = _as_it_is(parts, int(random.integers(len(parts))))
    order = np.argsort(change.rank, kind="stable")
    place = int(random.integers(order.size - 1))
    two = order[[place, place + 1]]
    change.rank[two] = change.rank[two[::-1]]
    return change


def _as_it_is(parts: ReviewerParts, reviewer: int) -> Change:
    reviews, mine = parts.reviews, parts.of(reviewer)
    return Change(reviewer, reviews.level[mine].copy(), reviews.statements.rank[mine].copy())
