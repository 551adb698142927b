"""Orders that hold as they are, of many reviewers at once; whatever needs settling is left over.

Rank lists that agree with their scores and have room, nearly all in practice, become chains directly.
Other small orders are built as boolean matrices: `above[r, i, j]` says that reviewer r puts their i-th
paper above their j-th. All reviewers of a batch have the same number of papers, so that each operation
is one pass over the batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray, coded, distinct, run_starts
from unround.problem.model import ComponentBuilder
from unround.reviews.review_set import ReviewSet
from unround.settings import Unranked

BATCH_CELLS = 16_000_000  # of the matrices of one batch
# Matrices grow with the square of the papers and closing them with the cube: only for small loads.
MOST_PAPERS = 32
# Orders for which the room in cells may suffice or not, by rounding, are left over.
ROUNDING = 1e-12


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


@dataclass(frozen=True)
class Batch:
    """Reviewers with equally many papers."""

    owners: IntArray  # reviewers
    member: IntArray  # (reviewers, papers): reviews
    above: BoolArray  # (reviewers, papers, papers): closed order


def add_clean_orders(
    reviews: ReviewSet,
    rank: FloatArray,
    gap: float,
    mentioned: ComparedPapers,
    eligible: BoolArray,
    builder: ComponentBuilder,
) -> BoolArray:
    """Add the small orders of eligible reviewers that hold as they are; return which those are."""
    clean = np.zeros(len(reviews.reviewers), dtype=np.bool_)
    for batch in _batches(reviews, rank, mentioned, eligible & (mentioned.load <= MOST_PAPERS)):
        holds = _holds(reviews, batch, gap)
        clean[batch.owners[holds]] = True
        kept = Batch(batch.owners[holds], batch.member[holds], batch.above[holds])
        _add_components(kept, gap, builder)
    return clean


def _batches(
    reviews: ReviewSet, rank: FloatArray, mentioned: ComparedPapers, eligible: BoolArray
) -> Iterator[Batch]:
    loads = np.where(eligible, mentioned.load, 0)
    for load in distinct(loads[loads > 0]).tolist():
        owners = np.flatnonzero(loads == load)
        for chunk in np.array_split(owners, -(-owners.size * load**2 // BATCH_CELLS)):
            member = mentioned.member[mentioned.begin[chunk][:, None] + np.arange(load)]
            yield Batch(chunk, member, _closed(reviews, rank[member], chunk, mentioned.place))


def _closed(reviews: ReviewSet, ranks: FloatArray, owners: IntArray, place: IntArray) -> BoolArray:
    stated = reviews.statements
    above = ranks[:, :, None] < ranks[:, None, :]
    if stated.better.size:
        _mark(above, stated.better, stated.worse, owners, reviews.reviewer, place)
    if stated.alike.size:
        alike = np.zeros_like(above)
        _mark(alike, stated.alike, stated.alike_to, owners, reviews.reviewer, place)
        above = across_classes(above, alike)
    if stated.better.size or stated.alike.size:
        above = transitive_closure(above)
    return above


def _mark(
    relation: BoolArray,
    left: IntArray,
    right: IntArray,
    owners: IntArray,
    owner: IntArray,
    place: IntArray,
) -> None:
    """Set relation[r, i, j] for the pairs stated by the owners of a batch."""
    slot = np.minimum(np.searchsorted(owners, owner[left]), owners.size - 1)
    ours = owners[slot] == owner[left]
    relation[slot[ours], place[left[ours]], place[right[ours]]] = True


def _holds(reviews: ReviewSet, batch: Batch, gap: float) -> BoolArray:
    """Return which orders have no cycle, no contradiction, and room for their gaps."""
    level = reviews.level[batch.member]
    against = batch.above & (level[:, :, None] < level[:, None, :])
    wrong = (cycles(batch.above) | against).any(axis=(1, 2))
    steps = longest_paths(batch.above)
    lower, upper = reviews.scale.lower[level], reviews.scale.upper[level]
    lack = lower[:, None, :] + steps * gap - upper[:, :, None]
    tight = ((lack > -ROUNDING * (steps + 1)) & batch.above).any(axis=(1, 2))
    return np.asarray(~(wrong | tight))


def _add_components(batch: Batch, gap: float, builder: ComponentBuilder) -> None:
    """Split each order of the batch into components and file them as chains or posets."""
    component = components(batch.above)
    name = np.take_along_axis(batch.member, component, axis=1)
    tied = batch.above.any(axis=2) | batch.above.any(axis=1)
    levels = is_in_levels(batch.above, component) & tied
    height = longest_paths(batch.above).max(axis=2, initial=0)
    builder.add_chains(name[levels], batch.member[levels], height[levels], gap)
    other = tied & ~levels
    covers = covering_pairs(batch.above) & other[:, :, None]
    r, i, j = np.nonzero(covers)
    builder.add_posets(name[other], batch.member[other])
    builder.add_pairs(name[r, i], batch.member[r, i], batch.member[r, j], gap)


def transitive_closure(above: BoolArray) -> BoolArray:
    """Return the order with everything that follows from it."""
    closed = above.copy()
    for middle in range(closed.shape[1]):
        closed |= closed[:, :, middle, None] & closed[:, middle, None, :]
    return closed


def across_classes(above: BoolArray, alike: BoolArray) -> BoolArray:
    """Return the order in which papers that are about the same stand for each other."""
    same = transitive_closure(
        alike | np.swapaxes(alike, 1, 2) | np.eye(alike.shape[1], dtype=np.bool_)
    )
    return _compose(_compose(same, above), same)


def cycles(above: BoolArray) -> BoolArray:
    """Return the pairs of a closed order that stand above each other: no numbers satisfy both."""
    return above & np.swapaxes(above, 1, 2)


def longest_paths(above: BoolArray) -> IntArray:
    """Return the most steps from i down to j in a closed order without cycles; 0 where i is not above j."""
    steps = above.astype(np.int64)
    for middle in range(steps.shape[1]):
        through = steps[:, :, middle, None] + steps[:, middle, None, :]
        reached = (steps[:, :, middle, None] > 0) & (steps[:, middle, None, :] > 0)
        np.maximum(steps, through, out=steps, where=reached)
    return steps


def covering_pairs(above: BoolArray) -> BoolArray:
    """Return the pairs of a closed order that follow from no others."""
    return above & ~_compose(above, above)


def components(linked: BoolArray) -> IntArray:
    """Return for each paper the first paper that it is tied to, directly or not."""
    joined = linked | np.swapaxes(linked, 1, 2) | np.eye(linked.shape[1], dtype=np.bool_)
    first: IntArray = np.argmax(transitive_closure(joined), axis=2)
    return first


def is_in_levels(above: BoolArray, component: IntArray) -> BoolArray:
    """Return for each paper whether its component is levels, each wholly above the next."""
    together = component[:, :, None] == component[:, None, :]
    better = above.sum(axis=1)
    as_levels = (better[:, :, None] < better[:, None, :]) & together
    odd = (as_levels != (above & together)).any(axis=2)
    some_odd: BoolArray = (together & odd[:, None, :]).any(axis=2)
    return ~some_odd


def _compose(first: BoolArray, second: BoolArray) -> BoolArray:
    composed: BoolArray = np.matmul(first, second)
    return composed
