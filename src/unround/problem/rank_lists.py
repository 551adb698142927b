"""Rank lists of many reviewers at once: those that need no settling become chains directly.

They agree with their scores and have room, as nearly all do in practice. Everything else is left over.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray, coded, run_starts
from unround.problem.model import ComponentBuilder
from unround.reviews.review_set import ReviewSet
from unround.settings import Unranked


def completed_ranks(reviews: ReviewSet, unranked: Unranked) -> FloatArray:
    """Return the rank of each review; in top-k rankings a reviewer's unranked papers share one last rank."""
    rank = reviews.statements.rank
    if unranked is Unranked.APART:
        return rank
    ranks_at_all = np.zeros(len(reviews.reviewers), dtype=np.bool_)
    ranks_at_all[reviews.reviewer[~np.isnan(rank)]] = True
    return np.where(np.isnan(rank) & ranks_at_all[reviews.reviewer], np.inf, rank)


def add_plain_rank_lists(
    reviews: ReviewSet, rank: FloatArray, gap: float, builder: ComponentBuilder
) -> BoolArray:
    """Add the rank lists that need no settling; return which reviewers' statements remain."""
    intricate = np.zeros(len(reviews.reviewers), dtype=np.bool_)
    for stated in (reviews.statements.better, reviews.statements.alike):
        intricate[reviews.reviewer[stated]] = True
    ranked = np.flatnonzero(~np.isnan(rank))
    if not ranked.size:
        return intricate
    member, owner, opens = _worst_first(reviews, rank, ranked)
    begin = run_starts(owner)
    sizes, owners = np.diff(begin, append=owner.size), owner[begin]
    level: IntArray = np.cumsum(opens)
    height: IntArray = level - np.repeat(level[begin], sizes)
    top: IntArray = height[begin + sizes - 1]
    score = reviews.level[member]
    most = _most_of_one_score(score, owner)[owners]
    intricate[owners[np.minimum(top, most) * gap > _narrowest(reviews)]] = True
    intricate[_owners_against_scores(score, owner, np.flatnonzero(opens))] = True
    plain = ~intricate[owners] & (top > 0)
    name = np.repeat(member[begin], sizes)
    if not plain.all():
        kept = np.repeat(plain, sizes)
        name, member, height = name[kept], member[kept], height[kept]
    builder.add_chains(name, member, height, gap)
    return intricate


def _worst_first(
    reviews: ReviewSet, rank: FloatArray, ranked: IntArray
) -> tuple[IntArray, IntArray, BoolArray]:
    """Return ranked reviews by reviewer, worst rank first; their reviewers; and which open a new level."""
    ranks, code = coded(rank[ranked])
    # Reviews are sorted by reviewer, so that this is nearly in order: quick for a merging sort.
    key = (reviews.reviewer[ranked] + 1) * ranks.size - code
    order = np.argsort(key, kind="stable")
    key = key[order]
    opens = np.ones(key.size, dtype=np.bool_)
    np.not_equal(key[1:], key[:-1], out=opens[1:])
    member = ranked[order]
    return member, reviews.reviewer[member], opens


def _narrowest(reviews: ReviewSet) -> float:
    """Return the width of the narrowest cell: an order that fits there fits between any cells."""
    return float((reviews.scale.upper - reviews.scale.lower).min())


def _most_of_one_score(score: IntArray, owner: IntArray) -> IntArray:
    """Return for each owner how many of their reviews share one score, at most.

    A cell with room for so many gaps holds the order: levels stand one gap apart from its lower end up.
    """
    scores = int(score.max()) + 1
    counts = np.bincount(owner * scores + score, minlength=(int(owner[-1]) + 1) * scores)
    most: IntArray = counts.reshape(-1, scores).max(axis=1)
    return most


def _owners_against_scores(score: IntArray, owner: IntArray, first: IntArray) -> IntArray:
    """Return the owners with a level that is partly scored below the level under it.

    Neighbouring levels suffice: a score cannot rise from one level to a far lower one
    without rising at some step between.
    """
    least, most = np.minimum.reduceat(score, first), np.maximum.reduceat(score, first)
    same = owner[first[1:]] == owner[first[:-1]]
    against: IntArray = owner[first[:-1][same & (least[1:] < most[:-1])]]
    return against


@dataclass(frozen=True)
class ComparedPapers:
    """The papers that reviewers make statements about, reviewer by reviewer."""

    member: IntArray  # reviews
    begin: IntArray  # one per reviewer: where their papers start in `member`
    load: IntArray  # one per reviewer: how many they are
    place: IntArray  # one per review: its place among its reviewer's papers, -1 = not mentioned

    @classmethod
    def by(cls, reviews: ReviewSet, rank: FloatArray, reviewers: BoolArray) -> ComparedPapers:
        """Return the papers mentioned by some reviewers."""
        stated = reviews.statements
        mentioned = ~np.isnan(rank)
        for side in (stated.better, stated.worse, stated.alike, stated.alike_to):
            mentioned[side] = True
        member = np.flatnonzero(mentioned & reviewers[reviews.reviewer])
        load = np.bincount(reviews.reviewer[member], minlength=len(reviews.reviewers))
        begin = np.cumsum(load) - load
        place = np.full(len(reviews), -1, dtype=np.int64)
        place[member] = np.arange(member.size) - begin[reviews.reviewer[member]]
        return cls(member, begin, load, place)
