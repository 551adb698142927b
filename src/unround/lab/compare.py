"""Measure on one conference whether dequantization helps: round once more, restore, compare.

The original scores stand for the truth, as in quantization validation. Two papers with the same
original score are equal in that truth, so stated rankings count only between papers of different
score. The comparison is made again with the rankings that the scores imply, which are complete and
never wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.lab.registry import find_method
from unround.lab.results.bootstrap import Interval, Resampled, resample_papers
from unround.lab.trials.case import Case, Estimate
from unround.lab.trials.sample import Sample
from unround.metrics import tie_share
from unround.progress import StepProgress
from unround.reviews.review_set import ReviewSet, Statements
from unround.selection.curve import Curve
from unround.selection.validation import coarsen_reviews, validate
from unround.settings import Policy, Settings
from unround.simulate import Conference

STATED, IMPLIED = "as stated", "implied by the scores"
SCORES_ONLY = "scores-only"
BASELINES = ("quantized", "bre")
METHODS = ("quantized", "bre", SCORES_ONLY, "proposed", "auto+", "oracle")
ALTERNATIVES = {"quantized": "the coarse scores", "bre": "BRE-adjusted scores"}
LABELS = {
    "quantized": "Coarse scores",
    SCORES_ONLY: "Proposed, without rankings",
    "proposed": "Proposed (λ by validation)",
    "auto+": "Proposed (λ by simulation, auto+)",
    "oracle": "Proposed with the best λ in hindsight",
}


def label_of(method: str) -> str:
    """Return a method's name in the tables of a comparison."""
    return LABELS.get(method) or find_method(method).label


class CoarseCase(Case):
    """A case made of a ReviewSet instead of a drawn conference."""

    def __init__(self, coarse: ReviewSet, truth: FloatArray, settings: Settings) -> None:
        rank, paper = coarse.statements.rank, coarse.paper
        reviews = pl.DataFrame(
            {
                "reviewer": coarse.reviewer,
                "paper": paper,
                "score": coarse.scale.values[coarse.level],
            }
        )
        ranked = reviews.select("reviewer", "paper").with_columns(rank=pl.Series(rank))
        rankings = ranked.filter(pl.Series(~np.isnan(rank)))
        conference = Conference(reviews, rankings, truth, coarse.scale)
        super().__init__(Sample(conference, seed=0))
        self.settings = settings
        self._coarse = coarse

    @cached_property
    def reviews(self) -> ReviewSet:
        """The coarse reviews, whose rows are numbered anew."""
        return replace(self._coarse, row=np.arange(len(self._coarse), dtype=np.int64))


@dataclass(frozen=True)
class Outcome:
    """The estimates of all methods under one kind of rankings, and their errors."""

    rankings: str
    estimates: dict[str, Estimate]
    resampled: Resampled
    curve: Curve  # error against the original scores at every λ
    comparisons: int

    @property
    def baseline(self) -> str:
        """The better of the simple alternatives."""
        computed = [name for name in BASELINES if name in self.estimates]
        return min(computed, key=lambda name: self.resampled.errors[name])

    def reduction(self) -> Interval:
        """Return how much smaller the error is than the best simple alternative's, in percent."""
        return self.resampled.reduction("proposed", self.baseline)

    def verdict(self) -> str:
        """Say in two sentences whether the method helps and whether the rankings do."""
        whole = _in_words(self.reduction(), ALTERNATIVES[self.baseline])
        rankings = self.resampled.reduction("proposed", SCORES_ONLY)
        return f"{whole} {_in_words(rankings, 'the same method without rankings')}"


def _in_words(gain: Interval, against: str) -> str:
    """Say how much smaller the error is, claiming no more than the interval supports."""
    span = f"(95% interval {gain.low:.0f}% to {gain.high:.0f}%)"
    if gain.low > 0.0:
        return f"Fewer errors than with {against}: {gain.value:.0f}% fewer {span}."
    if gain.high < 0.0:
        return f"More errors than with {against}: {-gain.value:.0f}% more."
    change = f"{-gain.value:+.0f}% errors (95% interval {-gain.high:+.0f}% to {-gain.low:+.0f}%)"
    return f"No clear difference from {against}: {change}."


