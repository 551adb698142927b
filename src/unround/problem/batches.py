"""Small orders without conflicts, many at once, as matrices; whatever needs settling is left over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray, distinct
from unround.problem import matrices
from unround.problem.components import ComponentBuilder
from unround.reviews.review_set import ReviewSet

BATCH_CELLS = 16_000_000
# Matrices grow with the square of the papers and closing them with the cube: only for small loads.
MOST_PAPERS = 32
# Cells that miss by less than this are left to be looked at closely.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Mentioned:
    """The papers that reviewers make statements about, reviewer by reviewer."""

    member: IntArray  # reviews
    begin: IntArray  # one per reviewer: where their papers start in `member`
    load: IntArray  # one per reviewer: how many they are
    place: IntArray  # one per review: its place among its reviewer's papers, -1 = not mentioned

    @classmethod
    def by(cls, reviews: ReviewSet, rank: FloatArray, reviewers: BoolArray) -> Mentioned:
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
    mentioned: Mentioned,
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
    reviews: ReviewSet, rank: FloatArray, mentioned: Mentioned, eligible: BoolArray
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
        above = matrices.across_classes(above, alike)
    if stated.better.size or stated.alike.size:
        above = matrices.transitive_closure(above)
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
    wrong = (matrices.cycles(batch.above) | against).any(axis=(1, 2))
    steps = matrices.longest_paths(batch.above)
    lower, upper = reviews.scale.lower[level], reviews.scale.upper[level]
    lack = lower[:, None, :] + steps * gap - upper[:, :, None]
    tight = ((lack > -ROUNDING * (steps + 1)) & batch.above).any(axis=(1, 2))
    return np.asarray(~(wrong | tight))


def _add_components(batch: Batch, gap: float, builder: ComponentBuilder) -> None:
    """Split each order of the batch into components and file them as chains or posets."""
    component = matrices.components(batch.above)
    name = np.take_along_axis(batch.member, component, axis=1)
    tied = batch.above.any(axis=2) | batch.above.any(axis=1)
    levels = matrices.is_in_levels(batch.above, component) & tied
    height = matrices.longest_paths(batch.above).max(axis=2, initial=0)
    builder.add_chains(name[levels], batch.member[levels], height[levels], gap)
    other = tied & ~levels
    covers = matrices.covering_pairs(batch.above) & other[:, :, None]
    r, i, j = np.nonzero(covers)
    builder.add_posets(name[other], batch.member[other])
    builder.add_pairs(name[r, i], batch.member[r, i], batch.member[r, j], gap)
