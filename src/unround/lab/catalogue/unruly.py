"""Conferences that break the model: biased and random reviewers, heavy tails, flawed rankings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from unround import simulate
from unround.arrays import FloatArray, IntArray
from unround.lab.registry import data
from unround.lab.trials.case import Sample
from unround.simulate import Conference


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
    top: int | None = None,
    quality: Sequence[float] | None = None,
    scale: Sequence[Any] | None = None,
) -> Sample:
    """Thurstone's model with faults.

    offset    standard deviation of a reviewer's own offset
    stretch   a reviewer spreads qualities by a factor exp(normal(0, stretch)) around the middle
    tail      degrees of freedom of t-distributed noise; infinity is normal noise
    careless  share of reviewers whose opinions are uniform on the scale, whatever the paper
    swapped   probability that two neighbours in a ranking change places
    tied      probability that two neighbours in a ranking are tied though opinions differ
    unranked  share of reviews that are missing from the ranking
    top       how many papers a reviewer ranks; the others share the next rank. None: all
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
    people = _People(plain.reviews["reviewer"].to_numpy(), random)
    truth = people.opinions(plain, noise, offset, stretch, tail, careless)
    rank = people.ranks(truth, swapped, tied)
    if top is not None:
        rank = np.minimum(rank, top + 1)
    ranked = random.random(truth.size) >= unranked
    conference = _conference(plain, truth, rank, ranked)
    _, first = np.unique(plain.reviews["paper"].to_numpy(), return_index=True)
    return Sample(conference, seed=trial, quality=plain.truth[first])


@dataclass(frozen=True)
class _People:
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
        """What each reviewer thinks of each of their papers."""
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
        """Ranks by opinion, with neighbours swapped and tied at random."""
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
    # Filtered in numpy: polars waits for threads here, which a forked process does not have.
    rankings = pl.DataFrame({name: v[ranked] for name, v in {**given, "rank": rank}.items()})
    return Conference(reviews, rankings, truth, scale)
