"""Problem -> draws from the posterior: chains from apart, run until they have mixed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unround.arrays import FloatArray, freeze, group_starts, seed_from
from unround.problem.model import Problem
from unround.progress import StepProgress
from unround.reviews.review_set import ReviewSet
from unround.solver.engine import ON_THIS_MACHINE
from unround.uncertainty.diagnostics import effective_draws, split_rhat
from unround.uncertainty.gibbs import HYPERPARAMETERS, Graph, Kept, State, sample
from unround.uncertainty.random_draws import random_state

CHAINS = 4
DRAWS = 250  # kept per chain
BINS = 128  # of the place inside a cell
WARM_UP = 200
REVIEWS_AT_ONCE = 2_000_000  # opinions drawn in one compiled call: a fraction of a second
MOST_EVERY = 64
ENOUGH_DRAWS = 400.0
MOST_RHAT = 1.05
SHARE_OF_PAPERS = 0.95
# Where the chains start: between, strictness and noise in shares of the range of the scale.
STARTS = ((0.2, 0.02, 0.05), (0.1, 0.1, 0.1), (0.3, 0.05, 0.2), (0.15, 0.2, 0.02))


@dataclass(frozen=True)
class Draws:
    """What was sampled, and whether it can be trusted."""

    papers: NDArray[np.float32]  # chains × draws × papers: effects
    hyper: FloatArray  # chains × draws × (grand mean, between, strictness, noise)
    opinion_mean: FloatArray
    opinion_sd: FloatArray
    opinion_count: NDArray[np.uint16]  # histogram of the place inside the cell, one row per review
    reviewer_mean: FloatArray
    reviewer_sd: FloatArray
    paper_rhat: FloatArray
    paper_effective: FloatArray
    hyper_rhat: FloatArray
    hyper_effective: FloatArray
    sweeps: int  # per chain, warm-up included

    @property
    def mixed(self) -> bool:
        """Whether nearly all papers have enough effective draws and no quantity differs by chain."""
        return bool(
            np.quantile(self.paper_effective, 1.0 - SHARE_OF_PAPERS) >= ENOUGH_DRAWS
            and np.quantile(self.paper_rhat, SHARE_OF_PAPERS) <= MOST_RHAT
            and self.hyper_rhat.max() <= MOST_RHAT * 1.05
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
    """Sample until the chains have mixed or the budget is spent.

    `given` fixes the deviations between papers, between reviewers and of the noise; `draws` are kept
    per chain. `progress` is called with the sweeps done and planned; more are planned when the chains
    have not mixed.
    """
    graph = graph_of(reviews, problem)
    start = ON_THIS_MACHINE.solver(problem).solve(1.0, 1e-3).scores
    states = [_first_state(graph, start, chain, effects, given) for chain in range(CHAINS)]
    fixed, tally = given is not None, _Tally(progress)
    every = 1 if len(reviews) > 20_000 else 4
    tally.plan(CHAINS * (WARM_UP + draws * every))
    nothing = _Room.of(graph, 0).sums
    for state in states:
        for part in _chunks(graph, WARM_UP):
            sample(graph, state, nothing, part, 0, effects, fixed)
            tally.add(part)
    sweeps = WARM_UP
    while True:
        room = _Room.of(graph, draws)
        for chain, state in enumerate(states):
            first = 0
            for rows in _chunks(graph, draws, every):
                kept = room.rows(chain, first, first + rows)
                sample(graph, state, kept, rows * every, every, effects, fixed)
                tally.add(rows * every)
                first += rows
        sweeps += draws * every
        found = _summary(graph, room, sweeps, effects, fixed)
        if found.mixed or every >= MOST_EVERY:
            return found
        del found, room, kept  # before room for the next round is taken
        every *= 2
        tally.plan(CHAINS * draws * every)


class _Tally:
    """Counts the sweeps of all chains and tells them, with how many are planned so far."""

    def __init__(self, progress: StepProgress | None) -> None:
        self._progress, self._done, self._planned = progress, 0, 0

    def plan(self, sweeps: int) -> None:
        self._planned += sweeps

    def add(self, sweeps: int) -> None:
        self._done += sweeps
        if self._progress is not None:
            self._progress(self._done, self._planned)


def _chunks(graph: Graph, units: int, sweeps_each: int = 1) -> Iterator[int]:
    """Cut work into calls of a moment each: an interrupt and a progress bar wait for no more."""
    at_once = max(1, REVIEWS_AT_ONCE // (graph.paper.size * sweeps_each))
    for first in range(0, units, at_once):
        yield min(at_once, units - first)


def graph_of(reviews: ReviewSet, problem: Problem) -> Graph:
    """Flat arrays for the sampler. Orders count without their gaps: ε is the program's, not the model's."""
    pairs, count = problem.comparisons, len(problem)
    slack = np.maximum(-pairs.gap, 0.0)
    by_below, by_above = (
        np.argsort(pairs.below, kind="stable"),
        np.argsort(pairs.above, kind="stable"),
    )
    return Graph(
        paper=problem.paper,
        reviewer=reviews.reviewer,
        reviewer_start=group_starts(reviews.reviewer, len(reviews.reviewers)),
        paper_start=problem.paper_start,
        by_paper=problem.by_paper.astype(np.int64),
        lower=problem.lower,
        upper=problem.upper,
        up_start=group_starts(pairs.below[by_below], count),
        up=pairs.above[by_below],
        up_slack=slack[by_below],
        down_start=group_starts(pairs.above[by_above], count),
        down=pairs.below[by_above],
        down_slack=slack[by_above],
        least=float(reviews.scale.lower[0]),
        most=float(reviews.scale.upper[-1]),
    )


def _first_state(
    graph: Graph,
    opinion: FloatArray,
    chain: int,
    effects: bool,
    given: tuple[float, float, float] | None,
) -> State:
    range_ = graph.most - graph.least
    deviations = given or tuple(share * range_ for share in STARTS[chain % len(STARTS)])
    papers = graph.paper_start.size - 1
    counts = np.maximum(np.diff(graph.paper_start), 1)
    effect = np.bincount(graph.paper, weights=opinion, minlength=papers) / counts
    hyper = np.array([opinion.mean(), *deviations])
    # Who scored and ranked what, and how.
    stated = (graph.reviewer, graph.paper, graph.up_start, graph.up, graph.lower, graph.upper)
    return State(
        opinion=np.clip(opinion, graph.lower, graph.upper),
        paper_effect=effect,
        reviewer_effect=np.zeros(graph.reviewer_start.size - 1),
        hyper=hyper,
        random=random_state(seed_from(*stated), chain),
    )


@dataclass(frozen=True)
class _Room:
    """Room for what the chains keep: draws of their own, and sums that they share."""

    papers: NDArray[np.float32]  # chains × draws × papers
    hyper: FloatArray
    sums: Kept

    @classmethod
    def of(cls, graph: Graph, draws: int) -> _Room:
        reviews, papers = graph.paper.size, graph.paper_start.size - 1
        reviewers = graph.reviewer_start.size - 1
        paper_draws = np.zeros((CHAINS, draws, papers), dtype=np.float32)
        hyper_draws = np.zeros((CHAINS, draws, HYPERPARAMETERS))
        sums = Kept(
            paper_draws=paper_draws[0],
            hyper_draws=hyper_draws[0],
            opinion_sum=np.zeros(reviews),
            opinion_square=np.zeros(reviews),
            opinion_count=np.zeros((reviews, BINS), dtype=np.uint16),
            reviewer_sum=np.zeros(reviewers),
            reviewer_square=np.zeros(reviewers),
        )
        return cls(paper_draws, hyper_draws, sums)

    def rows(self, chain: int, first: int, end: int) -> Kept:
        """Return the room for some draws of one chain."""
        return self.sums._replace(
            paper_draws=self.papers[chain, first:end], hyper_draws=self.hyper[chain, first:end]
        )


def _summary(graph: Graph, room: _Room, sweeps: int, effects: bool, fixed: bool) -> Draws:
    papers, hyper, sums = room.papers, room.hyper, room.sums
    total = papers.shape[0] * papers.shape[1]
    place, place_sd = _moments(sums.opinion_sum, sums.opinion_square, total)
    reviewer, reviewer_sd = _moments(sums.reviewer_sum, sums.reviewer_square, total)
    width = graph.upper - graph.lower
    learned = [0] if fixed else [0, 1, 2, 3] if effects else [0, 1, 3]
    found = Draws(
        papers=papers,
        hyper=hyper,
        opinion_mean=graph.lower + width * place,
        opinion_sd=width * place_sd,
        opinion_count=sums.opinion_count,
        reviewer_mean=reviewer,
        reviewer_sd=reviewer_sd,
        paper_rhat=split_rhat(papers),
        paper_effective=effective_draws(papers),
        hyper_rhat=split_rhat(hyper[:, :, learned]),
        hyper_effective=effective_draws(hyper[:, :, learned]),
        sweeps=sweeps,
    )
    found.papers.setflags(write=False)
    freeze(found.hyper, found.opinion_mean, found.opinion_sd)
    return found


def _moments(sums: FloatArray, squares: FloatArray, total: int) -> tuple[FloatArray, FloatArray]:
    mean = sums / total
    return mean, np.sqrt(np.maximum(squares / total - mean**2, 0.0))
