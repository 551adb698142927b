"""Problem -> draws from the posterior: chains from apart, run until they have mixed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from unround.arrays import FloatArray, ShortArray, freeze, group_starts
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
MOST_EVERY = 64
ENOUGH_DRAWS = 400.0
MOST_RHAT = 1.05
SHARE_OF_PAPERS = 0.95
# Where the chains start: between, strictness and noise in shares of the range of the scale.
STARTS = ((0.2, 0.02, 0.05), (0.1, 0.1, 0.1), (0.3, 0.05, 0.2), (0.15, 0.2, 0.02))


@dataclass(frozen=True)
class Draws:
    """What was sampled, and whether it can be trusted."""

    papers: FloatArray  # chains × draws × papers: effects, float32
    hyper: FloatArray  # chains × draws × (grand mean, between, strictness, noise)
    opinion_mean: FloatArray
    opinion_sd: FloatArray
    opinion_count: ShortArray  # histogram of the place inside the cell, one row per review
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
    per chain.
    """
    graph = graph_of(reviews, problem)
    start = ON_THIS_MACHINE.solver(problem).solve(1.0, 1e-3).scores
    states = [_first_state(graph, start, chain, effects, given) for chain in range(CHAINS)]
    fixed = given is not None
    for state in states:
        sample(graph, state, _room(graph, 0), WARM_UP, 0, effects, fixed)
    sweeps, every = WARM_UP, 1 if len(reviews) > 20_000 else 4
    while True:
        kept = []
        for number, state in enumerate(states):
            kept.append(_room(graph, draws))
            sample(graph, state, kept[-1], draws * every, every, effects, fixed)
            if progress is not None:
                progress(number + 1, CHAINS)
        sweeps += draws * every
        found = _summary(graph, kept, sweeps, effects, fixed)
        if found.mixed or every >= MOST_EVERY:
            return found
        every *= 2


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


def seed_of(graph: Graph) -> int:
    """Return a number from who scored and ranked what how: the same data give the same draws."""
    digest = hashlib.sha256()
    for column in (graph.reviewer, graph.paper, graph.up_start, graph.up):
        digest.update(np.ascontiguousarray(column, dtype="<i8").tobytes())
    for bounds in (graph.lower, graph.upper):
        digest.update(np.ascontiguousarray(bounds, dtype="<f8").tobytes())
    return int.from_bytes(digest.digest()[:8], "little")


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
    return State(
        opinion=np.clip(opinion, graph.lower, graph.upper),
        paper_effect=effect,
        reviewer_effect=np.zeros(graph.reviewer_start.size - 1),
        hyper=hyper,
        random=random_state(seed_of(graph), chain),
    )


def _room(graph: Graph, draws: int) -> Kept:
    reviews, papers = graph.paper.size, graph.paper_start.size - 1
    reviewers = graph.reviewer_start.size - 1
    return Kept(
        paper_draws=np.zeros((draws, papers), dtype=np.float32),
        hyper_draws=np.zeros((draws, HYPERPARAMETERS)),
        opinion_sum=np.zeros(reviews),
        opinion_square=np.zeros(reviews),
        opinion_count=np.zeros((reviews, BINS), dtype=np.uint16),
        reviewer_sum=np.zeros(reviewers),
        reviewer_square=np.zeros(reviewers),
    )


def _summary(graph: Graph, kept: list[Kept], sweeps: int, effects: bool, fixed: bool) -> Draws:
    papers = np.stack([one.paper_draws for one in kept])
    hyper = np.stack([one.hyper_draws for one in kept])
    total = papers.shape[0] * papers.shape[1]
    place, place_sd = _moments(kept, "opinion_sum", "opinion_square", total)
    reviewer, reviewer_sd = _moments(kept, "reviewer_sum", "reviewer_square", total)
    width = graph.upper - graph.lower
    learned = [0] if fixed else [0, 1, 2, 3] if effects else [0, 1, 3]
    count = np.zeros((graph.paper.size, BINS), dtype=np.int32)
    for one in kept:
        count += one.opinion_count
    found = Draws(
        papers=papers,
        hyper=hyper,
        opinion_mean=graph.lower + width * place,
        opinion_sd=width * place_sd,
        opinion_count=count,
        reviewer_mean=reviewer,
        reviewer_sd=reviewer_sd,
        paper_rhat=split_rhat(papers),
        paper_effective=effective_draws(papers),
        hyper_rhat=split_rhat(hyper[:, :, learned]),
        hyper_effective=effective_draws(hyper[:, :, learned]),
        sweeps=sweeps,
    )
    freeze(found.papers, found.hyper, found.opinion_mean, found.opinion_sd)
    return found


def _moments(
    kept: list[Kept], sums: str, squares: str, total: int
) -> tuple[FloatArray, FloatArray]:
    def added(name: str) -> Any:
        return np.sum([getattr(one, name) for one in kept], axis=0)

    mean = added(sums) / total
    return mean, np.sqrt(np.maximum(added(squares) / total - mean**2, 0.0))
