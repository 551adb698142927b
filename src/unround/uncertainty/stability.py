"""`unround.stability`: which orders and decisions would hold with other reviewers.

Reviewers are drawn again with replacement, and the program is solved anew with the same λ. Beside it
stand the choices that the chair made: another λ, another ε, another policy.

Four reviews say little about the variance of a paper, and an interval made of it alone is too short too
often: 78% instead of 90% in simulations. Variances are taken as draws from one distribution over papers
(inverse gamma, fitted by its first two moments), and each is then averaged with the centre of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from unround.arrays import FloatArray, IntArray, group_starts, seed_from
from unround.errors import InputRefused, UsageError
from unround.metrics import kendall_error
from unround.metrics.papers import paper_statistics
from unround.pipeline import dequantize_tables
from unround.problem.model import Part, Problem, chosen_runs, part_of
from unround.progress import StepProgress, open_steps
from unround.result import Internals, Result, checked_result
from unround.reviews.frames import own_copy, rows_of, with_columns
from unround.reviews.review_set import ReviewSet
from unround.settings import Accept, Policy, checked_count, checked_share
from unround.solver.engine import LOCAL, Engine, open_engine
from unround.uncertainty.mixed_model import HIDDEN_BY_ROUNDING, is_hidden_by_rounding

TOLERANCE = 1e-5  # a tenth of the decimal to which scores are tied
OTHER_LAMBDAS = (0.25, 4.0)  # times the run's
OTHER_EPSILONS = (0.5, 2.0)


class RedrawnMeans(NamedTuple):
    """The papers that a draw still has, their means, and their numbers of reviews."""

    paper: IntArray
    mean: FloatArray
    reviews: IntArray


def redraw(
    problem: Problem,
    reviewer: IntArray,
    draws: Iterator[IntArray],
    lam: float,
    tolerance: float,
    engine: Engine,
) -> Iterator[RedrawnMeans]:
    """Solve for the reviewers of every draw. `reviewer` is the reviewer of each review, ascending."""
    for drawn in draws:
        sample = resample(problem, reviewer, drawn)
        solved = engine.solver(sample.problem).solve(lam, tolerance)
        paper, papers = sample.problem.paper, sample.problem.papers
        mean = paper_statistics(solved.scores, paper, papers)["mean"]
        yield RedrawnMeans(sample.paper, mean, np.diff(sample.problem.paper_start))


def resample(problem: Problem, reviewer: IntArray, drawn: IntArray) -> Part:
    """Return the program of the drawn reviewers; one drawn twice counts twice.

    `reviewer` is the reviewer of each review, ascending. Conflicts were settled before: each reviewer
    comes with the cells and orders that the run gave them.
    """
    singles = problem.singles

    def theirs(first_reviews: IntArray) -> IntArray:
        """Return the drawn reviewers' components; components are in the order of their first reviews."""
        start = group_starts(reviewer[first_reviews], int(reviewer[-1]) + 1)
        return chosen_runs(start, drawn)[1]

    chains, posets = (
        theirs(components.member[components.start[:-1]])
        for components in (problem.chains, problem.posets)
    )
    return part_of(problem, chains, posets, singles[theirs(singles)])


class ModeratedVariances(NamedTuple):
    """Variances, and the degrees of freedom behind each."""

    variance: FloatArray
    freedom: FloatArray


def moderated(variance: FloatArray, freedom: FloatArray) -> ModeratedVariances:
    """Average each variance with the centre of all, by how much they differ beyond chance.

    `freedom` is 0 where an entry has no variance of its own: it gets the centre.
    """
    known = freedom > 0.0
    if not known.any():
        return ModeratedVariances(np.full(variance.size, np.nan), np.full(variance.size, np.inf))
    of_known = variance[known]
    mean = float(of_known.mean())
    by_chance = float(np.mean(2.0 / freedom[known]))
    spread = float(of_known.var()) / mean**2 if mean > 0.0 else 0.0
    beyond = (spread - by_chance) / (1.0 + by_chance)
    if beyond <= 0.0:
        return ModeratedVariances(np.full(variance.size, mean), np.full(variance.size, np.inf))
    prior = 4.0 + 2.0 / beyond
    total = prior + freedom
    own = np.where(known, freedom * variance, 0.0)
    return ModeratedVariances((mean * (prior - 2.0) + own) / total, total)


