"""ReviewSet + Settings -> Problem: orders into chains and posets, cells, and what was done about conflicts.

Rank lists that agree with their scores and have room, nearly all of them in practice, become
chains directly. All other reviewers go through the matrices of conflicts.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray, coded, group_starts, run_starts
from unround.issues import Issue
from unround.problem import orders
from unround.problem.conflicts import Batch, settle
from unround.problem.model import Chains, Posets, Problem
from unround.reviews.review_set import ReviewSet
from unround.settings import Settings, Unranked

BATCH_CELLS = 16_000_000


def build_problem(reviews: ReviewSet, settings: Settings) -> tuple[Problem, list[Issue]]:
    """The program for these reviews, and every conflict that had to be settled for it."""
    parts = _Parts(reviews.lower, reviews.upper)
    gap = settings.epsilon * reviews.scale.spacing
    rank = completed_ranks(reviews, settings.unranked)
    intricate = _add_plain_rank_lists(reviews, rank, gap, parts)
    for batch in _batches(reviews, rank, gap, intricate):
        settle(batch, settings.conflicts, settings.same_within)
        _add_components(batch, settings.same_within, parts)
        parts.issues.extend(batch.issues)
    problem = Problem(
        given=reviews.given,
        lower=parts.lower,
        upper=parts.upper,
        paper=reviews.paper,
        papers=len(reviews.papers),
        chains=parts.chains(),
        posets=parts.posets(),
    )
    return problem, sorted(
        parts.issues, key=lambda issue: (issue.kind, issue.reviewer, issue.papers)
    )


@dataclass
class _Parts:
    """Components gathered so far. A component is named by its first review."""

    lower: FloatArray
    upper: FloatArray
    issues: list[Issue] = field(default_factory=list)
    # Columns: name, review, height.
    chain_members: list[tuple[IntArray, ...]] = field(default_factory=list)
    chain_gaps: list[FloatArray] = field(default_factory=list)
    # Columns: name, review; and name, above, below.
    poset_members: list[tuple[IntArray, ...]] = field(default_factory=list)
    poset_pairs: list[tuple[IntArray, ...]] = field(default_factory=list)
    poset_gaps: list[FloatArray] = field(default_factory=list)

    def chains(self) -> Chains:
        name, member, height = _columns(self.chain_members, 3)
        self.chain_members.clear()
        gap = np.concatenate([np.zeros(0), *self.chain_gaps])
        key = name * (int(height.max(initial=0)) + 1) + height
        # Rank lists come in order: then sorting, and its copies, are saved.
        if not np.all((key[1:] > key[:-1]) | ((key[1:] == key[:-1]) & (member[1:] > member[:-1]))):
            order = np.lexsort((member, key))
            name, member, height, gap = name[order], member[order], height[order], gap[order]
        first = run_starts(name)
        start = np.append(first, name.size)
        return Chains(start, member, height.astype(np.int32), gap[first])

    def posets(self) -> Posets:
        if not self.poset_members:
            return Posets.none()
        name, member = _columns(self.poset_members, 2)
        order = np.lexsort((member, name))
        first = run_starts(name[order])
        names, start = name[order][first], np.append(first, name.size)
        owner, above, below = _columns(self.poset_pairs, 3)
        gap = np.concatenate([np.zeros(0), *self.poset_gaps])
        sequence = np.lexsort((below, above, owner))
        pair_start = group_starts(np.searchsorted(names, owner[sequence]), names.size)
        return Posets(
            start, member[order], pair_start, above[sequence], below[sequence], gap[sequence]
        )


def _columns(parts: list[tuple[IntArray, ...]], rows: int) -> list[IntArray]:
    """Column by column what the parts hold; a single part as it is."""
    if len(parts) == 1:
        return list(parts[0])
    none = np.zeros(0, dtype=np.int64)
    return [np.concatenate([none, *(part[row] for part in parts)]) for row in range(rows)]


def completed_ranks(reviews: ReviewSet, unranked: Unranked) -> FloatArray:
    """Ranks; in top-k rankings a reviewer's unranked papers share one last rank."""
    rank = reviews.statements.rank
    if unranked is Unranked.APART:
        return rank
    ranks_at_all = np.zeros(len(reviews.reviewers), dtype=np.bool_)
    ranks_at_all[reviews.reviewer[~np.isnan(rank)]] = True
    return np.where(np.isnan(rank) & ranks_at_all[reviews.reviewer], np.inf, rank)


def _add_plain_rank_lists(
    reviews: ReviewSet, rank: FloatArray, gap: float, parts: _Parts
) -> BoolArray:
    """Add the rank lists that need no settling; say which reviewers' statements remain."""
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
    parts.chain_members.append((name, member, height))
    parts.chain_gaps.append(np.full(member.size, gap))
    return intricate


def _worst_first(
    reviews: ReviewSet, rank: FloatArray, ranked: IntArray
) -> tuple[IntArray, IntArray, BoolArray]:
    """Ranked reviews by reviewer, worst rank first; whose they are, and which open a new level."""
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
    """The width of the narrowest cell: an order that fits there fits between any cells."""
    return float((reviews.scale.upper - reviews.scale.lower).min())


