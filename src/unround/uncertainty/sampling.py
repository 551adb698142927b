"""Problem -> draws from the posterior: several chains, run until R-hat and effective draws suffice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unround.arrays import BoolArray, FloatArray, freeze, group_starts, seed_from
from unround.problem.model import Problem
from unround.progress import StepProgress
from unround.reviews.review_set import ReviewSet
from unround.solver.engine import ON_THIS_MACHINE
from unround.uncertainty.gibbs import (
    HYPERPARAMETERS,
    RANDOM,
    Chain,
    DrawRecord,
    GibbsData,
    sample,
)
from unround.uncertainty.random_draws import RandomState

CHAINS = 4
DRAWS = 250  # kept per chain
BINS = 128  # of the place inside a cell
WARM_UP = 200
REVIEWS_AT_ONCE = 2_000_000  # opinions drawn in one compiled call: a fraction of a second
MOST_EVERY = 128  # sweeps for each draw that is kept
# What is demanded of the draws: effective ones and R-hat, for this share of the papers; and R-hat for all
# papers where reviewers are few.
ENOUGH_DRAWS = 400.0
MOST_RHAT = 1.05
SHARE_OF_PAPERS = 0.95
FEW_REVIEWERS = 5
MOST_RHAT_OF_FEW = 1.02
# The share of random reviewers moves slowly, and no interval is made of it.
ENOUGH_DRAWS_OF_SHARE = 100.0
# Where the chains start: between, strictness and noise in shares of the range of the scale.
STARTS = ((0.2, 0.02, 0.05), (0.1, 0.1, 0.1), (0.3, 0.05, 0.2), (0.15, 0.2, 0.02))


@dataclass(frozen=True)
class Draws:
    """What was sampled, and whether it can be trusted."""

    papers: NDArray[np.float32]  # chains × draws × papers: effects
    hyper: FloatArray  # chains × draws × (grand mean, between, strictness, noise, share of random)
    opinion_mean: FloatArray
    opinion_sd: FloatArray
    opinion_count: NDArray[np.uint16]  # histogram of the place inside the cell, one row per review
    reviewer_mean: FloatArray
    reviewer_sd: FloatArray
    reviewer_random: FloatArray  # probability to be random
    paper_rhat: FloatArray
    paper_effective: FloatArray
    hyper_rhat: FloatArray
    share_effective: float  # effective draws of the share of random reviewers
    sweeps: int  # per chain, warm-up included

    @property
    def mixed(self) -> bool:
        """Whether nearly all papers have enough effective draws and no quantity differs by chain.

        Few reviewers leave long tails: then it is demanded of all papers, and chains must agree more closely.
        """
        few = self.reviewer_mean.size < FEW_REVIEWERS
        share, rhat = (1.0, MOST_RHAT_OF_FEW) if few else (SHARE_OF_PAPERS, MOST_RHAT)
        return bool(
            np.quantile(self.paper_effective, 1.0 - share) >= ENOUGH_DRAWS
            and np.quantile(self.paper_rhat, share) <= rhat
            and self.hyper_rhat.max() <= rhat * 1.05
            and self.share_effective >= ENOUGH_DRAWS_OF_SHARE
        )


def draw(
    reviews: ReviewSet,
    problem: Problem,
    *,
    effects: bool,
    given: tuple[float, float, float] | None = None,
    draws: int = DRAWS,
    progress: StepProgress | None = None,
) -> Draws:
    """Sample until the chains have mixed, or only one sweep in MOST_EVERY is kept and they still have not.

    `effects`: reviewers may differ in strictness. `given` fixes the standard deviations between papers,
    between reviewers and of the noise; `draws` are kept per chain. `progress` is called with the sweeps done
    and planned; more are planned when the chains have not mixed.
    """
    data = gibbs_data(reviews, problem)
    start = ON_THIS_MACHINE.solver(problem).solve(1.0, 1e-3).scores
    states = [_first_state(data, start, chain, given) for chain in range(CHAINS)]
    fixed, tally = given is not None, _Tally(progress)
    every = 1 if len(reviews) > 20_000 else 4
    tally.plan(CHAINS * (WARM_UP + draws * every))
    nothing = _DrawBuffers.of(data, 0).sums
    for state in states:
        for part in _chunks(data, WARM_UP):
            sample(data, state, nothing, part, 0, effects, fixed)
            tally.add(part)
    sweeps = WARM_UP
    while True:
        buffers = _DrawBuffers.of(data, draws)
        for chain, state in enumerate(states):
            first = 0
            for rows in _chunks(data, draws, every):
                record = buffers.rows(chain, first, first + rows)
                sample(data, state, record, rows * every, every, effects, fixed)
                tally.add(rows * every)
                first += rows
        sweeps += draws * every
        found = _summary(data, buffers, sweeps, effects, fixed)
        if found.mixed or every >= MOST_EVERY:
            return found
        del found, buffers, record  # before the next round allocates its own
        every *= 2
        tally.plan(CHAINS * draws * every)


class _Tally:
    """Counts the sweeps of all chains and reports them, with how many are planned so far."""

    def __init__(self, progress: StepProgress | None) -> None:
        self._progress, self._done, self._planned = progress, 0, 0

    def plan(self, sweeps: int) -> None:
        self._planned += sweeps

    def add(self, sweeps: int) -> None:
        self._done += sweeps
        if self._progress is not None:
            self._progress(self._done, self._planned)


def _chunks(data: GibbsData, units: int, sweeps_each: int = 1) -> Iterator[int]:
    """Cut work into calls of a fraction of a second, so that interrupts and progress bars need not wait."""
    at_once = max(1, REVIEWS_AT_ONCE // (data.paper.size * sweeps_each))
    for first in range(0, units, at_once):
        yield min(at_once, units - first)


def gibbs_data(reviews: ReviewSet, problem: Problem) -> GibbsData:
    """Flat arrays for the sampler. Orders count without their gaps: ε is the program's, not the model's."""
    pairs, count = problem.comparisons, len(problem)
    by_below, by_above = (
        np.argsort(pairs.below, kind="stable"),
        np.argsort(pairs.above, kind="stable"),
    )
    return GibbsData(
        paper=problem.paper,
        reviewer=reviews.reviewer,
        reviewer_start=group_starts(reviews.reviewer, len(reviews.reviewers)),
        paper_start=problem.paper_start,
        by_paper=problem.by_paper.astype(np.int64),
        lower=problem.lower,
        upper=problem.upper,
        up_start=group_starts(pairs.below[by_below], count),
        up=pairs.above[by_below],
        down_start=group_starts(pairs.above[by_above], count),
        down=pairs.below[by_above],
        least=float(reviews.scale.lower[0]),
        most=float(reviews.scale.upper[-1]),
    )


def _first_state(
    data: GibbsData,
    opinion: FloatArray,
    chain: int,
    given: tuple[float, float, float] | None,
) -> Chain:
    range_ = data.most - data.least
    deviations = given or tuple(share * range_ for share in STARTS[chain % len(STARTS)])
    # Who scored and ranked what, and how.
    stated = (data.reviewer, data.paper, data.up_start, data.up, data.lower, data.upper)
    seed = seed_from(*stated)
    papers = data.paper_start.size - 1
    counts = np.maximum(np.diff(data.paper_start), 1)
    effect = np.bincount(data.paper, weights=opinion, minlength=papers) / counts
    is_random = _guessed_random(data, opinion, effect, chain, seed)
    return Chain(
        opinion=np.clip(opinion, data.lower, data.upper),
        paper_effect=effect,
        reviewer_effect=np.zeros(is_random.size),
        is_random=is_random,
        hyper=np.array([opinion.mean(), *deviations, is_random.mean()]),
        random=random_state(seed, chain),
    )


def _guessed_random(
    data: GibbsData, opinion: FloatArray, effect: FloatArray, chain: int, seed: int
) -> BoolArray:
    """Return who a chain takes for random at its start: nobody, or one half of the reviewers.

    Where reviewers fall into camps, a chain that believes one of them stays there. So two chains start
    from opposite halves, those far from one reviewer and those near, and a fourth from any half.
    """
    reviewers = data.reviewer_start.size - 1
    guess = np.zeros(reviewers, dtype=np.bool_)
    if chain == 0:
        return guess
    luck = np.random.default_rng(seed)
    own = data.reviewer == luck.integers(reviewers)
    believed = effect.copy()
    believed[data.paper[own]] = opinion[own]
    away = np.bincount(data.reviewer, weights=np.abs(opinion - believed[data.paper]))
    distance = luck.random(reviewers) if chain == 3 else away / np.diff(data.reviewer_start)
    order = np.argsort(distance, kind="stable")
    half = reviewers // 2
    guess[order[:half] if chain == 2 else order[reviewers - half :]] = True
    return guess


@dataclass(frozen=True)
class _DrawBuffers:
    """Arrays for the draws of each chain, and for sums over all chains."""

    papers: NDArray[np.float32]  # chains × draws × papers
    hyper: FloatArray
    sums: DrawRecord

    @classmethod
    def of(cls, data: GibbsData, draws: int) -> _DrawBuffers:
        reviews, papers = data.paper.size, data.paper_start.size - 1
        reviewers = data.reviewer_start.size - 1
        paper_draws = np.zeros((CHAINS, draws, papers), dtype=np.float32)
        hyper_draws = np.zeros((CHAINS, draws, HYPERPARAMETERS))
        sums = DrawRecord(
            paper_draws=paper_draws[0],
            hyper_draws=hyper_draws[0],
            opinion_sum=np.zeros(reviews),
            opinion_square=np.zeros(reviews),
            opinion_count=np.zeros((reviews, BINS), dtype=np.uint16),
            reviewer_sum=np.zeros(reviewers),
            reviewer_square=np.zeros(reviewers),
            reviewer_random=np.zeros(reviewers),
        )
        return cls(paper_draws, hyper_draws, sums)

    def rows(self, chain: int, first: int, end: int) -> DrawRecord:
        """Return the arrays for some draws of one chain."""
        return self.sums._replace(
            paper_draws=self.papers[chain, first:end], hyper_draws=self.hyper[chain, first:end]
        )


def _summary(
    data: GibbsData, buffers: _DrawBuffers, sweeps: int, effects: bool, fixed: bool
) -> Draws:
    papers, hyper, sums = buffers.papers, buffers.hyper, buffers.sums
    total = papers.shape[0] * papers.shape[1]
    place, place_sd = _moments(sums.opinion_sum, sums.opinion_square, total)
    reviewer, reviewer_sd = _moments(sums.reviewer_sum, sums.reviewer_square, total)
    width = data.upper - data.lower
    learned = [0] if fixed else [0, 1, 2, 3] if effects else [0, 1, 3]
    share = hyper[:, :, [RANDOM]]
    found = Draws(
        papers=papers,
        hyper=hyper,
        opinion_mean=data.lower + width * place,
        opinion_sd=width * place_sd,
        opinion_count=sums.opinion_count,
        reviewer_mean=reviewer,
        reviewer_sd=reviewer_sd,
        reviewer_random=sums.reviewer_random / total,
        paper_rhat=split_rhat(papers),
        paper_effective=effective_draws(papers),
        hyper_rhat=split_rhat(hyper[:, :, [*learned, RANDOM]]),
        # Where nobody was ever random, the draws are as good as independent.
        share_effective=float(effective_draws(share)[0]) if np.ptp(share) else float(total),
        sweeps=sweeps,
    )
    found.papers.setflags(write=False)
    freeze(found.hyper, found.opinion_mean, found.opinion_sd)
    return found


def _moments(sums: FloatArray, squares: FloatArray, total: int) -> tuple[FloatArray, FloatArray]:
    mean = sums / total
    return mean, np.sqrt(np.maximum(squares / total - mean**2, 0.0))


AT_ONCE = 1024  # quantities whose autocorrelations are held in memory together


def split_rhat(draws: NDArray[np.floating]) -> FloatArray:
    """Return the split R-hat of each quantity. `draws` is chains × draws × quantities.

    Each chain is cut in two, so that a chain that drifts is seen too. 1 means that the halves agree.
    """
    return np.concatenate([_rhat(block) for block in _blocks(_halves(draws))])


def effective_draws(draws: NDArray[np.floating]) -> FloatArray:
    """Return the number of independent draws with the same error of each mean (Geyer's sequence)."""
    return np.concatenate([_effective(block) for block in _blocks(_halves(draws))])


def _halves(draws: NDArray[np.floating]) -> NDArray[np.floating]:
    chains, length, quantities = draws.shape
    half = length // 2
    return draws[:, : 2 * half].reshape(chains * 2, half, quantities)


def _blocks(draws: NDArray[np.floating]) -> Iterator[FloatArray]:
    for first in range(0, max(draws.shape[2], 1), AT_ONCE):
        yield draws[:, :, first : first + AT_ONCE].astype(np.float64)


def _rhat(draws: FloatArray) -> FloatArray:
    within, pooled = _variances(draws)
    still = within <= 0.0
    ratio: FloatArray = np.sqrt(pooled / np.where(still, 1.0, within))
    return np.where(still, np.where(pooled > 0.0, np.inf, 1.0), ratio)


def _variances(draws: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean variance inside chains, and the variance over all, which chains apart enlarge."""
    length = draws.shape[1]
    within: FloatArray = draws.var(axis=1, ddof=1).mean(axis=0)
    between: FloatArray = draws.mean(axis=1).var(axis=0, ddof=1)
    return within, within * (length - 1) / length + between


def _effective(draws: FloatArray) -> FloatArray:
    chains, length, _ = draws.shape
    within, pooled = _variances(draws)
    pooled = np.where(pooled > 0.0, pooled, 1.0)
    covariance = _autocovariances(draws).mean(axis=0)
    correlation = 1.0 - (within - covariance) / pooled
    correlation[0] = 1.0
    # Sums of neighbouring correlations are positive and fall for a reversible chain: where the
    # estimates stop doing so, only noise is left.
    pairs = correlation[: length - length % 2].reshape(-1, 2, draws.shape[2]).sum(axis=1)
    pairs = np.minimum.accumulate(np.where(np.cumprod(pairs > 0.0, axis=0), pairs, 0.0), axis=0)
    time = np.maximum(2.0 * pairs.sum(axis=0) - 1.0, 1.0 / np.log10(chains * length))
    effective: FloatArray = chains * length / time
    return effective


def _autocovariances(draws: FloatArray) -> FloatArray:
    length = draws.shape[1]
    centred = draws - draws.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, 2 * length, axis=1)
    product = np.fft.irfft(spectrum * spectrum.conj(), 2 * length, axis=1)[:, :length]
    covariance: FloatArray = product / length * (length / (length - 1))
    return covariance


def random_state(seed: int, chain: int) -> RandomState:
    """Return the generator of one chain, far from those of the others."""
    words = np.random.SeedSequence([seed, chain]).generate_state(1, np.uint64)
    return words.astype(np.uint64)