@dataclass(frozen=True, repr=False)
class Stability:
    """How much of the order of papers stands.

    >>> import unround
    >>> conference = unround.simulate.thurstone(papers=40, seed=5)
    >>> result = unround.dequantize(conference.reviews, conference.rankings)
    >>> stability = unround.stability(result, accept=10, draws=20)
    >>> stability.papers.columns
    ['paper', 'mean', 'low', 'high', 'stays', 'depends_on']
    >>> 0.5 < stability.share_of_pairs <= 1.0
    True
    """

    share_of_pairs: float  # of papers whose order stands, on average over the draws
    draws: int
    accept: int | None  # the line
    hidden_by_rounding: bool  # reviewers agree more closely than the scale can show
    _papers: Any
    _reviews: ReviewSet

    @property
    def papers(self) -> Any:
        """One row per paper: mean, low, high, stays, depends_on."""
        return own_copy(self._papers)

    def __repr__(self) -> str:
        stands = (
            f"Stability over {self.draws} draws of the reviewers: the order of "
            f"{100 * self.share_of_pairs:.1f}% of the pairs of papers stands"
        )
        if not self.hidden_by_rounding:
            return stands
        return f"{stands}\n{HIDDEN_BY_ROUNDING} (unround.posterior accounts for it)"


def stability(
    result: Result,
    *,
    accept: int | float | str | None = None,
    draws: int = 200,
    interval: float = 0.9,
    engine: str | Engine = LOCAL,
    progress: StepProgress | bool | None = None,
) -> Stability:
    """Draw the reviewers again and see which orders and which sides of the line stand.

    Parameters
    ----------
    result : Result
        What `dequantize` returned.
    accept : int, float or str, optional
        How many papers there is room for: 500, 0.25 or "25%". Then `stays` is the share of draws in
        which a paper keeps its side of the line, and `depends_on` names the choices (λ, ε, policy) that
        would change it.
    draws : int
        How often reviewers are drawn again.
    interval : float
        Probability that the interval from `low` to `high` holds what many more reviewers would give as a
        paper's mean. It follows from how far the draws move the mean, moderated over papers; that all
        scores are rounded is not in it.
    engine : str or engine object
        As for `dequantize`: where the draws are solved, one after the other.
    progress : bool or callable, optional
        True shows a bar; a function gets (draws done, draws).

    Examples
    --------
    >>> import unround
    >>> conference = unround.simulate.thurstone(papers=40, seed=5)
    >>> result = unround.dequantize(conference.reviews, conference.rankings)
    >>> unround.stability(result, accept=10, draws=20).papers["stays"].max()
    1.0
    """
    internals = checked_result("result", result).internals
    papers = internals.problem.papers
    line = None if accept is None else Accept.of(accept).papers(papers)
    if line is not None and not 0 < line < papers:
        raise UsageError(f"accept must be a number of papers from 1 to {papers - 1}, not {line}")
    draws = checked_count("draws", draws)
    interval = checked_share("interval", interval)
    mean = _means_now(internals)
    drawn = np.full((draws, papers), np.nan)
    times = np.zeros((draws, papers))
    errors = np.empty(draws)
    with open_engine(engine) as where, open_steps(progress, "resampling") as report:
        for number, (found, estimate, count) in enumerate(_draws(result, draws, where)):
            drawn[number, found] = estimate
            times[number, found] = count
            errors[number] = kendall_error(mean[found], estimate)
            report(number + 1, draws)
    reviews = np.diff(internals.problem.paper_start)
    half, spread = _half_widths(drawn - mean, times, reviews, interval)
    columns: dict[str, Any] = {"mean": mean, "low": mean - half, "high": mean + half}
    columns |= _at_the_line(result, mean, drawn, line)
    first = internals.problem.by_paper[internals.problem.paper_start[:-1]]
    ids = rows_of(internals.frame.select("paper"), internals.reviews.row[first])
    share = 1.0 - float(errors.mean())
    hidden = is_hidden_by_rounding(spread, internals.reviews.scale.spacing)
    table = with_columns(ids, columns).to_native()
    return Stability(share, draws, line, hidden, table, internals.reviews)