def _most_of_one_score(score: IntArray, owner: IntArray) -> IntArray:
    """For each owner how many of their reviews share one score, at most.

    So many gaps are room enough: the levels of a cell stand one gap apart from its lower end up.
    """
    scores = int(score.max()) + 1
    counts = np.bincount(owner * scores + score, minlength=(int(owner[-1]) + 1) * scores)
    most: IntArray = counts.reshape(-1, scores).max(axis=1)
    return most


def _owners_against_scores(score: IntArray, owner: IntArray, first: IntArray) -> IntArray:
    """Owners with a level that is partly scored below the level under it.

    Neighbouring levels suffice: a score cannot rise from one level to a far lower one
    without rising at some step between.
    """
    least, most = np.minimum.reduceat(score, first), np.maximum.reduceat(score, first)
    same = owner[first[1:]] == owner[first[:-1]]
    against: IntArray = owner[first[:-1][same & (least[1:] < most[:-1])]]
    return against


def _batches(
    reviews: ReviewSet, rank: FloatArray, gap: float, intricate: BoolArray
) -> Iterator[Batch]:
    """The reviewers that need matrices, those with equally many papers together."""
    statements = reviews.statements
    mentioned = ~np.isnan(rank)
    for stated in (statements.better, statements.worse, statements.alike, statements.alike_to):
        mentioned[stated] = True
    member = np.flatnonzero(mentioned & intricate[reviews.reviewer])
    loads = np.bincount(reviews.reviewer[member], minlength=len(reviews.reviewers))
    place = np.full(len(reviews), -1, dtype=np.int64)
    begin = np.cumsum(loads) - loads
    place[member] = np.arange(member.size) - begin[reviews.reviewer[member]]
    for load in np.unique(loads[loads > 0]).tolist():
        owners = np.flatnonzero(loads == load)
        for chunk in np.array_split(owners, -(-owners.size * load**2 // BATCH_CELLS)):
            rows = member[begin[chunk][:, None] + np.arange(load)]
            yield _batch(reviews, rank, gap, chunk, rows, place)


def _batch(
    reviews: ReviewSet,
    rank: FloatArray,
    gap: float,
    owners: IntArray,
    member: IntArray,
    place: IntArray,
) -> Batch:
    statements = reviews.statements
    ranks = rank[member]
    above = ranks[:, :, None] < ranks[:, None, :]
    alike = np.zeros_like(above)
    _mark(above, statements.better, statements.worse, owners, reviews.reviewer, place)
    _mark(alike, statements.alike, statements.alike_to, owners, reviews.reviewer, place)
    if statements.alike.size:
        above = orders.across_classes(above, alike)
    if statements.better.size or statements.alike.size:
        above = orders.transitive_closure(above)
    return Batch(
        reviews=reviews,
        member=member,
        above=above,
        alike=alike | np.swapaxes(alike, 1, 2),
        gap=np.full(owners.size, gap),
        lower=reviews.scale.lower[reviews.level[member]],
        upper=reviews.scale.upper[reviews.level[member]],
    )


def _mark(
    relation: BoolArray,
    left: IntArray,
    right: IntArray,
    owners: IntArray,
    owner: IntArray,
    place: IntArray,
) -> None:
    """Set relation[r, i, j] for the pairs stated by the owners of a batch."""
    if not left.size:
        return
    slot = np.minimum(np.searchsorted(owners, owner[left]), owners.size - 1)
    here = owners[slot] == owner[left]
    relation[slot[here], place[left[here]], place[right[here]]] = True


def _add_components(batch: Batch, same_within: float | None, parts: _Parts) -> None:
    """Split each order of the batch into components and file them as chains or posets."""
    bound = batch.alike if same_within is not None else np.zeros_like(batch.alike)
    component = orders.components(batch.above | bound)
    name = np.take_along_axis(batch.member, component, axis=1)
    tied = (batch.above | bound).any(axis=2) | batch.above.any(axis=1)
    bounded = (bound & (component[:, :, None] == component[:, None, :])).any(axis=2)
    bounded = _any_in_component(bounded, component)
    levels = orders.is_in_levels(batch.above, component) & tied & ~bounded
    height = orders.longest_paths(batch.above).max(axis=2, initial=0)
    gap = np.broadcast_to(batch.gap[:, None], name.shape)
    parts.chain_members.append((name[levels], batch.member[levels], height[levels]))
    parts.chain_gaps.append(gap[levels])
    other = tied & ~levels
    parts.poset_members.append((name[other], batch.member[other]))
    covers = orders.covering_pairs(batch.above)
    _add_pairs(batch, covers & other[:, :, None], name, batch.gap, parts)
    if same_within is not None:
        apart = np.full_like(batch.gap, -same_within * batch.reviews.scale.spacing)
        _add_pairs(batch, bound, name, apart, parts)
    parts.lower[batch.member] = batch.lower
    parts.upper[batch.member] = batch.upper


def _any_in_component(flag: BoolArray, component: IntArray) -> BoolArray:
    together = component[:, :, None] == component[:, None, :]
    found: BoolArray = (together & flag[:, None, :]).any(axis=2)
    return found


def _add_pairs(
    batch: Batch, pairs: BoolArray, name: IntArray, gap: FloatArray, parts: _Parts
) -> None:
    r, i, j = np.nonzero(pairs)
    parts.poset_pairs.append((name[r, i], batch.member[r, i], batch.member[r, j]))
    parts.poset_gaps.append(gap[r])
