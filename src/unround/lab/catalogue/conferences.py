"""Synthetic conferences: the paper's models, and reviewers who depart from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from unround import simulate
from unround.arrays import FloatArray, IntArray
from unround.lab.registry import data
from unround.lab.trials.case import Sample, by_paper
from unround.scale import Scale
from unround.simulate import Conference
from unround.uncertainty.gibbs import PRIOR_RANDOM, PRIOR_SOUND


@data("thurstone")
def thurstone(
    trial: int,
    *,
    papers: int = 60,
    reviews_per_paper: int = 4,
    papers_per_reviewer: int = 4,
    noise: float = 0.5,
    scale: Sequence[Any] | None = None,
    draw: str = "published",
) -> Sample:
    """Draw opinions as a paper's quality plus normal noise."""
    noisy, plain = (
        simulate.thurstone(
            papers,
            reviews_per_paper=reviews_per_paper,
            papers_per_reviewer=papers_per_reviewer,
            noise=spread,
            scale=scale,
            seed=trial,
            draw=draw,
        )
        for spread in (noise, 0.0)
    )
    # Without noise the same draws give every review its paper's quality.
    return Sample(noisy, seed=trial, quality=by_paper(plain, plain.truth))


@data("coarsened", needs_scores=True)
def coarsened(
    trial: int, *, scores: FloatArray, papers_per_reviewer: int = 6, draw: str = "published"
) -> Sample:
    """Take real scores as the truth: random reviewers give them coarsened, and rank by them.

    A paper's quality is the mean of its real scores.
    """
    conference = simulate.coarsened(
        scores, papers_per_reviewer=papers_per_reviewer, seed=trial, draw=draw
    )
    return Sample(
        conference,
        seed=trial,
        in_units_of_truth=partial(original_units, simulate.scale_of(scores)),
        quality=by_paper(conference, conference.truth),
    )


def original_units(scale: Scale, scores: FloatArray) -> FloatArray:
    """Return coarse scores y as scores of the original scale: level round(2y − 1/2), halves to even."""
    number: FloatArray = np.rint(2.0 * scores - 0.5)
    return float(scale.values[0]) + scale.spacing * (number - float(scale.numbers()[0]))


@data("unruly")
def unruly(
    trial: int,
    *,
    papers: int = 60,
    reviews_per_paper: int = 4,
    papers_per_reviewer: int = 4,
    noise: float = 0.5,
    offset: float = 0.0,
    stretch: float = 0.0,
    tail: float = math.inf,
    careless: float = 0.0,
    swapped: float = 0.0,
    tied: float = 0.0,
    unranked: float = 0.0,
    turned: float = 0.0,
    blind: float = 0.0,
    shared: float = 0.0,
    clustered: float = 0.0,
    top: int | None = None,
    quality: Sequence[float] | None = None,
    scale: Sequence[Any] | None = None,
) -> Sample:
    """Draw from Thurstone's model, with reviewers who depart from it.

    offset    standard deviation of the reviewers' offsets
    stretch   a reviewer spreads qualities by a factor exp(normal(0, stretch)) around the middle
    tail      degrees of freedom of t-distributed noise; infinity is normal noise
    careless  share of reviewers whose opinions are uniform on the scale, whatever the paper
    swapped   probability that two neighbours in a ranking change places
    tied      probability that two neighbours in a ranking are tied though opinions differ
    unranked  share of reviews that are missing from the ranking
    turned    share of reviewers who rank the worst paper first
    blind     share of reviewers who rank papers of one score at random
    shared    standard deviation of an error that all reviewers of a paper share
    clustered how far qualities are drawn to two clusters, from 0 to 1
    top       number of papers that a reviewer ranks; the others share the next rank. None: all
    """
    random = np.random.default_rng(trial)
    plain = simulate.thurstone(
        papers,
        reviews_per_paper=reviews_per_paper,
        papers_per_reviewer=papers_per_reviewer,
        noise=0.0,
        quality=None if quality is None else (quality[0], quality[1]),
        scale=scale,
        seed=random,
    )
    reviewers = _Reviewers(plain.reviews["reviewer"].to_numpy(), random)
    more = np.random.default_rng([trial, 2])  # other draws stay as they were
    plain = replace(plain, truth=_drawn_to_clusters(plain, clustered))
    paper = plain.reviews["paper"].to_numpy()
    misjudged = more.normal(0.0, shared, int(paper.max()) + 1)[paper]
    seen = replace(plain, truth=plain.truth + misjudged)
    truth = reviewers.opinions(seen, noise, offset, stretch, tail, careless)
    who, turns = reviewers.reviewer, np.where(more.random(reviewers.count) < turned, -1.0, 1.0)
    guesses = (more.random(reviewers.count) < blind)[who]
    guessed = plain.scale.nearest(truth) + more.uniform(-0.4, 0.4, truth.size) * plain.scale.spacing
    rank = reviewers.ranks(turns[who] * np.where(guesses, guessed, truth), swapped, tied)
    if top is not None:
        rank = np.minimum(rank, top + 1)
    ranked = random.random(truth.size) >= unranked
    conference = _conference(plain, truth, rank, ranked)
    _, first = np.unique(plain.reviews["paper"].to_numpy(), return_index=True)
    return Sample(conference, seed=trial, quality=plain.truth[first])