def _draws(result: Result, draws: int, engine: Engine) -> Iterator[RedrawnMeans]:
    problem, reviews = result.internals.problem, result.internals.reviews
    reviewer = reviews.reviewer
    random = np.random.default_rng(seed_from(reviewer, reviews.paper, reviews.level))
    reviewers = int(reviewer[-1]) + 1
    drawn = (np.sort(random.integers(0, reviewers, reviewers)) for _ in range(draws))
    return redraw(problem, reviewer, drawn, result.lam, TOLERANCE, engine)


def _half_widths(
    moved: FloatArray, times: FloatArray, reviews: IntArray, interval: float
) -> tuple[FloatArray, float]:
    """Return half the width of each paper's interval, and how far reviewers of a paper differ.

    A paper that no draw had has no interval.

    `moved` is how far each draw's mean is from the run's, `times` how many reviews it had. A mean of N
    drawn reviews moves with variance (1 − 1/n) · variance of a review / N.
    """
    square = np.nansum(times * moved**2, axis=0)
    seen = np.sum(times > 0.0, axis=0)
    freedom = np.where(seen > 0, reviews - 1.0, 0.0)
    own = square / np.maximum(seen, 1) * reviews / np.maximum(freedom, 1.0)
    variance, behind = moderated(own, freedom)
    half = stdtrit(behind, (1.0 + interval) / 2.0) * np.sqrt(variance / reviews)
    return np.where(seen > 0, half, np.nan), float(np.sqrt(np.mean(variance)))


def _at_the_line(
    result: Result, mean: FloatArray, drawn: FloatArray, accept: int | None
) -> dict[str, Any]:
    count = mean.size
    if accept is None:
        return {"stays": np.full(count, np.nan), "depends_on": np.full(count, "", dtype=object)}
    inside = above_line(mean, accept)
    sides = np.stack([above_line(one, accept) for one in drawn])
    there = ~np.isnan(drawn)
    stays = np.sum((sides == inside) & there, axis=0) / np.maximum(there.sum(axis=0), 1)
    reasons: list[list[str]] = [[] for _ in range(count)]
    for name, other in _other_choices(result):
        for paper in np.flatnonzero(above_line(other, accept) != inside).tolist():
            if name not in reasons[paper]:
                reasons[paper].append(name)
    texts = np.array([", ".join(names) for names in reasons], dtype=object)
    return {"stays": stays, "depends_on": texts}


def above_line(means: FloatArray, accept: int) -> Any:
    """Return which papers are among the `accept` largest; those without a mean come last."""
    order = np.argsort(-np.where(np.isnan(means), -np.inf, means), kind="stable")
    inside = np.zeros(means.size, dtype=np.bool_)
    inside[order[:accept]] = True
    return inside


def _other_choices(result: Result) -> Iterator[tuple[str, FloatArray]]:
    """Yield the name of a choice, and the papers' means with another value of it."""
    settings, lam = result.settings, result.lam
    for factor in OTHER_LAMBDAS:
        if np.isfinite(lam):
            yield "λ", _means(result, lam=lam * factor)
    yield "λ", _means(result, lam="auto+")
    for factor in OTHER_EPSILONS:
        yield "ε", _means(result, epsilon=settings.epsilon * factor)
    for policy in (Policy.SCORES, Policy.RANKINGS):
        if result.issues and policy is not settings.conflicts:
            yield "policy", _means(result, conflicts=policy)


def _means(result: Result, **choices: Any) -> FloatArray:
    internals = result.internals
    same = {"scale": internals.reviews.scale, "tolerance": TOLERANCE, "lam": result.lam}
    settings = result.settings.changed(**(same | choices))
    try:
        other = dequantize_tables(internals.tables, settings).internals
    except InputRefused:  # a larger ε need not fit: then this choice is not open
        return _means_now(internals)
    return _means_now(other)


def _means_now(internals: Internals) -> FloatArray:
    """Return the mean of each paper's scores as they are."""
    problem = internals.problem
    return paper_statistics(internals.values, problem.paper, problem.papers)["mean"]
