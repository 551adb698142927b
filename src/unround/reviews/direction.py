"""ReviewSet -> whether scale and ranks point the same way.

Reviewers contradict themselves in a few of their comparisons. Where nearly all go against the scores,
it is the table that is upside down: 1 is the best score, or the largest rank is the best paper.
"""

from __future__ import annotations

import numpy as np

from unround.arrays import IntArray
from unround.issues import Issue, Kind
from unround.reviews.review_set import ReviewSet
from unround.scale import Origin, Scale

NEARLY_ALL = 0.9
LEAST_COMPARISONS = 10
# Of long rankings, comparisons between papers this many places apart tell enough.
FARTHEST = 30


def check_direction(reviews: ReviewSet) -> list[Issue]:
    """Return an issue where nearly all comparisons of differently scored papers go against the scores.

    It stops a run under every policy unless the scale is stated.
    """
    better, worse = compared_pairs(reviews)
    rise = reviews.level[better] - reviews.level[worse]
    against, untied = int((rise < 0).sum()), int((rise != 0).sum())
    if untied < LEAST_COMPARISONS or against < NEARLY_ALL * untied:
        return []
    turned = Scale(reviews.scale.levels[::-1]).text
    message = (
        f"{against:,} of {untied:,} comparisons of papers with different scores go against the scores: "
        "is the scale or are the ranks upside down? If the lowest score is best, turn the scale: "
        f'scale="{turned}"; if the largest rank is best, turn the ranks, so that 1 is best'
    )
    stated = reviews.scale.origin is Origin.STATED
    return [
        Issue(
            Kind.UPSIDE_DOWN,
            message,
            table="rankings",
            action="gone on, since the scale is stated" if stated else "",
        )
    ]


def compared_pairs(reviews: ReviewSet) -> tuple[IntArray, IntArray]:
    """Return the better and the worse review of each stated pair and of ranked papers near each other."""
    better, worse = _ranked_pairs(reviews)
    stated = reviews.statements
    return np.concatenate([better, stated.better]), np.concatenate([worse, stated.worse])


def _ranked_pairs(reviews: ReviewSet) -> tuple[IntArray, IntArray]:
    """Return the better and the worse of ranked papers up to FARTHEST places apart."""
    rank = reviews.statements.rank
    ranked = np.flatnonzero(~np.isnan(rank))
    reviewer = reviews.reviewer[ranked]
    order = ranked[np.lexsort((rank[ranked], reviewer))]
    longest = int(np.bincount(reviewer).max(initial=0))
    better, worse = [order[:0]], [order[:0]]
    for places in range(1, min(longest, FARTHEST + 1)):
        one, other = order[:-places], order[places:]
        apart = (reviews.reviewer[one] == reviews.reviewer[other]) & (rank[one] < rank[other])
        better.append(one[apart])
        worse.append(other[apart])
    return np.concatenate(better), np.concatenate(worse)