@dataclass(frozen=True)
class Judgement:
    """The result of a comparison."""

    reviews: ReviewSet
    coarse_levels: int
    outcomes: tuple[Outcome, ...]
    validation: Curve

    @property
    def main(self) -> Outcome:
        """The outcome to report first: with rankings as stated where there are any."""
        return self.outcomes[0]

    def table(self) -> pl.DataFrame:
        """Return the errors, one row per kind of rankings and method."""
        rows = []
        for outcome in self.outcomes:
            for name, estimate in outcome.estimates.items():
                error = outcome.resampled.error(name)
                ties = 100.0 * tie_share(estimate.scores)
                rows.append(
                    (outcome.rankings, name, error.value, error.low, error.high, ties, estimate.lam)
                )
        names = ("rankings", "method", "kendall", "low", "high", "ties", "lam")
        kinds = dict(zip(names, (pl.String, pl.String, *[pl.Float64] * 5), strict=True))
        return pl.DataFrame(rows, schema=kinds, orient="row")


def judge(reviews: ReviewSet, settings: Settings, progress: StepProgress) -> Judgement:
    """Coarsen the scores, restore them by every method, and measure against the originals."""
    if np.unique(reviews.level).size < 3:
        raise UsageError(
            "a comparison needs scores of at least three different levels: with fewer, nothing is "
            "left after rounding once more"
        )
    if settings.conflicts is Policy.REFUSE:
        # Orders that fit the scores may lack room on the coarse scale, which is no reason to stop.
        settings = replace(settings, conflicts=Policy.SCORES)
    coarse = coarsen_reviews(reviews)
    cases = {IMPLIED: CoarseCase(coarse, reviews.given, settings)}
    if _states_something(reviews.statements):
        stated = CoarseCase(
            coarse.with_statements(between_levels(reviews)), reviews.given, settings
        )
        same = _order(stated) == _order(cases[IMPLIED])
        cases = {STATED: stated} if same else {STATED: stated, **cases}
    outcomes = []
    for done, (name, case) in enumerate(cases.items()):
        progress(done, len(cases))
        outcomes.append(_outcome(name, case))
    progress(len(cases), len(cases))
    levels = int(np.unique(coarse.level).size)
    return Judgement(reviews, levels, tuple(outcomes), validate(reviews, epsilon=settings.epsilon))


def between_levels(reviews: ReviewSet) -> Statements:
    """Return the stated order of papers of different score; papers of one score share a rank."""
    statements = reviews.statements
    ranked = np.flatnonzero(~np.isnan(statements.rank))
    owner_and_level = np.stack([reviews.reviewer[ranked], reviews.level[ranked]])
    _, group = np.unique(owner_and_level, axis=1, return_inverse=True)
    group = group.reshape(-1)
    rank = np.full(len(reviews), np.nan)
    rank[ranked] = (np.bincount(group, statements.rank[ranked]) / np.bincount(group))[group]
    apart = reviews.level[statements.better] != reviews.level[statements.worse]
    return replace(
        statements, rank=rank, better=statements.better[apart], worse=statements.worse[apart]
    )


def _states_something(statements: Statements) -> bool:
    return bool(statements.better.size) or not bool(np.isnan(statements.rank).all())


def _order(case: Case) -> set[tuple[int, int]]:
    pairs = case.problem.comparisons
    return set(zip(pairs.above.tolist(), pairs.below.tolist(), strict=True))


def _outcome(name: str, case: CoarseCase) -> Outcome:
    statements = case.reviews.statements
    silent = CoarseCase(
        case.reviews.with_statements(Statements.none(len(case.reviews))), case.truth, case.settings
    )
    estimates: dict[str, Estimate] = {}
    for method in METHODS:
        if method == "bre" and statements.better.size:
            continue  # defined for rank lists only
        shown = silent if method == SCORES_ONLY else case
        name_of_method = "proposed" if method == SCORES_ONLY else method
        estimates[method] = find_method(name_of_method).estimate(shown)
    scores = {method: estimate.scores for method, estimate in estimates.items()}
    return Outcome(
        rankings=name,
        estimates=estimates,
        resampled=resample_papers(case.truth, case.reviews.paper, scores),
        curve=case.original,
        comparisons=int(case.problem.comparisons.above.size),
    )
