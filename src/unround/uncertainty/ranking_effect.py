"""Do rankings help here? Restore simulated conferences with rankings and without, and count the errors.

The conferences that are drawn for lam="auto+" are restored three times: with right rankings inside
ties, with random ones, and without rankings. The given rankings lie somewhere between right and random:
where, is estimated from contradictions, and from how often they agree with other reviewers, compared with
right rankings in the drawn conferences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unround.arrays import FloatArray
from unround.metrics.kendall import KendallError
from unround.problem.build import build_problem
from unround.problem.rank_lists import completed_ranks
from unround.reviews.review_set import ReviewSet, Statements
from unround.selection.grid import solutions
from unround.selection.simulation import TOLERANCE, Simulation, restate
from unround.selection.validation import PAPER_GRID
from unround.settings import Policy, Settings
from unround.solver.engine import Engine, ProblemSolver
from unround.uncertainty.consensus import (
    CHANCE,
    LAMBDA_FOR_INFINITY,
    Consensus,
    WrongComparisons,
    agreement,
)
from unround.wording import option

# Enough values of λ to restore conferences without rankings nearly as well as the best one does.
FEW_LAMBDAS: FloatArray = PAPER_GRID[::-4]
PAIRS = 10_000  # errors are counted per so many pairs of reviews
LEAST_AGREEMENT = 1e-9  # beyond chance
# Pairs of so many reviews, evenly spread, have the share of wrong ones to about half a per cent.
MOST_COUNTED = 50_000


@dataclass(frozen=True)
class RankingEffect:
    """Shares of pairs of reviews that simulated conferences get wrong, with rankings and without.

    `signal` is 1 where the order inside ties is as right as in drawn conferences, 0 where it is random.
    `signal_low` and `signal_high` follow from the ends of the 95% intervals behind it.
    """

    right: float  # error with rankings that are right
    random: float  # error with rankings that are random inside ties
    without: float  # error without rankings
    given: float  # error of the given scores
    signal: float
    signal_low: float
    signal_high: float
    opened: float | None = None  # error under conflicts="rankings", with contradictions like these

    @property
    def break_even(self) -> float:
        """The signal above which rankings help."""
        gain = self.random - self.right
        return (self.random - self.without) / gain if gain > 0.0 else math.inf

    @property
    def error(self) -> float:
        """The error with rankings like these."""
        return self._error_at(self.signal)

    def _error_at(self, signal: float) -> float:
        """Return the error at a signal: it is nearly linear in the share of wrong comparisons."""
        return signal * self.right + (1.0 - signal) * self.random

    @property
    def verdict(self) -> str:
        """Whether rankings "help" or "hurt", or "unclear"."""
        if self.signal_high < self.break_even:
            return "hurt"
        return "help" if self.signal_low > self.break_even else "unclear"

    def in_short(self) -> str:
        """Return the verdict with its errors in half a line."""
        if self.opened is not None:
            return (
                f"trusted: {_per_pairs(self.opened)} of 10,000 pairs wrong; "
                f"{option('conflicts', 'scores')}: {_per_pairs(self.error)}"
            )
        without = f"wrong of 10,000, {_per_pairs(self.without)} without"
        if self.verdict == "unclear":
            least, most = (self._error_at(each) for each in (self.signal_high, self.signal_low))
            return f"unclear, keep: {_per_pairs(least)} to {_per_pairs(most)} pairs {without}"
        advice = f": use {option('ignore_rankings')}" if self.verdict == "hurt" else ""
        return f"{self.verdict}: {_per_pairs(self.error)} pairs {without}{advice}"

    def in_words(self) -> str:
        """State the verdict, where it comes from, and what to do."""
        verdict = {
            "help": "Rankings help here",
            "hurt": f"Rankings hurt here: leave them out ({option('ignore_rankings')})",
            "unclear": "These data do not settle whether rankings help: keep them",
        }[self.verdict]
        text = (
            f"{verdict}. In simulated conferences like this one, {_per_pairs(self.error)} of 10,000 pairs of "
            f"reviews come out in the wrong order with rankings like these, {_per_pairs(self.without)} "
            f"without rankings, and {_per_pairs(self.given)} by the given scores. It would be "
            f"{_per_pairs(self.right)} if all rankings were right, and {_per_pairs(self.random)} if they "
            "were random inside ties."
        )
        if self.opened is None:
            return text
        return (
            f"{text} Where rankings are trusted, as here, it is {_per_pairs(self.opened)}: wrong comparisons "
            "take scores out of their rounding ranges, and one reviewer can move a paper further."
        )


def _per_pairs(share: float) -> str:
    return f"{PAIRS * share:,.0f}"


def estimate_effect(
    simulation: Simulation,
    settings: Settings,
    lam: float,
    consensus: Consensus,
    comparisons: WrongComparisons,
    engine: Engine,
) -> tuple[Consensus, RankingEffect]:
    """Return the agreement with what sound conferences show, and what rankings do."""
    restored = _Restored(simulation, settings, lam, simulation.where(engine))
    (right, random, given), without, shares = restored.errors()
    signal: Sequence[float] = (1.0, 0.0, 1.0)
    if consensus.pairs and not math.isnan(shares[0]):
        sound, low, high = shares.tolist()
        consensus = replace(consensus, sound=sound, sound_low=low, sound_high=high)
        beyond = max(sound - CHANCE, LEAST_AGREEMENT)
        ends = (consensus.share, consensus.low, consensus.high)
        signal = tuple(float(np.clip((each - CHANCE) / beyond, 0.0, 1.0)) for each in ends)
    # Papers of one score are no easier to order than others: at least as many comparisons are wrong.
    wrong = (comparisons.share, comparisons.high, comparisons.low)
    signal = tuple(
        min(each, max(0.0, 1.0 - 2.0 * w)) for each, w in zip(signal, wrong, strict=True)
    )
    effect = RankingEffect(right, random, float(without.min()), given, *signal)
    if settings.conflicts is Policy.RANKINGS and comparisons.contradicting:
        effect = replace(effect, opened=restored.error_where_rankings_rule(effect.signal))
    return consensus, effect


@dataclass(frozen=True)
class _Restored:
    """Drawn conferences, restored at the λ of a run."""

    simulation: Simulation
    settings: Settings
    lam: float
    engine: Engine

    def errors(self) -> tuple[list[float], FloatArray, FloatArray]:
        """Return means over draws.

        They are the errors of right and of random rankings and of given scores; the errors without
        rankings at a few λ; and the agreement of right rankings with other reviewers, with its interval.
        """
        restored, without, agreements = [], [], []
        lam = self.lam if math.isfinite(self.lam) else LAMBDA_FOR_INFINITY
        for opinions, right, guesses in self.simulation.conferences:
            error = self._error_against(opinions)
            alone = self._solver(right.with_statements(Statements.none(len(right))), Policy.SCORES)
            found = solutions(alone, FEW_LAMBDAS, self._bound, ahead=False)
            without.append([error(each.scores) for each in found])
            both = (
                self._solver(each, Policy.SCORES)
                for each in (right, self._restated(right, guesses))
            )
            restored.append(
                [*(error(self._scores(each, self.lam)) for each in both), error(right.given)]
            )
            sound = agreement(right, self.settings, self._scores(alone, lam), lam)
            if sound.pairs:
                agreements.append([sound.share, sound.low, sound.high])
        shares = np.mean(agreements, axis=0) if agreements else np.full(3, math.nan)
        return np.mean(restored, axis=0).tolist(), np.mean(without, axis=0), shares

    def error_where_rankings_rule(self, signal: float) -> float:
        """Return the mean error under conflicts="rankings", with contradictions like the given ones."""
        random, people = self.simulation.random, len(self.simulation.reviews.reviewers)
        errors = []
        for opinions, right, guesses in self.simulation.conferences:
            sound = (random.random(people) < signal)[right.reviewer]
            stated = self._contradicted(right, np.where(sound, opinions, guesses))
            solver = self._solver(stated, Policy.RANKINGS)
            errors.append(self._error_against(opinions)(self._scores(solver, self.lam)))
        return float(np.mean(errors))

    def _contradicted(self, drawn: ReviewSet, opinions: FloatArray) -> ReviewSet:
        """Rank by opinions, but against them where the reviewer's own ranking is against their scores."""
        given = self.simulation.reviews
        stated = given.statements
        rank = completed_ranks(given, self.settings.unranked)
        ranked = np.flatnonzero(~np.isnan(rank))
        owner = given.reviewer[ranked]
        by_score = ranked[np.lexsort((rank[ranked], -given.level[ranked], owner))]
        restated = np.full(len(given), np.nan)
        restated[ranked[np.lexsort((-opinions[ranked], owner))]] = rank[by_score]
        kept = given.level[stated.better] >= given.level[stated.worse]
        as_drawn = opinions[stated.better] > opinions[stated.worse]
        above = np.where(kept == as_drawn, stated.better, stated.worse)
        below = stated.better + stated.worse - above
        none = np.zeros(0, dtype=np.int64)
        return drawn.with_statements(Statements(restated, above, below, none, none.copy()))

    def _restated(self, drawn: ReviewSet, opinions: FloatArray) -> ReviewSet:
        stepped = self.simulation.model.levels_per_cell is not None
        return restate(drawn, opinions, self.settings.unranked, stepped=stepped)

    def _error_against(self, opinions: FloatArray) -> Callable[[FloatArray], float]:
        counted = slice(None, None, math.ceil(opinions.size / MOST_COUNTED))
        measure = KendallError(opinions[counted], self.simulation.reviews.scale.spacing)
        return lambda scores: measure(scores[counted])

    @property
    def _bound(self) -> float:
        return TOLERANCE * self.simulation.reviews.scale.spacing

    def _solver(self, drawn: ReviewSet, policy: Policy) -> ProblemSolver:
        settings = Settings(epsilon=self.settings.epsilon, conflicts=policy)
        return self.engine.solver(build_problem(drawn, settings)[0])

    def _scores(self, solver: ProblemSolver, lam: float) -> FloatArray:
        return solver.solve(lam, self._bound).scores
