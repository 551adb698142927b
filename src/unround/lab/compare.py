"""Measure on one conference whether dequantization helps: coarsen fine scores, keep the rankings, recover.

The given scores stand for the truth, as in quantization validation, and the rankings are those that
reviewers really gave. In that truth, papers of one score are equal, and a ranking of them that may well
be right counts as an error: the comparison is made again with rankings between papers of different
score only, and with the rankings that the scores imply, which are complete and never wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from unround.lab.recovery import CoarseCase, between_levels, recovery_case
from unround.lab.registry import find_method
from unround.lab.results.bootstrap import Interval, Resampled, resample_papers
from unround.lab.trials.case import Case, Estimate
from unround.metrics import tie_share
from unround.problem.build import build_problem
from unround.progress import StepProgress
from unround.reviews.review_set import ReviewSet, Statements
from unround.selection.validation import Curve, validate
from unround.settings import Policy, Settings
from unround.uncertainty.consensus import Consensus, check_consensus

STATED, BETWEEN = "as stated", "as stated between papers of different score"
IMPLIED = "implied by the scores"
SCORES_ONLY, RANKINGS_ONLY = "scores-only", "rankings-only"
BASELINES = ("quantized", "bre")
METHODS = ("quantized", "bre", SCORES_ONLY, RANKINGS_ONLY, "proposed", "auto+", "oracle")
ALTERNATIVES = {"quantized": "the coarse scores", "bre": "BRE-adjusted scores"}
LABELS = {
    "quantized": "Coarse scores",
    SCORES_ONLY: "Consensus alone (no rankings)",
    RANKINGS_ONLY: "Rankings alone (λ = ∞)",
    "proposed": "Proposed (λ by validation)",
    "auto+": "Proposed (λ by simulation, auto+)",
    "oracle": "Proposed with the best λ in hindsight",
}


def label_of(method: str) -> str:
    """Return a method's name in the tables of a comparison."""
    return LABELS.get(method) or find_method(method).label


@dataclass(frozen=True)
class Split:
    """How much of the coarse scores' error each part undoes, in percent of that error."""

    consensus: Interval  # alone
    rankings: Interval  # alone
    both: Interval
    rankings_add: Interval  # to consensus
    consensus_adds: Interval  # to rankings

    def in_words(self) -> str:
        """Say what consensus, rankings and both do."""
        return (
            f"Change of the error that rounding brings: by consensus alone {_change(self.consensus)}, "
            f"by rankings alone {_change(self.rankings)}, by both {_change(self.both)}. On top of "
            f"consensus, rankings bring {_change(self.rankings_add)}; on top of rankings, consensus "
            f"brings {_change(self.consensus_adds)}."
        )


def _change(undone: Interval) -> str:
    """Return a change of the error, which goes down where something is undone."""
    return f"{-undone.value:+.0f}% ({-undone.high:+.0f}% to {-undone.low:+.0f}%)"


@dataclass(frozen=True)
class Outcome:
    """The estimates of all methods under one kind of rankings and one policy, and their errors."""

    levels: int  # that were left after rounding
    rankings: str
    policy: Policy
    settled: int  # issues that the policy settled on the coarse scale
    estimates: dict[str, Estimate]
    resampled: Resampled
    curve: Curve  # error against the original scores at every λ
    comparisons: int

    @property
    def title(self) -> str:
        """What tells this outcome from the others, in words."""
        rule = f", where {self.policy} rule" if self.settled else ""
        return f"{self.levels} levels, rankings {self.rankings}{rule}"

    @property
    def baseline(self) -> str:
        """The better of the simple alternatives."""
        computed = [name for name in BASELINES if name in self.estimates]
        return min(computed, key=lambda name: self.resampled.errors[name])

    def reduction(self) -> Interval:
        """Return how much smaller the error is than the best simple alternative's, in percent."""
        return self.resampled.reduction("proposed", self.baseline)

    def split(self) -> Split:
        """Split the gain over the coarse scores into consensus, rankings and both, λ by validation."""
        found = self.resampled
        return Split(
            consensus=found.reduction(SCORES_ONLY, "quantized"),
            rankings=found.reduction(RANKINGS_ONLY, "quantized"),
            both=found.reduction("proposed", "quantized"),
            rankings_add=found.gain("proposed", SCORES_ONLY, of="quantized"),
            consensus_adds=found.gain("proposed", RANKINGS_ONLY, of="quantized"),
        )

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
    outcomes: tuple[Outcome, ...]
    validation: Curve
    consensus: Consensus

    @property
    def at_first_levels(self) -> tuple[Outcome, ...]:
        """The outcomes with as many levels as the main one."""
        return tuple(each for each in self.outcomes if each.levels == self.main.levels)

    @property
    def main(self) -> Outcome:
        """The outcome to report first: with rankings as stated where there are any."""
        return self.outcomes[0]

    @property
    def caution(self) -> str:
        """What to mind in the main outcome; empty if nothing."""
        if all(outcome.rankings != BETWEEN for outcome in self.outcomes):
            return ""
        return (
            "Rankings as stated also order papers of one original score. These are equal in the truth "
            "of this experiment, so that even a right order of them counts as error; rankings between "
            "papers of different score leave them out."
        )

    def table(self) -> pl.DataFrame:
        """Return the errors, one row per number of levels, kind of rankings, policy and method."""
        rows = []
        for outcome in self.outcomes:
            case = (outcome.levels, outcome.rankings, str(outcome.policy))
            for name, estimate in outcome.estimates.items():
                error = outcome.resampled.error(name)
                ties = 100.0 * tie_share(estimate.scores)
                rows.append((*case, name, error.value, error.low, error.high, ties, estimate.lam))
        names = ("levels", "rankings", "policy", "method", "kendall", "low", "high", "ties", "lam")
        kinds = (pl.Int64, pl.String, pl.String, pl.String, *[pl.Float64] * 5)
        return pl.DataFrame(rows, schema=dict(zip(names, kinds, strict=True)), orient="row")


