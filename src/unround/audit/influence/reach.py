"""How far each reviewer could move the papers they read, by a simple change and by any change at most.

The simple change is one level more and first in the reviewer's list, or one level less and last; it is solved
exactly, with everybody else as they are. The limit holds for every change by which each of the
reviewer's scores moves by at most one level, with any ranking (docs/mathematics.md, section 9).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from unround.arrays import FloatArray, IntArray, group_starts
from unround.metrics import tie_grid
from unround.metrics.papers import paper_means
from unround.preparation import PreparedInput
from unround.problem.build import build_problem
from unround.problem.conflicts import POLICIES
from unround.problem.model import Problem
from unround.problem.rank_lists import completed_ranks
from unround.reviews.review_set import Statements
from unround.settings import Policy
from unround.solver.changed import SolvedProblem

TOLERANCE_SPACINGS = 1e-7  # of every mean after a change, in smallest level spacings
UP, DOWN = 1, -1


@dataclass(frozen=True)
class Reach:
    """How far one reviewer can move each paper they read, in one direction; moves count that way."""

    move: FloatArray  # of the mean, by the change of its own review
    place: IntArray  # the place after that change
    limit: FloatArray  # of the mean, by any change
    place_limit: IntArray  # the furthest place that any change could lead to
    plain: FloatArray  # of the plain mean of given scores, by the same change
    plain_place: IntArray


@dataclass(frozen=True)
class ReviewerReach:
    """One reviewer's reach."""

    reviews: IntArray
    papers: IntArray
    up: Reach
    down: Reach


class SolvedConference:
    """A solved conference, and what single reviewers could change."""

    def __init__(self, prepared: PreparedInput, lam: float, tracks: IntArray | None = None) -> None:
        """`tracks`: of each paper. Places are then those within its track, after `ahead` of other tracks."""
        reviews, settings, problem = prepared.reviews, prepared.settings, prepared.problem
        self.reviews, self.lam, self.spacing = reviews, lam, reviews.scale.spacing
        # A change may contradict what else its reviewer says, which no run can refuse any more.
        if settings.conflicts is Policy.REFUSE:
            settings = replace(settings, conflicts=Policy.SCORES)
        self.rankings_win = not POLICIES[settings.conflicts].drops
        self._settings = settings
        self.gap = settings.epsilon * self.spacing
        self._rank = completed_ranks(reviews, settings.unranked)
        self._solved = SolvedProblem(problem, lam, TOLERANCE_SPACINGS * self.spacing)
        self.scores, self.count = self._solved.solution.scores, problem.paper_count
        tracks = np.zeros(self.count.size, np.int64) if tracks is None else tracks
        sizes = np.bincount(tracks)
        self.ahead = (sizes.sum() - sizes.cumsum())[tracks]
        # So far apart that no change takes a paper past those of another track.
        self._apart = tracks * APART * self.spacing
        self.means = self._solved.means
        self.places = Places(self.means + self._apart)
        plain = paper_means(reviews.given, reviews.paper, self.count.size)
        self.plain = Places(plain + self._apart)
        self._start = group_starts(reviews.reviewer, len(reviews.reviewers))

    def __len__(self) -> int:
        return len(self.reviews.reviewers)

    def reviewer(self, reviewer: int) -> ReviewerReach:
        """Return what one reviewer could do."""
        mine = np.arange(self._start[reviewer], self._start[reviewer + 1])
        papers = self.reviews.paper[mine]
        limits = {sign: self._limits(mine, sign) for sign in (UP, DOWN)}
        near, reach = self._solved.near(mine), {}
        for sign in (UP, DOWN):
            steps = self._plain_steps(mine, sign)
            moves, places, plain_places = [], [], []
            for review, paper in enumerate(papers.tolist()):
                means = self.means.copy()
                changed = near.after(self._changed(mine, review, sign))
                means[changed.papers] = changed.means
                plain_means = self.plain.means.copy()
                plain_means[paper] += sign * steps[review]
                moves.append(sign * (means[paper] - self.means[paper]))
                means += self._apart
                places.append(place_of(means, paper))
                plain_places.append(place_of(plain_means, paper))
            reach[sign] = Reach(
                np.array(moves),
                np.array(places),
                limits[sign],
                self._place_limits(papers, sign, limits),
                steps,
                np.array(plain_places),
            )
        return ReviewerReach(mine, papers, reach[UP], reach[DOWN])

    def _changed(self, mine: IntArray, review: int, sign: int) -> Problem:
        """Return a reviewer's part of the problem with one review a level up and first, or down and last."""
        level = self.reviews.level[mine].copy()
        level[review] = np.clip(level[review] + sign, 0, len(self.reviews.scale.levels) - 1)
        alone = self.reviews.alone(mine, self._statements(mine, review, sign), level)
        return build_problem(alone, self._settings)[0]

    def _statements(self, mine: IntArray, review: int, sign: int) -> Statements:
        """Return what the reviewer states, with one paper above (sign 1) or below all their others."""
        said, first = self.reviews.statements, mine[0]
        pairs, alike = (
            np.stack(both)[:, _within(both, mine, mine[review])] - first
            for both in ((said.better, said.worse), (said.alike, said.alike_to))
        )
        rank, rest = self._rank[mine].copy(), np.delete(np.arange(mine.size), review)
        rank[review] = np.nan
        if mine.size > 1 and not np.isnan(rank[rest]).any():
            rank[rest] = np.unique(rank[rest], return_inverse=True)[1]  # papers ranked last: inf
            rank[review] = -1.0 if sign == UP else mine.size
        else:
            both = np.stack([np.full_like(rest, review), rest][::sign])
            pairs = np.concatenate([pairs, both], axis=1)
        return Statements(rank, *pairs, *alike)

    def _plain_steps(self, mine: IntArray, sign: int) -> FloatArray:
        """Return how far a level up or down moves each plain mean."""
        values, level = self.reviews.scale.values, self.reviews.level[mine]
        moved = values[np.clip(level + sign, 0, values.size - 1)]
        steps: FloatArray = sign * (moved - values[level]) / self.count[self.reviews.paper[mine]]
        return steps

    def _limits(self, mine: IntArray, sign: int) -> FloatArray:
        """Return how far each mean can move at most: as the cells allow, and what others send back."""
        room = {way: self._room(mine, way) for way in (UP, DOWN)}
        largest = max(float(room[way].max()) for way in (UP, DOWN))
        return room[sign] + (0.0 if math.isinf(self.lam) else largest / self.lam)

    def _room(self, mine: IntArray, sign: int) -> FloatArray:
        """Return how far each mean moves when its score goes to the far end of the next cell."""
        scale = self.reviews.scale
        level = np.clip(self.reviews.level[mine] + sign, 0, len(scale.levels) - 1)
        ends = (scale.upper if sign == UP else scale.lower)[level]
        if self.rankings_win:  # cells may open as far as the others', and gaps between them
            stretch = (level.size - 1) * self.gap
            ends = np.full(level.size, sign * ((sign * ends).max() + stretch))
        room: FloatArray = sign * (ends - self.scores[mine]) / self.count[self.reviews.paper[mine]]
        return room

    def _place_limits(self, papers: IntArray, sign: int, limits: dict[int, FloatArray]) -> IntArray:
        """Return the furthest place that any change could lead each own paper to."""
        means, drift = self.places.means[papers], self._drift(limits[UP], limits[DOWN])
        towards, away = means + sign * limits[sign], means - sign * limits[-sign]
        furthest = self.places.at_best if sign == UP else self.places.at_worst
        found = [
            furthest(float(towards[one]), papers, np.delete(away, one), drift)
            for one in range(papers.size)
        ]
        return np.array(found, dtype=np.int64)

    def _drift(self, *limits: FloatArray) -> float:
        """Return how far papers can move that the reviewer did not read: 1/(1 + λ) of their own."""
        furthest = max(float(limit.max()) for limit in limits)
        return 0.0 if math.isinf(self.lam) else furthest / (1.0 + self.lam)


