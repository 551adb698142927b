"""ReviewSet -> one reviewer's components of the problem, as they are or after a change.

A reviewer's statements bind only their own scores, so the components of the whole problem are those of
each reviewer alone, and one reviewer's can be built anew without looking at any other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray, ShortArray, freeze, group_starts
from unround.audit.influence.largest_move import ChangeBuffers
from unround.audit.influence.local_solver import Replacement, SweepArrays
from unround.problem.batches import completed_ranks
from unround.problem.build import build_problem
from unround.problem.model import Chains, Posets, Problem
from unround.problem.open_cells import open_levels
from unround.reviews.review_set import Ids, ReviewSet, Statements
from unround.scale import Scale
from unround.settings import Policy, Settings
from unround.solver.kernels.arguments import SweptChains, SweptReviews
from unround.solver.kernels.chains import tighten_chains
from unround.solver.layout import Layout, lay_out


@dataclass(frozen=True)
class Levels:
    """All papers of a reviewer in levels, each wholly above the next, as in nearly every rank list.

    Unchecked: the scores agree with the levels, and the gaps between levels have room in the cells.
    """

    given: FloatArray
    lower: FloatArray  # cells
    upper: FloatArray
    height: IntArray  # 0 = worst; consecutive
    gap: float


Part = Problem | Levels


class ReviewerParts:
    """Each reviewer's part of the problem, as it is or after a change."""

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
        """Return a reviewer's part of the problem; None where the input would be refused.

        level  the scores as places on the scale, one per paper; None: as they are
        rank   a rank list instead of all that is stated, smaller is better, NaN = unranked; None: as stated
        """
        mine = self.of(reviewer)
        level = self.reviews.level[mine] if level is None else level
        if rank is not None or not (self._better.any(reviewer) or self._alike.any(reviewer)):
            ranks = self._rank[mine] if rank is None else rank
            all_or_none = np.isnan(ranks).sum() in (0, ranks.size)
            if all_or_none and (ranks.size - 1) * self.gap <= self.narrowest:
                height = np.unique(-ranks, return_inverse=True, equal_nan=True)[1]
                cells = cells_at(self.reviews.scale, level)
                if agreeing(height[None], level[None])[0]:
                    return Levels(*cells, height, self.gap)
                if self.settings.conflicts is Policy.REFUSE:
                    return None
                if self.settings.conflicts is Policy.RANKINGS:
                    return Levels(
                        cells[0], *open_levels(height, *cells[1:], self.gap), height, self.gap
                    )
        problem, conflicts = build_problem(self._alone(reviewer, level, rank), self.settings)
        refused = conflicts and self.settings.conflicts is Policy.REFUSE
        return None if refused else problem

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


def agreeing(heights: IntArray, levels: IntArray) -> BoolArray:
    """Return which rank lists, one row each, have no paper above one with a higher score.

    >>> agreeing(np.array([[0, 1], [1, 0]]), np.array([[3, 5], [3, 5]])).tolist()
    [True, False]
    """
    above = heights[:, None, :] > heights[:, :, None]
    against = above & (levels[:, None, :] < levels[:, :, None])
    return np.logical_not(against.any(axis=(1, 2)))


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


class ReplacementBuilder:
    """Lays out the parts of single reviewers for the local solver."""

    def __init__(self, paper: ShortArray, place: IntArray) -> None:
        self._paper, self._place = paper, place
        self._buffers: dict[int, ChangeBuffers] = {}

    def replacement(self, first: int, part: Part) -> Replacement:
        """Return the components of a reviewer whose first review is `first`."""
        if isinstance(part, Problem):
            layout = lay_out(part)
            arrays, review = sweep_arrays(layout), first + layout.review
            reviews = arrays.reviews._replace(paper=self._paper[review])
            return Replacement(
                arrays._replace(reviews=reviews), self._place[review], np.empty(review.size)
            )
        buffers = self.buffers(part.height.size)
        order = part.height.argsort(kind="stable")
        review, height = first + order, part.height[order].astype(np.int32)
        freeze(height)  # kernels are compiled for one kind of array, read-only or not
        arrays = buffers.replacement.arrays
        shift: FloatArray = height.astype(np.float64) * part.gap
        lower, upper = part.lower[order], part.upper[order]
        tighten_chains(arrays.chains.start, height, shift, lower, upper)
        return Replacement(
            arrays._replace(
                reviews=SweptReviews(part.given[order], self._paper[review], lower, upper),
                chains=SweptChains(arrays.chains.start, height, shift),
            ),
            self._place[review],
            np.empty(order.size),
        )

    def buffers(self, size: int) -> ChangeBuffers:
        """Return arrays in which changes of so many reviews in levels are laid out one after the other."""
        if size not in self._buffers:
            height = np.zeros(size, dtype=np.int32)
            chain = Chains(np.array([0, size]), np.arange(size), height.view(), np.zeros(1))
            given, lower, upper = np.zeros((3, size))
            paper = np.arange(size)
            layout = lay_out(Problem(given, lower, upper, paper, size, chain, Posets.none()))
            replacement = Replacement(
                sweep_arrays(layout), np.zeros(size, dtype=np.int64), np.zeros(size)
            )
            order = np.zeros(size, dtype=np.int64)
            self._buffers[size] = ChangeBuffers(
                replacement, height, order, np.zeros(int(self._paper.max()) + 1)
            )
        return self._buffers[size]


def sweep_arrays(layout: Layout) -> SweepArrays:
    """Return the components of a layout with working space."""
    scratch = layout.scratch[0]
    return SweepArrays(layout.reviews, layout.chains, layout.posets, scratch.chains, scratch.posets)
