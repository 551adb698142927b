"""ReviewSet -> one reviewer's components of the problem, as they are or after a change.

What a reviewer states binds nobody else's scores, so that the components of the whole problem are those
of each reviewer alone. A part can be built anew after a change without looking at any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from unround.arrays import FloatArray, IntArray, ShortArray, freeze, group_starts
from unround.audit.influence.largest_move import Room
from unround.audit.influence.local_solver import Own, Parts
from unround.problem.batches import completed_ranks
from unround.problem.build import build_problem
from unround.problem.model import Problem
from unround.problem.orders import Component, Order, members
from unround.reviews.review_set import Ids, ReviewSet, Statements
from unround.scale import Scale
from unround.settings import Policy, Settings, Unranked
from unround.solver.kernels.arguments import SweptChains, SweptPosets, SweptReviews
from unround.solver.kernels.chains import tighten_chains
from unround.solver.layout import Layout, Scratch, lay_out


@dataclass(frozen=True)
class Levels:
    """All papers of a reviewer in levels, each wholly above the next: the part of nearly every rank list.

    Unchecked: the scores agree with the levels, and the gaps between levels have room in the cells.
    """

    given: FloatArray
    lower: FloatArray  # cells
    upper: FloatArray
    height: IntArray  # 0 = worst; consecutive
    gap: float


@dataclass(frozen=True)
class Orders:
    """What is left of a rank list when comparisons against the scores are set aside.

    Unchecked: the gaps have room in the cells.
    """

    given: FloatArray
    lower: FloatArray  # cells
    upper: FloatArray
    sequence: list[int]  # the review at each place of the order
    components: list[Component]
    gap: float


Part = Problem | Levels | Orders


class ReviewersApart:
    """Reviewers one by one, and the part of the problem that each makes as it is or after a change."""

    def __init__(self, reviews: ReviewSet, settings: Settings) -> None:
        self.reviews, self.settings = reviews, settings
        self.start = group_starts(reviews.reviewer, len(reviews.reviewers))
        self.gap = settings.epsilon * reviews.scale.spacing
        self.narrowest = float((reviews.scale.upper - reviews.scale.lower).min(initial=np.inf))
        said = reviews.statements
        self._rank = completed_ranks(reviews, settings.unranked)
        self._better, self._alike = _Lookup(reviews, said.better), _Lookup(reviews, said.alike)

    def __len__(self) -> int:
        return len(self.reviews.reviewers)

    def of(self, reviewer: int) -> slice:
        """Return which reviews are a reviewer's."""
        return slice(int(self.start[reviewer]), int(self.start[reviewer + 1]))

    def part(
        self, reviewer: int, level: IntArray | None = None, rank: FloatArray | None = None
    ) -> Part | None:
        """Return what a reviewer makes of the problem; None where that would be refused.

        level  the scores as places on the scale, one per paper; None: as they are
        rank   a rank list instead of all that is stated, smaller is better, NaN = unranked; None: as stated
        """
        mine = self.of(reviewer)
        level = self.reviews.level[mine] if level is None else level
        if rank is not None or not (self._better.any(reviewer) or self._alike.any(reviewer)):
            ranks = (self._rank[mine] if rank is None else self._completed(rank)).tolist()
            if self._is_quick(ranks):
                return self._ranked(level, ranks)
        problem, conflicts = build_problem(self._alone(reviewer, level, rank), self.settings)
        refused = conflicts and self.settings.conflicts is Policy.REFUSE
        return None if refused else problem

    def _is_quick(self, rank: list[float]) -> bool:
        """Return whether a rank list surely has room, and no more than the cells of levels to open."""
        unranked = sum(one != one for one in rank)  # NaN is not itself
        whole = unranked in (0, len(rank)) or self.settings.conflicts is not Policy.RANKINGS
        return whole and (len(rank) - 1) * self.gap <= self.narrowest

    def _ranked(self, level: IntArray, rank: list[float]) -> Part | None:
        """Return what a rank list makes of the problem; None where it would be refused. It has room."""
        levels, cells = level.tolist(), cells_at(self.reviews.scale, level)
        height = agreeing_heights(levels, rank)
        if height is not None:
            return Levels(*cells, np.array(height, dtype=np.int64), self.gap)
        # Worst rank first; NaN compares with nothing, so that unranked papers stay outside the order.
        sequence = sorted(range(level.size), key=lambda one: (rank[one] != rank[one], -rank[one]))
        stated = _order(rank, sequence)
        kept = stated.without(stated.against([levels[one] for one in sequence]))
        if kept != stated:
            if self.settings.conflicts is Policy.REFUSE:
                return None
            if self.settings.conflicts is Policy.RANKINGS:
                return self._opened(cells, rank)
        components = kept.split((), level.size**2) or []
        return Orders(*cells, sequence, components, self.gap)

    def _opened(
        self, cells: tuple[FloatArray, FloatArray, FloatArray], rank: list[float]
    ) -> Levels:
        """Return a rank list with the cells opened as far as it needs."""
        from unround.problem.open_cells import open_levels  # loads Numba

        height = np.unique(-np.array(rank), return_inverse=True)[1]
        given, lower, upper = cells
        return Levels(given, *open_levels(height, lower, upper, self.gap), height, self.gap)

    def _completed(self, rank: FloatArray) -> FloatArray:
        if self.settings.unranked is Unranked.APART or np.isnan(rank).all():
            return rank
        return np.where(np.isnan(rank), np.inf, rank)

    def _alone(self, reviewer: int, level: IntArray, rank: FloatArray | None) -> ReviewSet:
        """Return a reviewer's reviews and statements as a small conference, everything numbered anew."""
        whole, mine = self.reviews, self.of(reviewer)
        statements = self._stated(reviewer) if rank is None else Statements.ranks_only(rank)
        return ReviewSet(
            reviewer=np.zeros(level.size, dtype=np.int64),
            paper=np.arange(level.size),
            level=level,
            row=whole.row[mine],
            scale=whole.scale,
            reviewers=Ids(whole.reviewers.of(np.array([reviewer]))),
            papers=Ids(whole.papers.of(whole.paper[mine])),
            statements=statements,
        )

    def _stated(self, reviewer: int) -> Statements:
        said, mine = self.reviews.statements, self.of(reviewer)
        pairs, alike = self._better.of(reviewer), self._alike.of(reviewer)
        return Statements(
            said.rank[mine],
            said.better[pairs] - mine.start,
            said.worse[pairs] - mine.start,
            said.alike[alike] - mine.start,
            said.alike_to[alike] - mine.start,
        )


