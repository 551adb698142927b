"""Case -> Evidence: scores and rankings as plain arrays, which is all that rivals see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unround.arrays import FloatArray, IntArray, run_starts
from unround.lab.trials.case import Case, Estimate


@dataclass(frozen=True)
class Evidence:
    """What reviewers said. Arrays have one entry per review, in the caller's order."""

    papers: int
    reviewer: IntArray  # codes
    paper: IntArray  # codes, by ascending id
    given: FloatArray
    level: IntArray  # position of the score on the scale, worst = 0
    levels: int  # of the scale
    rank: FloatArray  # smaller is better, NaN = unranked
    better: IntArray  # comparisons: review better[k] stands above review worse[k]
    worse: IntArray

    @cached_property
    def per_paper(self) -> IntArray:
        """The number of reviews of each paper."""
        return np.bincount(self.paper, minlength=self.papers)

    def means(self, values: FloatArray) -> FloatArray:
        """Return the mean of each paper's values."""
        sums = np.bincount(self.paper, weights=values, minlength=self.papers)
        means: FloatArray = sums / self.per_paper
        return means

    @cached_property
    def by_reviewer(self) -> list[IntArray]:
        """Each reviewer's reviews, worst first: by score, and by rank among equal scores."""
        order = np.lexsort((-self.rank_or_last, self.given, self.reviewer))
        return np.split(order, run_starts(self.reviewer[order])[1:])

    @cached_property
    def rank_or_last(self) -> FloatArray:
        """The rank of each review, unranked ones after all others."""
        return np.where(np.isnan(self.rank), np.inf, self.rank)

    @cached_property
    def preferences(self) -> FloatArray:
        """A matrix: how many reviewers put the paper of the row above the paper of the column."""
        counts = np.zeros((self.papers, self.papers))
        np.add.at(counts, (self.paper[self.better], self.paper[self.worse]), 1.0)
        return counts

    @cached_property
    def ballots(self) -> list[list[IntArray]]:
        """Each reviewer's ranked papers in groups of equal rank, best group first."""
        ranked = np.flatnonzero(~np.isnan(self.rank))
        order = ranked[np.lexsort((self.paper[ranked], self.rank[ranked], self.reviewer[ranked]))]
        ballots = []
        for mine in np.split(order, run_starts(self.reviewer[order])[1:]):
            groups = np.split(mine, run_starts(self.rank[mine])[1:])
            ballots.append([self.paper[group] for group in groups])
        return ballots if order.size else []


def evidence_of(case: Case) -> Evidence:
    """Return what the reviewers of a case said."""
    reviews = case.reviews
    _, paper = np.unique(case.conference.reviews["paper"].to_numpy(), return_inverse=True)
    place = reviews.row
    reviewer = np.empty(len(reviews), dtype=np.int64)
    level = np.empty(len(reviews), dtype=np.int64)
    reviewer[place], level[place] = reviews.reviewer, reviews.level
    rank = reviews.in_caller_order(np.array(reviews.statements.rank))
    better, worse = pairs_of(reviewer, rank)
    stated = place[reviews.statements.better], place[reviews.statements.worse]
    return Evidence(
        papers=int(paper.max()) + 1,
        reviewer=reviewer,
        paper=paper.reshape(-1).astype(np.int64),
        given=case.given,
        level=level,
        levels=len(reviews.scale.levels),
        rank=rank,
        better=np.concatenate([better, stated[0]]),
        worse=np.concatenate([worse, stated[1]]),
    )


def pairs_of(reviewer: IntArray, rank: FloatArray) -> tuple[IntArray, IntArray]:
    """Return every pair of reviews of one reviewer with different ranks, the better one first."""
    ranked = np.flatnonzero(~np.isnan(rank))
    order = ranked[np.lexsort((rank[ranked], reviewer[ranked]))]
    better, worse = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for distance in range(1, order.size):
        above, below = order[:-distance], order[distance:]
        mine = reviewer[above] == reviewer[below]
        if not mine.any():
            break
        apart = mine & (rank[above] < rank[below])
        better.append(above[apart])
        worse.append(below[apart])
    return np.concatenate(better), np.concatenate(worse)


def judging_papers(case: Case, judge: Callable[[Evidence], FloatArray]) -> Estimate:
    """Return what a method says of papers; a review gets the number of its paper."""
    evidence = evidence_of(case)
    papers = judge(evidence)
    return Estimate(papers[evidence.paper], papers=papers)