def judge(
    reviews: ReviewSet,
    settings: Settings,
    progress: StepProgress,
    levels: Sequence[int | None] = (None,),
) -> Judgement:
    """Coarsen the scores, restore them by every method, and measure against the originals.

    levels  to how many levels scores are rounded, once for each; None: as validation does
    """
    cases = [case for count in levels for case in _cases(reviews, settings, count)]
    steps = _Steps(progress, len(cases) * (len(METHODS) + 1))
    outcomes = tuple(_outcome(name, case, steps) for name, case in cases)
    validation = validate(reviews, epsilon=settings.epsilon)
    consensus = check_consensus(reviews, settings, validation.best)
    return Judgement(reviews, outcomes, validation, consensus)


class _Steps:
    """Tells how many of the steps are done."""

    def __init__(self, progress: StepProgress, total: int) -> None:
        self._progress, self._done, self._total = progress, 0, total
        progress(0, total)

    def done(self) -> None:
        self._done += 1
        self._progress(self._done, self._total)


def _cases(
    reviews: ReviewSet, settings: Settings, levels: int | None
) -> list[tuple[str, CoarseCase]]:
    """Return what to compare: rankings as stated under each policy, and those that scores imply."""
    stated = recovery_case(reviews, settings, levels)
    implied = stated.with_statements(Statements.ranks_only(-reviews.level.astype(np.float64)))
    between = stated.with_statements(between_levels(reviews))
    if not _states_something(reviews.statements):
        return [(IMPLIED, implied)]
    cases = [(STATED, stated)]
    if _settled(stated):
        other = {Policy.SCORES: Policy.RANKINGS, Policy.RANKINGS: Policy.SCORES}
        cases.append((STATED, stated.under(other[stated.settings.conflicts])))
    told = [_order(stated)]
    for name, case in ((BETWEEN, between), (IMPLIED, implied)):
        if _order(case) not in told:
            cases.append((name, case))
            told.append(_order(case))
    return cases


def _states_something(statements: Statements) -> bool:
    return bool(statements.better.size) or not bool(np.isnan(statements.rank).all())


def _settled(case: CoarseCase) -> int:
    """Count the issues that a policy has to settle on the coarse scale."""
    return sum(issue.count for issue in build_problem(case.reviews, case.settings)[1])


def _order(case: Case) -> set[tuple[int, int]]:
    pairs = case.problem.comparisons
    return set(zip(pairs.above.tolist(), pairs.below.tolist(), strict=True))


def _outcome(name: str, case: CoarseCase, steps: _Steps) -> Outcome:
    estimates = _estimates(case, steps)
    scores = {method: estimate.scores for method, estimate in estimates.items()}
    resampled = resample_papers(case.truth, case.reviews.paper, scores)
    steps.done()
    return Outcome(
        levels=int(np.unique(case.reviews.level).size),
        rankings=name,
        policy=case.settings.conflicts,
        settled=_settled(case),
        estimates=estimates,
        resampled=resampled,
        curve=case.original,
        comparisons=int(case.problem.comparisons.above.size),
    )


def _estimates(case: CoarseCase, steps: _Steps) -> dict[str, Estimate]:
    estimates: dict[str, Estimate] = {}
    for method in METHODS:
        # BRE is defined for rank lists only.
        if method != "bre" or not case.reviews.statements.better.size:
            estimates[method] = _estimate(method, case)
        steps.done()
    return estimates


def _estimate(method: str, case: CoarseCase) -> Estimate:
    if method == SCORES_ONLY:
        return find_method("proposed").estimate(case.without_rankings())
    if method == RANKINGS_ONLY:
        return Estimate(case.solve(math.inf), math.inf)
    return find_method(method).estimate(case)
