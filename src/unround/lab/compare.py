"""Measure whether dequantization helps on a conference: round its scores, keep the rankings, restore.

The given scores are taken as the truth, as in quantization validation, and the rankings are the
reviewers' own. In that truth papers of one score are equal, and pairs of them do not count; but a ranking
pushes them apart and so past reviews of other scores, and even a right one may then cost more than it gains.
The comparison is therefore repeated with rankings between papers of different scores only, and with the
rankings that the scores imply, which are complete and never wrong. Verdicts are about the λ that a run
chooses by default.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Unpack

import numpy as np
import polars as pl

from unround.arrays import FloatArray, IntArray
from unround.lab.catalogue.recovered import CoarseCase, between_levels, recovery_case
from unround.lab.registry import find_method
from unround.lab.trials.case import Case, Estimate
from unround.metrics import tie_share
from unround.metrics.kendall import KendallError
from unround.preparation import prepare
from unround.problem.build import build_problem
from unround.progress import StageProgress, StepProgress, open_progress
from unround.reviews.review_set import ReviewSet, Statements
from unround.reviews.tables import Tables
from unround.selection.simulation import simulated
from unround.settings import (
    AUTO_PLUS,
    Policy,
    Settings,
    StatementOptions,
    checked_count,
    known_options,
)
from unround.uncertainty.consensus import Consensus, check_consensus

if TYPE_CHECKING:
    from narwhals.stable.v2.typing import IntoDataFrame

SEED = 20_230_724
LEVEL = 0.95
MOST_DRAWS, LEAST_DRAWS = 1_000, 100
# Reviews drawn in all, about: large conferences need fewer draws for the same precision.
REVIEWS_TO_DRAW = 20_000_000


@dataclass(frozen=True)
class Interval:
    """An estimate and the ends of its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class BootstrapErrors:
    """Kendall-tau errors of each estimate: on the data, and on each bootstrap draw of papers."""

    on_data: Mapping[str, float]
    on_draws: Mapping[str, FloatArray]

    def error(self, name: str) -> Interval:
        """Return the error of one estimate."""
        return _interval(self.on_data[name], self.on_draws[name])

    def reduction(self, name: str, other: str, *, of: str = "") -> Interval:
        """Return how much smaller one error is than another, in percent of that one or of a third."""
        draws, whole = self.on_draws, of or other
        drawn = 100.0 * (draws[other] - draws[name]) / np.maximum(draws[whole], 1e-300)
        gain = self.on_data[other] - self.on_data[name]
        return _interval(100.0 * gain / self.on_data[whole], drawn)


