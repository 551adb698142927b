"""`unround.posterior`: the model behind the method as a distribution.

The convex program returns one score per review. The posterior says how sure anything about papers can
be, under a model that is stated and can be wrong: normal paper effects, reviewer effects and noise, and
a share of reviewers who score at random.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from unround.arrays import FloatArray, IntArray
from unround.errors import UnroundError, UsageError
from unround.preparation import PreparedInput, prepare
from unround.problem.model import Problem
from unround.progress import StepProgress, open_steps
from unround.result import Internals, Result, refuse_beside_result
from unround.reviews.frames import Frame, rows_of, with_columns
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.settings import (
    Accept,
    Settings,
    StatementOptions,
    checked_share,
    checked_switch,
    known_options,
)
from unround.uncertainty.places import (
    EffectSummary,
    PlaceArray,
    effect_summary,
    place_shares,
    places_of,
    sorted_places,
)
from unround.uncertainty.sampling import CHAINS, Draws, draw

REVIEWS_AT_ONCE = 4096  # histograms that are added up together


class NotMixed(UnroundError, RuntimeError):
    """The sampler's chains disagree, so that nothing is reported.

    `diagnostics` holds what was measured.

    >>> import unround
    >>> from unround.uncertainty.posterior import SamplerDiagnostics
    >>> measured = SamplerDiagnostics(1.4, 12.0, 16_200, 1_000, 2.0, 0.1, 0.5, 0.0)
    >>> print(str(unround.NotMixed(measured))[:58])
    the sampler did not mix: its 4 chains still disagree after
    """

    def __init__(self, diagnostics: SamplerDiagnostics) -> None:
        self.diagnostics = diagnostics
        super().__init__(
            f"the sampler did not mix: its {CHAINS} chains still disagree after "
            f"{diagnostics.sweeps:,} sweeps (R-hat up to {diagnostics.rhat:.2f}, "
            f"{diagnostics.effective:.0f} effective draws for the papers that mix worst). Intervals "
            "would not be reliable, so none are given. There are too few reviews or rankings, or groups "
            "of reviewers contradict each other. reviewer_effects=False asks for less."
        )


@dataclass(frozen=True)
class SamplerDiagnostics:
    """Whether the draws can be trusted, and what the model learned."""

    rhat: float  # of 95% of the papers, at most; 1 = chains agree
    effective: float  # of 95% of the papers, at least: effective draws
    sweeps: int  # per chain
    draws: int  # kept, over all chains
    between: float  # posterior mean of the standard deviation between papers
    strictness: float  # between reviewers
    noise: float  # of a single review
    random: float  # share of reviewers whose opinions do not depend on the paper


@dataclass(frozen=True, repr=False)
class Posterior:
    """Intervals, places and probabilities under the model. Tables are of the caller's kind.

    >>> import unround
    >>> conference = unround.simulate.thurstone(papers=12, seed=3)
    >>> posterior = unround.posterior(conference.reviews, conference.rankings)
    >>> posterior.papers.columns
    ['paper', 'mean', 'sd', 'low', 'high', 'place_low', 'place', 'place_high']
    >>> round(posterior.p_top(3)["probability"].sum(), 6)
    3.0
    """

    interval: float
    diagnostics: SamplerDiagnostics
    _frame: Frame
    _reviews: ReviewSet
    _problem: Problem
    _draws: Draws

    def __repr__(self) -> str:
        found = self.diagnostics
        return (
            f"Posterior of {len(self._reviews):,} reviews of {self._problem.papers:,} papers\n"
            f"spread between papers {found.between:.2f}, between reviewers {found.strictness:.2f}, "
            f"noise of a review {found.noise:.2f}; {found.random:.0%} of the reviewers random\n"
            f"{found.draws:,} draws, R-hat {found.rhat:.3f}, {found.effective:.0f} effective draws or "
            "more for 95% of the papers"
        )

    @property
    def papers(self) -> Any:
        """One row per paper: mean, sd and interval of its effect, its place and the interval of it."""
        summary = self._summary
        place_low, place_high = self._place_interval
        columns = {
            "mean": summary.mean,
            "sd": summary.sd,
            "low": summary.low,
            "high": summary.high,
            "place_low": place_low,
            "place": places_of(summary.mean[None, :])[0],
            "place_high": place_high,
        }
        return with_columns(self._paper_ids, columns).to_native()

    def share_below(self, values: FloatArray) -> FloatArray:
        """Return the share of draws of each paper's effect below a value; papers by ascending id."""
        return np.asarray((self._flat_draws < values).mean(axis=0))

    @property
    def scores(self) -> Any:
        """One row per review, in the caller's order: mean, sd and interval of the opinion behind it."""
        ordered = self._reviews.in_caller_order
        low, high = self._opinion_interval
        columns = {
            "mean": ordered(self._draws.opinion_mean),
            "sd": ordered(self._draws.opinion_sd),
            "low": ordered(low),
            "high": ordered(high),
        }
        return with_columns(self._frame.select("reviewer", "paper"), columns).to_native()

    @property
    def reviewers(self) -> Any:
        """One row per reviewer: how far above the others they score (effect), and its sd.

        `random` is the probability that their opinions do not depend on the paper.
        """
        first = np.searchsorted(self._reviews.reviewer, np.arange(len(self._reviews.reviewers)))
        ids = rows_of(self._frame.select("reviewer"), self._reviews.row[first])
        columns = {
            "effect": self._draws.reviewer_mean,
            "sd": self._draws.reviewer_sd,
            "random": self._draws.reviewer_random,
        }
        return with_columns(ids, columns).to_native()

    def p_top(self, k: int) -> Any:
        """Return for each paper the probability that its effect is among the k largest.

        Parameters
        ----------
        k : int, float or str
            How many papers there is room for: 500, 0.25 or "25%".
        """
        room = Accept.of(k).papers(self._problem.papers)
        probability = (self._places <= room).mean(axis=1)
        return with_columns(self._paper_ids, {"probability": probability}).to_native()

    def places(self, within: Sequence[object] | None = None) -> Any:
        """Return the distribution of each paper's place, in so few rows that it can be kept.

        Parameters
        ----------
        within : sequence, optional
            A label per paper, in the order of `papers`: places are then among papers of one label.

        Returns
        -------
        dataframe
            paper, place, share: the share of the draws that put the paper at this place or a better
            one. Between two rows of a paper it is linear, and there off by at most 0.01; before the
            first row it is 0, after the last 1.

        Examples
        --------
        >>> import unround
        >>> conference = unround.simulate.thurstone(papers=12, seed=3)
        >>> posterior = unround.posterior(conference.reviews, conference.rankings)
        >>> posterior.places().columns
        ['paper', 'place', 'share']
        """
        papers = self._problem.papers
        ranked = self._places
        if within is not None:
            labels = np.atleast_1d(np.asarray(within, dtype=np.str_))
            if labels.shape != (papers,):
                raise UsageError(f"within must have {papers} labels, one per paper")
            ranked = sorted_places(self._flat_draws, np.unique(labels, return_inverse=True)[1])
        start, place, count = place_shares(ranked)
        first = self._problem.by_paper[self._problem.paper_start[:-1]]
        rows = self._reviews.row[np.repeat(first, np.diff(start))]
        columns = {"place": place, "share": count / self.diagnostics.draws}
        return with_columns(rows_of(self._frame.select("paper"), rows), columns).to_native()

    @property
    def _tails(self) -> tuple[float, float]:
        outside = (1.0 - self.interval) / 2.0
        return outside, 1.0 - outside

    @property
    def _paper_ids(self) -> Frame:
        first = self._problem.by_paper[self._problem.paper_start[:-1]]
        return rows_of(self._frame.select("paper"), self._reviews.row[first])

    @property
    def _flat_draws(self) -> NDArray[np.float32]:
        return self._draws.papers.reshape(-1, self._problem.papers)

    @cached_property
    def _summary(self) -> EffectSummary:
        return effect_summary(self._flat_draws, *self._tails)

    @cached_property
    def _places(self) -> PlaceArray:
        """The places of each paper over the draws, best first: papers × draws."""
        return sorted_places(self._flat_draws)

    @cached_property
    def _place_interval(self) -> tuple[IntArray, IntArray]:
        low, high = (tail * (self._places.shape[1] - 1) for tail in self._tails)
        ends = self._places[:, [math.floor(low), math.ceil(high)]].astype(np.int64)
        return ends[:, 0], ends[:, 1]

    @cached_property
    def _opinion_interval(self) -> tuple[FloatArray, FloatArray]:
        """Quantiles of each opinion, from the histogram over its cell."""
        ends = np.empty((2, len(self._reviews)))
        for first in range(0, ends.shape[1], REVIEWS_AT_ONCE):
            block = slice(first, first + REVIEWS_AT_ONCE)
            share = np.cumsum(self._draws.opinion_count[block], axis=1) / self.diagnostics.draws
            ends[:, block] = [_crossing(share, tail) for tail in self._tails]
        width = self._problem.upper - self._problem.lower
        return self._problem.lower + width * ends[0], self._problem.lower + width * ends[1]