def cells_at(scale: Scale, level: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the number that each level counts as, and the two ends of its cell."""
    return scale.values[level], scale.lower[level], scale.upper[level]


def agreeing_heights(level: list[int], rank: list[float]) -> list[int] | None:
    """Return the heights of papers by rank, worst 0; all are 0 where nothing is ranked.

    None where the scores do not agree, or where some papers are ranked and others are not.

    >>> agreeing_heights([3, 5, 3], [2.0, 1.0, 2.0])
    [0, 1, 0]
    >>> agreeing_heights([3, 5], [1.0, 2.0]) is None
    True
    """
    unranked = sum(one != one for one in rank)
    if unranked:
        return [0] * len(rank) if unranked == len(rank) else None
    heights = {one: height for height, one in enumerate(sorted(set(rank), reverse=True))}
    highest = [-1] * len(heights)
    for one, score in zip(rank, level, strict=True):
        highest[heights[one]] = max(highest[heights[one]], score)
    under = [-1, *accumulate(highest, max)]
    agrees = all(score >= under[heights[one]] for one, score in zip(rank, level, strict=True))
    return [heights[one] for one in rank] if agrees else None


def _order(rank: list[float], sequence: list[int]) -> Order:
    """Return the order of a rank list, its papers in sequence, worst first."""
    below = []
    for place, one in enumerate(sequence):
        under = (rank[other] > rank[one] for other in sequence[:place])
        below.append(sum(1 << number for number, lower in enumerate(under) if lower))
    return Order(tuple(below))


class _Lookup:
    """Statements looked up by the reviewer who made them."""

    def __init__(self, reviews: ReviewSet, stated: IntArray) -> None:
        owner = reviews.reviewer[stated]
        self._order = np.argsort(owner, kind="stable")
        self._start = group_starts(owner[self._order], len(reviews.reviewers))

    def any(self, reviewer: int) -> bool:
        """Return whether a reviewer made such statements."""
        return bool(self._start[reviewer] < self._start[reviewer + 1])

    def of(self, reviewer: int) -> IntArray:
        """Return the numbers of a reviewer's statements."""
        return self._order[self._start[reviewer] : self._start[reviewer + 1]]


class OwnParts:
    """Makes the components of single reviewers ready."""

    def __init__(self, paper: ShortArray, place: IntArray) -> None:
        self._paper, self._place = paper, place
        self._scratch = Scratch.enough_for(1, 0, 1)
        self._rooms: dict[int, Room] = {}

    def of(self, first: int, part: Part) -> Own:
        """Return the components of a reviewer whose first review is `first`."""
        if isinstance(part, Levels):
            order = part.height.argsort(kind="stable")
            return self._own(first, part, order, (0, order.size), part.height[order])
        if isinstance(part, Orders):
            return self._of_orders(first, part)
        layout = lay_out(part)
        parts, review = parts_of(layout), first + layout.review
        parts = parts._replace(reviews=parts.reviews._replace(paper=self._paper[review]))
        return Own(parts, self._place[review], np.empty(review.size))

    def room(self, size: int, papers: int) -> Room:
        """Return where changes of so many reviews in levels are laid out one after the other."""
        if size not in self._rooms:
            height = np.zeros(size, dtype=np.int32)
            frozen, start = height.view(), np.array([0, size])
            freeze(frozen, start)  # kernels are compiled for one kind of array, read-only or not
            given, lower, upper = (np.zeros(size) for _ in range(3))
            scratch = Scratch.enough_for(size, 0, 1)
            parts = Parts(
                SweptReviews(given, np.zeros(size, dtype=np.int32), lower, upper),
                SweptChains(start, frozen, np.zeros(size)),
                _swept_posets(size, (), 0.0),
                scratch.chains,
                scratch.posets,
            )
            own = Own(parts, np.zeros(size, dtype=np.int64), np.zeros(size))
            order = np.zeros(size, dtype=np.int64)
            self._rooms[size] = Room(own, height, order, np.zeros(papers))
        return self._rooms[size]

    def _of_orders(self, first: int, part: Orders) -> Own:
        order, start, height = list[int](), [0], list[int]()
        left = set(part.sequence)
        for component in part.components:
            if component.levels is not None:
                for number, level in enumerate(component.levels):
                    order += [part.sequence[place] for place in members(level)]
                    height += [number] * level.bit_count()
                start.append(len(order))
        posets = [component for component in part.components if component.levels is None]
        swept = _swept_posets(len(order), posets, part.gap)
        for component in posets:
            order += [part.sequence[place] for place in members(component.places)]
        order += sorted(left.difference(order))
        return self._own(
            first, part, np.array(order), tuple(start), np.array(height, dtype=np.int64), swept
        )

    def _own(
        self,
        first: int,
        part: Levels | Orders,
        order: IntArray,
        starts: tuple[int, ...],
        heights: IntArray,
        posets: SweptPosets | None = None,
    ) -> Own:
        """Return the components of reviews in sweep order: chains, posets, single ones."""
        review, given = first + order, part.given[order]
        height, start = heights.astype(np.int32), np.array(starts)
        freeze(height, start)  # kernels are compiled for one kind of array, read-only or not
        shift: FloatArray = height.astype(np.float64) * part.gap
        lower, upper = part.lower[order], part.upper[order]
        tighten_chains(start, height, shift, lower, upper)
        posets = _swept_posets(order.size, (), part.gap) if posets is None else posets
        scratch = self._enough(order.size, posets.gap.size + 2 * order.size)
        parts = Parts(
            SweptReviews(given, self._paper[review], lower, upper),
            SweptChains(start, height, shift),
            posets,
            scratch.chains,
            scratch.posets,
        )
        return Own(parts, self._place[review], np.empty(order.size))

    def _enough(self, reviews: int, edges: int) -> Scratch:
        chains, posets = self._scratch.chains, self._scratch.posets
        if chains.numbers.shape[1] < reviews or posets.edge_places.shape[1] < edges:
            self._scratch = Scratch.enough_for(2 * reviews, 2 * edges, 2 * reviews + 1)
        return self._scratch


def parts_of(layout: Layout) -> Parts:
    """Return the components of a layout with working space."""
    scratch = layout.scratch[0]
    return Parts(layout.reviews, layout.chains, layout.posets, scratch.chains, scratch.posets)


def _swept_posets(first: int, components: Sequence[Component], gap: float) -> SweptPosets:
    """Return posets whose members follow each other from place `first` on."""
    start, pair_start, pairs = [first], [0], list[tuple[int, int]]()
    for component in components:
        number = {place: one for one, place in enumerate(members(component.places))}
        pairs += [(number[above], number[below]) for above, below in component.pairs]
        start.append(start[-1] + len(number))
        pair_start.append(len(pairs))
    above_below = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    starts, gaps = np.array(pair_start), np.full(len(pairs), gap)
    freeze(starts, gaps)
    return SweptPosets(
        np.array(start),
        starts,
        above_below[:, 0].copy(),
        above_below[:, 1].copy(),
        gaps,
        np.zeros(len(pairs) + 2 * (start[-1] - first), dtype=np.bool_),
    )