def resample_papers(
    truth: FloatArray, paper: IntArray, estimates: Mapping[str, FloatArray]
) -> BootstrapErrors:
    """Measure errors on papers drawn with replacement, without computing the estimates again."""
    random = np.random.default_rng(SEED)
    draws = int(np.clip(REVIEWS_TO_DRAW // max(truth.size, 1), LEAST_DRAWS, MOST_DRAWS))
    papers = int(paper.max()) + 1
    drawn: dict[str, list[float]] = {name: [] for name in estimates}
    for _ in range(draws):
        times = np.bincount(random.integers(0, papers, papers), minlength=papers)
        rows = np.repeat(np.arange(truth.size), times[paper])
        measure = KendallError(truth[rows])
        for name, estimate in estimates.items():
            drawn[name].append(measure(estimate[rows]))
    measure = KendallError(truth)
    return BootstrapErrors(
        {name: measure(estimate) for name, estimate in estimates.items()},
        {name: np.array(errors) for name, errors in drawn.items()},
    )


def _interval(value: float, draws: FloatArray) -> Interval:
    tail = (1.0 - LEVEL) / 2.0
    low, high = np.quantile(draws, [tail, 1.0 - tail])
    return Interval(value, float(low), float(high))


STATED, BETWEEN = "as stated", "as stated between papers of different score"
IMPLIED = "implied by the scores"
SCORES_ONLY, RANKINGS_ONLY = "scores-only", "rankings-only"
BASELINES = ("quantized", "bre")
DEFAULT = AUTO_PLUS  # the method as a run has it by default: λ by simulation
METHODS = ("quantized", "bre", SCORES_ONLY, RANKINGS_ONLY, "proposed", DEFAULT, "oracle")
ALTERNATIVES = {"quantized": "the coarse scores", "bre": "BRE-adjusted scores"}
LABELS = {
    "quantized": "Coarse scores",
    SCORES_ONLY: "Without rankings (consensus alone)",
    RANKINGS_ONLY: "Rankings alone (λ = ∞)",
    "proposed": "Proposed (λ by validation, auto)",
    DEFAULT: "Proposed (λ by simulation, auto+)",
    "oracle": "Proposed with the best λ in hindsight",
}


def label_of(method: str) -> str:
    """Return a method's name in the tables of a comparison."""
    return LABELS.get(method) or find_method(method).label


def _change(undone: Interval) -> str:
    """Return a reduction of the error as a signed change."""
    return f"{-undone.value:+.0f}% ({-undone.high:+.0f}% to {-undone.low:+.0f}%)"


@dataclass(frozen=True)
class Scenario:
    """The estimates of all methods for one kind of rankings and one policy, and their errors."""

    levels: int  # left after rounding
    rankings: str
    policy: Policy
    settled: int  # contradictions settled by the policy on the coarse scale
    estimates: dict[str, Estimate]
    bootstrap: BootstrapErrors
    comparisons: int

    @property
    def title(self) -> str:
        """What distinguishes this scenario from the others, in words."""
        trust = f", {self.policy} trusted" if self.settled else ""
        return f"{self.levels} levels, rankings {self.rankings}{trust}"

    @property
    def baseline(self) -> str:
        """The better of the simple methods."""
        computed = [name for name in BASELINES if name in self.estimates]
        return min(computed, key=lambda name: self.bootstrap.on_data[name])

    def reduction(self) -> Interval:
        """Return how much smaller the error of the default is than the baseline's, in percent."""
        return self.bootstrap.reduction(DEFAULT, self.baseline)

    def split(self) -> str:
        """Return a sentence on how much of the coarse scores' error consensus and rankings undo."""

        def change(name: str, other: str = "quantized") -> str:
            return _change(self.bootstrap.reduction(name, other, of="quantized"))

        return (
            f"Change of the error due to rounding: {change(SCORES_ONLY)} by consensus alone, "
            f"{change(RANKINGS_ONLY)} by rankings alone, {change(DEFAULT)} by both. Rankings add "
            f"{change(DEFAULT, SCORES_ONLY)} to consensus; consensus adds "
            f"{change(DEFAULT, RANKINGS_ONLY)} to rankings."
        )

    def verdict(self) -> str:
        """Return two sentences: whether the method helps, and whether the rankings do."""
        whole = _in_words(self.reduction(), ALTERNATIVES[self.baseline])
        rankings = self.bootstrap.reduction(DEFAULT, SCORES_ONLY)
        alone = _in_words(rankings, "the same method without rankings")
        return f"With λ by simulation ({DEFAULT}), the default: {whole} {alone}"


def _in_words(gain: Interval, against: str) -> str:
    """Return a sentence on a gain that claims no more than its interval supports."""
    span = f"(95% interval {gain.low:.0f}% to {gain.high:.0f}%)"
    if gain.low > 0.0:
        return f"Fewer errors than with {against}: {gain.value:.0f}% fewer {span}."
    if gain.high < 0.0:
        return f"More errors than with {against}: {-gain.value:.0f}% more."
    change = f"{-gain.value:+.0f}% errors (95% interval {-gain.high:+.0f}% to {-gain.low:+.0f}%)"
    return f"No clear difference from {against}: {change}."


@dataclass(frozen=True, repr=False)
class ComparisonResult:
    """Errors of every method on rounded scores, and what they say.

    >>> import unround
    >>> conference = unround.simulate.thurstone(seed=1)
    >>> found = unround.compare(conference.reviews, conference.rankings)
    >>> print(found.main.title)
    6 levels, rankings as stated
    """

    reviews: ReviewSet
    scenarios: tuple[Scenario, ...]
    consensus: Consensus

    @property
    def main(self) -> Scenario:
        """The scenario to report first, with rankings as stated if there are any."""
        return self.scenarios[0]

    @property
    def caution(self) -> str:
        """A caution about the main scenario, or an empty text."""
        if all(scenario.rankings != BETWEEN for scenario in self.scenarios):
            return ""
        return (
            "Rankings as stated also order papers of the same original score. In this experiment these are "
            "taken as equal: their pairs do not count, but even a right ranking pushes them apart, past "
            "reviews of other scores, and that counts as errors. Rankings between papers of different score "
            "leave them out."
        )

    @property
    def size(self) -> str:
        """A sentence on the size of the conference."""
        reviews = self.reviews
        levels = dict.fromkeys(str(scenario.levels) for scenario in self.scenarios)
        return (
            f"{len(reviews):,} reviews of {len(reviews.papers):,} papers by {len(reviews.reviewers):,} "
            f"reviewers, {self.main.comparisons:,} comparisons; {len(reviews.scale.levels)} levels, "
            f"rounded to {' and to '.join(levels)}."
        )

    def __repr__(self) -> str:
        return "\n".join(self.in_words())

    def in_words(self) -> list[str]:
        """Return sentences on the size of the comparison, the errors of every method, and what follows."""
        main, lines = self.main, [self.size]
        for scenario in self.scenarios:
            lines.append(f"{scenario.title}:")
            for name in scenario.estimates:
                error = scenario.bootstrap.error(name)
                span = f"({error.low:.4f} to {error.high:.4f})"
                lines.append(f"  {label_of(name):<40} {error.value:.4f}  {span}")
        more = (main.verdict(), main.split(), self.caution, self.consensus.in_words())
        return [*lines, *filter(None, more)]

    def table(self) -> pl.DataFrame:
        """Return the errors, one row per number of levels, kind of rankings, policy and method."""
        rows = []
        for scenario in self.scenarios:
            case = (scenario.levels, scenario.rankings, str(scenario.policy))
            for name, estimate in scenario.estimates.items():
                error = scenario.bootstrap.error(name)
                ties = 100.0 * tie_share(estimate.scores)
                rows.append((*case, name, error.value, error.low, error.high, ties, estimate.lam))
        names = ("levels", "rankings", "policy", "method", "kendall", "low", "high", "ties", "lam")
        kinds = (pl.Int64, pl.String, pl.String, pl.String, *[pl.Float64] * 5)
        return pl.DataFrame(rows, schema=dict(zip(names, kinds, strict=True)), orient="row")


def compare(
    reviews: IntoDataFrame | Tables,
    rankings: IntoDataFrame | Sequence[IntoDataFrame] | None = None,
    *,
    levels: int | Sequence[int] | None = None,
    progress: StageProgress | bool | None = None,
    **options: Unpack[StatementOptions],
) -> ComparisonResult:
    """Measure whether dequantization, and whether rankings, help on a conference.

    Scores are rounded to fewer levels, rankings kept, and every method restores the scores.

    Parameters
    ----------
    reviews, rankings, progress
        As for `dequantize`.
    levels : int or sequence of int, optional
        Numbers of levels to round to, one after the other. None: half as many, as in validation.
    **options
        epsilon, scale, conflicts, unranked, allow_loss and ignore_rankings, as for `dequantize`, but
        conflicts is "scores" unless given.

    Returns
    -------
    ComparisonResult
        Errors of every method with 95% intervals: `table()`, and `main.verdict()` in words.

    Examples
    --------
    >>> import unround
    >>> conference = unround.simulate.thurstone(seed=1)
    >>> found = unround.compare(conference.reviews, conference.rankings)
    >>> found.table().columns[:5]
    ['levels', 'rankings', 'policy', 'method', 'kendall']
    """
    given = {"conflicts": Policy.SCORES, **known_options(options, StatementOptions)}
    settings = Settings.checked(**given)
    several = levels if isinstance(levels, Sequence) else [] if levels is None else [levels]
    rounded: list[int | None] = [checked_count("levels", each) for each in several]
    prepared = prepare(Tables.of(reviews, rankings), settings)
    with open_progress(progress) as report:
        stage = partial(report, "comparing")
        return compare_methods(prepared.reviews, prepared.settings, stage, rounded or (None,))


def compare_methods(
    reviews: ReviewSet,
    settings: Settings,
    progress: StepProgress,
    levels: Sequence[int | None] = (None,),
) -> ComparisonResult:
    """Round the scores, restore them by every method, and measure against the originals.

    levels  numbers of levels to round to, one after the other; None: as in validation
    """
    cases = [case for number in levels for case in _cases(reviews, settings, number)]
    done, total = count(1), len(cases) * (len(METHODS) + 1)

    def step() -> None:
        progress(next(done), total)

    progress(0, total)
    scenarios = tuple(_scenario(name, case, step) for name, case in cases)
    consensus = check_consensus(reviews, settings, simulated(reviews, settings).best)
    return ComparisonResult(reviews, scenarios, consensus)


def _cases(
    reviews: ReviewSet, settings: Settings, levels: int | None
) -> list[tuple[str, CoarseCase]]:
    """Return the cases to compare: rankings as stated, by each policy, and those that scores imply."""
    stated = recovery_case(reviews, settings, levels)
    implied = stated.with_statements(Statements.ranks_only(-reviews.level.astype(np.float64)))
    between = stated.with_statements(between_levels(reviews))
    if not _has_statements(reviews.statements):
        return [(IMPLIED, implied)]
    cases = [(STATED, stated)]
    if _count_settled(stated):
        others = set(Policy) - {Policy.REFUSE, stated.settings.conflicts}
        cases.extend((STATED, stated.under(policy)) for policy in sorted(others))
    orders = [_order(stated)]
    for name, case in ((BETWEEN, between), (IMPLIED, implied)):
        if _order(case) not in orders:
            cases.append((name, case))
            orders.append(_order(case))
    return cases


def _has_statements(statements: Statements) -> bool:
    return bool(statements.better.size) or not bool(np.isnan(statements.rank).all())


def _count_settled(case: CoarseCase) -> int:
    """Count the contradictions that a policy settles on the coarse scale."""
    return sum(issue.count for issue in build_problem(case.reviews, case.settings)[1])


def _order(case: Case) -> set[tuple[int, int]]:
    pairs = case.problem.comparisons
    return set(zip(pairs.above.tolist(), pairs.below.tolist(), strict=True))


def _scenario(name: str, case: CoarseCase, step: Callable[[], None]) -> Scenario:
    estimates = _estimates(case, step)
    scores = {method: estimate.scores for method, estimate in estimates.items()}
    bootstrap = resample_papers(case.truth, case.reviews.paper, scores)
    step()
    return Scenario(
        levels=int(np.unique(case.reviews.level).size),
        rankings=name,
        policy=case.settings.conflicts,
        settled=_count_settled(case),
        estimates=estimates,
        bootstrap=bootstrap,
        comparisons=int(case.problem.comparisons.above.size),
    )


def _estimates(case: CoarseCase, step: Callable[[], None]) -> dict[str, Estimate]:
    estimates: dict[str, Estimate] = {}
    for method in METHODS:
        # BRE is defined for rank lists only.
        if method != "bre" or not case.reviews.statements.better.size:
            estimates[method] = _estimate(method, case)
        step()
    return estimates


def _estimate(method: str, case: CoarseCase) -> Estimate:
    if method == SCORES_ONLY:
        return find_method(DEFAULT).estimate(case.without_rankings())
    if method == RANKINGS_ONLY:
        return Estimate(case.solve(math.inf), math.inf)
    return find_method(method).estimate(case)