def posterior(
    reviews: Any,
    rankings: Any = None,
    *,
    same: Any = None,
    reviewer_effects: bool = True,
    interval: float = 0.9,
    progress: StepProgress | bool | None = None,
    **options: Unpack[StatementOptions],
) -> Posterior:
    """Sample the model behind the method, to say how sure scores and places of papers are.

    An opinion is a paper's effect plus the reviewer's effect plus noise, all normal; some reviewers may
    be random, with opinions anywhere on the scale. What was given says in which cell each opinion lies
    and in which order a reviewer's opinions are. Variances, and who is random, are learned from the data.
    The draws depend on the data alone: the same input gives the same answer.

    Parameters
    ----------
    reviews : Result or dataframe
        A result of `dequantize`, which brings rankings and settings along, or a table of reviews.
    rankings, same
        As for `dequantize`, for a table; a result has them.
    reviewer_effects : bool
        Whether reviewers may differ in strictness.
    interval : float
        Probability that intervals hold.
    progress : bool or callable, optional
        True shows a bar; a function gets (sweeps done, sweeps planned), and more are planned where the
        chains have not mixed.
    **options
        epsilon, scale, conflicts, unranked, allow_loss and ignore_rankings, as for `dequantize`, for a
        table; a result has them. ε decides which orders have room in their cells; the model itself
        knows orders without gaps.

    Raises
    ------
    NotMixed
        If the chains disagree after all sweeps that are allowed: nothing is reported then.

    Examples
    --------
    >>> import unround
    >>> conference = unround.simulate.thurstone(papers=12, seed=3)
    >>> found = unround.posterior(conference.reviews, conference.rankings)
    >>> found.papers.filter(found.papers["place"] == 1)["paper"].to_list()
    [8]
    """
    interval = checked_share("interval", interval)
    effects = checked_switch("reviewer_effects", reviewer_effects)
    choices = known_options(options, StatementOptions)
    if isinstance(reviews, Result):
        refuse_beside_result(rankings=rankings, same=same, **choices)
        data: Internals | PreparedInput = reviews.internals
    else:
        tables = Tables.of(reviews, rankings, same)
        data = prepare(tables, Settings.checked(**choices))
    with open_steps(progress, "sampling") as report:
        draws = draw(data.reviews, data.problem, effects=effects, progress=report)
    diagnostics = _diagnostics(draws, effects)
    if not draws.mixed:
        raise NotMixed(diagnostics)
    return Posterior(interval, diagnostics, data.frame, data.reviews, data.problem, draws)


def _diagnostics(draws: Draws, effects: bool) -> SamplerDiagnostics:
    _, between, strictness, noise, random = draws.hyper.mean(axis=(0, 1)).tolist()
    return SamplerDiagnostics(
        rhat=float(np.quantile(draws.paper_rhat, 0.95)),
        effective=float(np.quantile(draws.paper_effective, 0.05)),
        sweeps=draws.sweeps,
        draws=int(draws.papers.shape[0] * draws.papers.shape[1]),
        between=between,
        strictness=strictness if effects else 0.0,
        noise=noise,
        random=random,
    )


def _crossing(share: FloatArray, tail: float) -> FloatArray:
    """Return where each row of cumulated shares passes `tail`, linear inside a bin."""
    rows, bins = np.arange(share.shape[0]), share.shape[1]
    bin_ = np.argmax(share >= tail - 1e-12, axis=1)
    before = np.where(bin_ > 0, share[rows, np.maximum(bin_ - 1, 0)], 0.0)
    inside = (tail - before) / np.maximum(share[rows, bin_] - before, 1e-12)
    crossing: FloatArray = (bin_ + np.clip(inside, 0.0, 1.0)) / bins
    return crossing