def _within(both: tuple[IntArray, IntArray], mine: IntArray, changed: int) -> IntArray:
    """Return which statements are a reviewer's and not about the changed review."""
    one, other = both
    own = (one >= mine[0]) & (one <= mine[-1])
    return np.flatnonzero(own & (one != changed) & (other != changed))


def place_of(means: FloatArray, paper: int) -> int:
    """Return the place of a paper by mean: one more than the papers with a higher one."""
    grid = tie_grid(means)
    return 1 + int((grid > grid[paper]).sum())


APART = 1e6  # levels between the means of two tracks
# Means closer than this may be tied, or in either order, once they are rounded to four decimals.
ROUNDED = 1e-4


class Places:
    """Places by means rounded to four decimals, which tied papers share, and bounds on places."""

    def __init__(self, means: FloatArray) -> None:
        self.means, self._sorted = means, np.sort(means)
        grid = tie_grid(means)
        self.now = 1 + grid.size - np.searchsorted(np.sort(grid), grid, "right")

    def at_best(self, mean: float, papers: IntArray, lowest: FloatArray, drift: float) -> int:
        """Return the best place that a paper with this mean can have.

        papers  others that may come down to `lowest`; all that are not among these move by `drift` at most
        """
        reach = mean + drift + ROUNDED
        surely = self._sorted.size - np.searchsorted(self._sorted, reach, "right")
        counted = int((self.means[papers] > reach).sum())
        return 1 + int(surely) - counted + int((lowest > mean + ROUNDED).sum())

    def at_worst(self, mean: float, papers: IntArray, highest: FloatArray, drift: float) -> int:
        """Return the worst place, where others may go up to `highest`."""
        reach = mean - drift - ROUNDED
        perhaps = self._sorted.size - np.searchsorted(self._sorted, reach, "left")
        counted = int((self.means[papers] >= reach).sum())
        return 1 + int(perhaps) - counted + int((highest >= mean - ROUNDED).sum())
