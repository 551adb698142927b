"""What a reviewer could have said instead -> the changes that need to be tried.

The moves searched are: every own score as it is, a level higher or a level lower, in any combination,
together with any rank list of all own papers, ties allowed, or none. Where the policy sets aside or
refuses comparisons against the scores, rank lists are those that agree with the scores they come with.

That needs one change per rank list and direction. With the order fixed, raising a score raises every score of
the conference or leaves it (docs/mathematics.md, section 9). Of all scores within a level that agree with an
order there are highest ones: those of two that agree, paper by paper the higher, agree too. So
these move every paper's mean up as far as that order allows; likewise downwards with the lowest.
A place is also won when others go down while the paper goes up: for places every combination counts.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import product

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.audit.influence.largest_move import Changes
from unround.audit.influence.one_reviewer import ReviewerParts, agreeing, cells_at
from unround.problem.open_cells import open_levels
from unround.settings import Policy

# Rank lists of so many papers are all tried: 4,683 of 6. Of more, only some.
MOST_PAPERS = 6


class CandidateChanges:
    """The changes of single reviewers that are to be tried."""

    def __init__(self, parts: ReviewerParts) -> None:
        self._parts = parts
        self._last = len(parts.reviews.scale.levels) - 1
        self._rankings_rule = parts.settings.conflicts is Policy.RANKINGS

    def are_all(self, reviewer: int) -> bool:
        """Return whether every rank list of a reviewer is tried: they are few, and have room."""
        papers = int(np.diff(self._parts.start[reviewer : reviewer + 2])[0])
        return papers <= MOST_PAPERS and (papers - 1) * self._parts.gap <= self._parts.narrowest

    def about(self, reviewer: int) -> float:
        """Return about how many changes `every` has; infinite where rank lists are left out."""
        papers = int(np.diff(self._parts.start[reviewer : reviewer + 2])[0])
        if not self.are_all(reviewer):
            return math.inf
        # Lists that agree with their scores and differ in what binds: counted, 5 per paper, multiplied.
        return float(3**papers * len(rank_lists(papers)) if self._rankings_rule else 5**papers)

    def every(self, reviewer: int) -> Changes:
        """Return every combination of scores within a level and rank lists."""
        level, heights = self._now(reviewer)
        levels = level + np.array(list(product((-1, 0, 1), repeat=level.size)))
        levels = levels[((levels >= 0) & (levels <= self._last)).all(axis=1)]
        both = np.repeat(levels, len(heights), axis=0), np.tile(heights, (len(levels), 1))
        if self._rankings_rule:
            return self._changes(*both)
        chosen = _different(*both)
        return self._changes(both[0][chosen], both[1][chosen])

    def together(self, reviewer: int, sign: int) -> Changes:
        """Return every rank list with the scores, at most a level off, that move papers up or down most."""
        level, heights = self._now(reviewer)
        wanted = np.clip(level + sign, 0, self._last)
        if self._rankings_rule:
            return self._changes(np.broadcast_to(wanted, heights.shape), heights)
        levels = extreme_levels(heights, wanted, sign)
        reached = (np.abs(levels - level) <= 1).all(axis=1)
        return self._changes(levels[reached], heights[reached])

    def rankings(self, reviewer: int) -> Changes:
        """Return every rank list with the scores as they are."""
        level, heights = self._now(reviewer)
        levels = np.broadcast_to(level, heights.shape)
        if not self._rankings_rule:
            agree = agreeing(heights, levels)
            levels, heights = levels[agree], heights[agree]
        return self._changes(levels, heights)

    def _now(self, reviewer: int) -> tuple[IntArray, IntArray]:
        level = self._parts.reviews.level[self._parts.of(reviewer)]
        if level.size <= MOST_PAPERS:
            heights = rank_lists(level.size)
        else:
            heights = some_rank_lists(self._parts.reviews.statements.rank[self._parts.of(reviewer)])
        room = heights.max(axis=1) * self._parts.gap <= self._parts.narrowest
        return level, heights if room.all() else heights[room]

    def _changes(self, levels: IntArray, heights: IntArray) -> Changes:
        given, lower, upper = cells_at(self._parts.reviews.scale, levels)
        gap = self._parts.gap
        if self._rankings_rule:
            for row in np.flatnonzero(~agreeing(heights, levels)).tolist():
                lower[row], upper[row] = open_levels(heights[row], lower[row], upper[row], gap)
        return Changes(given, lower, upper, heights, gap)


def extreme_levels(heights: IntArray, wanted: IntArray, sign: int) -> IntArray:
    """Return for each rank list the highest levels up to `wanted` that agree with it; sign −1: the lowest.

    >>> extreme_levels(np.array([[0, 1]]), np.array([6, 4]), 1).tolist()
    [[4, 4]]
    """
    above = (
        heights[:, None, :] > heights[:, :, None]
    )  # [list, paper, other]: the other one is above
    signed = sign * wanted
    there = above if sign > 0 else above.transpose(0, 2, 1)
    limit = np.where(there, signed, np.iinfo(np.int64).max).min(
        axis=2, initial=np.iinfo(np.int64).max
    )
    levels: IntArray = sign * np.minimum(signed, limit)
    return levels


def _different(levels: IntArray, heights: IntArray) -> IntArray:
    """Return one row of all those that agree and bind alike: scores two levels apart need no comparison."""
    rows = np.flatnonzero(agreeing(heights, levels))
    level, height = levels[rows], heights[rows]
    near = np.abs(level[:, None, :] - level[:, :, None]) <= 1
    binding = near & (height[:, None, :] > height[:, :, None])
    both = np.concatenate([level, binding.reshape(rows.size, -1)], axis=1)
    return rows[np.unique(both, axis=0, return_index=True)[1]]


@cache
def rank_lists(papers: int) -> IntArray:
    """Return every rank list of so many papers with ties, as heights (0 = worst), one row per list.

    >>> rank_lists(2).tolist()
    [[0, 0], [1, 0], [0, 1]]
    """
    lists: set[tuple[int, ...]] = {(0,)}
    for _ in range(papers - 1):
        # A paper joins a level of the others, or opens one anywhere among them.
        joined = {(*heights, level) for heights in lists for level in range(max(heights) + 1)}
        opened = {
            (*(height + (height >= level) for height in heights), level)
            for heights in lists
            for level in range(max(heights) + 2)
        }
        lists = joined | opened
    table = np.array(sorted(lists, key=lambda heights: (max(heights), heights[::-1])))
    table.setflags(write=False)
    return table


def some_rank_lists(rank: FloatArray) -> IntArray:
    """Return some rank lists of many papers: none, the stated one, and each paper moved to either end."""
    _, code = np.unique(-np.where(np.isnan(rank), np.inf, rank), return_inverse=True)
    lists = [np.zeros(rank.size, dtype=np.int64), code]
    for paper in range(rank.size):
        for base in lists[:2]:
            for end in (-1, base.max() + 1):
                moved = base.copy()
                moved[paper] = end
                lists.append(np.unique(moved, return_inverse=True)[1])
    return np.unique(np.array(lists), axis=0)