def _drawn_to_clusters(plain: Conference, share: float) -> FloatArray:
    """Move qualities a share of the way to a quarter or three quarters of the scale."""
    low, high = float(plain.scale.values[0]), float(plain.scale.values[-1])
    upper = plain.truth > (low + high) / 2.0
    cluster = np.where(upper, 0.25 * low + 0.75 * high, 0.75 * low + 0.25 * high)
    return np.asarray(plain.truth + share * (cluster - plain.truth))


@dataclass(frozen=True)
class _Reviewers:
    reviewer: IntArray
    random: np.random.Generator

    @property
    def count(self) -> int:
        return int(self.reviewer.max()) + 1

    def opinions(
        self,
        plain: Conference,
        noise: float,
        offset: float,
        stretch: float,
        tail: float,
        careless: float,
    ) -> FloatArray:
        """Return what each reviewer thinks of each of their papers."""
        random, who, size = self.random, self.reviewer, self.reviewer.size
        low, high = float(plain.scale.values[0]), float(plain.scale.values[-1])
        middle = (low + high) / 2.0
        factor = np.exp(random.normal(0.0, stretch, self.count))[who]
        shift = random.normal(0.0, offset, self.count)[who]
        error = random.normal(0.0, 1.0, size) if math.isinf(tail) else random.standard_t(tail, size)
        careful = middle + factor * (plain.truth - middle) + shift + noise * error
        anything = random.uniform(low, high, size)
        does_not_care = (random.random(self.count) < careless)[who]
        return np.clip(np.where(does_not_care, anything, careful), low, high)

    def ranks(self, truth: FloatArray, swapped: float, tied: float) -> IntArray:
        """Return ranks by opinion, with neighbours swapped and tied at random."""
        order = np.lexsort((-truth, self.reviewer))
        load = np.bincount(self.reviewer, minlength=self.count)
        first = np.cumsum(load) - load
        for place in range(int(load.max()) - 1):
            swap = (self.random.random(self.count) < swapped) & (load > place + 1)
            here = first[swap] + place
            order[here], order[here + 1] = order[here + 1], order[here]
        step = (self.random.random(truth.size) >= tied).astype(np.int64)
        step[first] = 1
        level = np.cumsum(step)
        rank = np.empty(truth.size, dtype=np.int64)
        rank[order] = level - np.repeat(level[first], load) + 1
        return rank


def _conference(
    plain: Conference, truth: FloatArray, rank: IntArray, ranked: np.ndarray[Any, np.dtype[np.bool]]
) -> Conference:
    scale = plain.scale
    place = np.searchsorted(scale.values, scale.nearest(truth))
    given = {name: plain.reviews[name].to_numpy() for name in ("reviewer", "paper")}
    reviews = pl.DataFrame({**given, "score": np.array(scale.levels)[place]})
    # Filtered in numpy: in a forked process polars would wait for threads that are not there.
    rankings = pl.DataFrame({name: v[ranked] for name, v in {**given, "rank": rank}.items()})
    return Conference(reviews, rankings, truth, scale)


@data("model")
def from_model(
    trial: int, *, papers: int = 12, reviews_per_paper: int = 4, papers_per_reviewer: int = 4
) -> Sample:
    """Draw from the posterior's own model: variances, grand mean and random reviewers, then opinions.

    The model keeps opinions on the scale 0 .. 10, so that draws beyond its ends are drawn again, all of them.
    """
    random = np.random.default_rng(trial)
    plain = simulate.thurstone(
        papers,
        reviews_per_paper=reviews_per_paper,
        papers_per_reviewer=papers_per_reviewer,
        seed=random,
    )
    reviewers = _Reviewers(plain.reviews["reviewer"].to_numpy(), random)
    paper = plain.reviews["paper"].to_numpy()
    least, most = float(plain.scale.lower[0]), float(plain.scale.upper[-1])
    inside = False
    while not inside:
        between, strictness, noise = random.uniform(0.0, most - least, 3)
        quality = random.normal(random.uniform(least, most), between, papers)
        effect = random.normal(0.0, strictness, reviewers.count)
        opinions = quality[paper] + effect[reviewers.reviewer]
        careful = opinions + random.normal(0.0, noise, paper.size)
        share = random.beta(PRIOR_RANDOM, PRIOR_SOUND)
        guesses = (random.random(reviewers.count) < share)[reviewers.reviewer]
        truth = np.where(guesses, random.uniform(least, most, paper.size), careful)
        inside = bool(np.all((least < truth) & (truth < most)))
    rank = reviewers.ranks(truth, 0.0, 0.0)
    conference = _conference(plain, truth, rank, np.ones(truth.size, dtype=np.bool))
    return Sample(conference, seed=trial, quality=quality)
