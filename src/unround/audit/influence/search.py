"""One reviewer after the other -> how far each could move the means and places of the papers they review."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.audit.influence.largest_move import Changes
from unround.audit.influence.moves import CandidateChanges
from unround.audit.influence.one_reviewer import Part, ReviewerParts, cells_at
from unround.audit.influence.resolve import ChangedScores, SolvedProblem, level_part
from unround.metrics import tie_grid
from unround.metrics.papers import paper_means
from unround.problem.build import build_problem
from unround.reviews.review_set import ReviewSet
from unround.settings import Policy, Settings

# Every mean after a change is exact to this part of the smallest level spacing.
TOLERANCE = 1e-7
UP, DOWN = 1, -1


@dataclass(frozen=True)
class Reach:
    """How far one reviewer can move each paper they review, in one direction; moves count that way.

    A move is NaN where it cannot be made: no level is left, or the input would be refused.
    """

    score: FloatArray  # by its own score alone, a level on, with everything else as it is
    score_place: IntArray  # the place after that; the place now where it cannot be made
    ranking: FloatArray  # by the reviewer's rank list alone
    together: FloatArray  # by all scores within a level and any rank list: the worst case
    place: IntArray  # the furthest place found
    place_bound: IntArray  # the furthest place that these moves could lead to
    limit: FloatArray  # no move brings it further: together, or what the cells allow
    plain: FloatArray  # by the own score under plain means
    plain_place: (
        IntArray  # the furthest place under plain means, with all own scores within a level
    )


@dataclass(frozen=True)
class ReviewerReach:
    """One reviewer's reach."""

    reviews: IntArray
    papers: IntArray
    up: Reach
    down: Reach
    exact: bool  # whether every rank list was tried
    solved_all: bool  # whether every combination was solved, so that places are exact
    furthest: tuple[Part, ...]  # the changes that move the mean or place of a paper furthest


@dataclass(frozen=True)
class Span:
    """The furthest that some papers get over every change of a reviewer."""

    best: IntArray  # places
    worst: IntArray
    lift: FloatArray  # of the means


class SolvedConference:
    """A solved conference, and the search for what single reviewers could change."""

    def __init__(self, reviews: ReviewSet, settings: Settings, lam: float) -> None:
        self.reviews, self.lam = reviews, lam
        problem, conflicts = build_problem(reviews, settings)
        if conflicts and settings.conflicts is Policy.REFUSE:
            raise ValueError("a finished run is refused")
        self.unit = reviews.scale.spacing
        self.parts = ReviewerParts(reviews, settings)
        self.solved = SolvedProblem(problem, reviews.scale, lam, TOLERANCE * self.unit)
        self.moves = CandidateChanges(self.parts)
        self.count = problem.paper_count
        self.places = Places(self.solved.means)
        self.plain = Places(paper_means(reviews.given, reviews.paper, self.count.size))
        self.last = len(reviews.scale.levels) - 1
        self.rankings_rule = settings.conflicts is Policy.RANKINGS
        # Up to so many changes of one reviewer are all solved, to find places exactly.
        self.solve_up_to = 0.0

    @cached_property
    def scores(self) -> FloatArray:
        """The scores before any change, one per review."""
        return self.solved.scores

    @property
    def pull(self) -> float:
        """The part of a move of own papers that reaches any other paper, at most: 1/(1+λ)."""
        return 0.0 if math.isinf(self.lam) else 1.0 / (1.0 + self.lam)

    def reviewer(self, reviewer: int) -> ReviewerReach:
        """Search what one reviewer could do."""
        return _Search(self, reviewer).found()

    def over_all(self, reviewer: int, targets: IntArray) -> Span:
        """Solve every combination of a reviewer's scores and rank lists, and follow some papers."""
        first, changes = self.parts.of(reviewer).start, self.moves.every(reviewer)
        best, worst = self.places.now[targets], self.places.now[targets]
        lift = np.zeros(targets.size)
        for change in range(len(changes.given)):
            moved, places = self.after(first, level_part(changes, change), targets)
            best, worst = np.minimum(best, places), np.maximum(worst, places)
            lift = np.maximum(lift, moved)
        return Span(best, worst, lift)

    def after(self, first: int, part: Part, targets: IntArray) -> tuple[FloatArray, IntArray]:
        """Return how far the means of some papers move, and their places after a change."""
        moved = self.solved.after(first, part)
        return _moves(moved, self.places.means, targets), self.places.after(
            moved.papers, moved.means, targets
        )


def _moves(moved: ChangedScores, means: FloatArray, targets: IntArray) -> FloatArray:
    same = targets[:, None] == moved.papers[None, :]
    after = np.where(same.any(axis=1), moved.means[same.argmax(axis=1)], means[targets])
    return after - means[targets]


class _Search:
    """The search over the changes of one reviewer."""

    def __init__(self, conference: SolvedConference, reviewer: int) -> None:
        self._all, self._reviewer = conference, reviewer
        self._mine = conference.parts.of(reviewer)
        self._first = self._mine.start
        self._level = conference.reviews.level[self._mine]
        self._papers = conference.reviews.paper[self._mine]
        self._count = conference.count[self._papers]
        self._furthest = list[Part]()

    def found(self) -> ReviewerReach:
        """Return the reach in both directions."""
        exact = self._all.moves.are_all(self._reviewer)
        moves = {sign: self._means(sign) for sign in (UP, DOWN)}
        limits = {sign: self._limits(sign, moves[sign][3], exact) for sign in (UP, DOWN)}
        up, down = (
            Reach(
                *moves[sign], self._place_bounds(sign, limits), limits[sign], *self._plainly(sign)
            )
            for sign in (UP, DOWN)
        )
        solved_all = self._all.moves.about(self._reviewer) <= self._all.solve_up_to
        if solved_all and not all(np.array_equal(way.place, way.place_bound) for way in (up, down)):
            span = self._all.over_all(self._reviewer, self._papers)
            up = replace(up, place=span.best, place_bound=span.best)
            down = replace(down, place=span.worst, place_bound=span.worst)
        reviews = np.arange(self._mine.start, self._mine.stop)
        return ReviewerReach(
            reviews, self._papers, up, down, exact, solved_all, tuple(self._furthest)
        )

    def _means(self, sign: int) -> tuple[FloatArray, IntArray, FloatArray, FloatArray, IntArray]:
        """Return the first five columns of a reach."""
        conference, solved = self._all, self._all.solved
        score, score_place = self._own_scores(sign)
        ranking, _ = solved.furthest(self._first, conference.moves.rankings(self._reviewer), sign)
        changes = conference.moves.together(self._reviewer, sign)
        together, which = solved.furthest(self._first, changes, sign)
        together = np.fmax(together, np.fmax(score, ranking))
        place = _further(score_place, self._furthest_places(changes, which, sign), sign)
        return score, score_place, ranking, together, place

    def _own_scores(self, sign: int) -> tuple[FloatArray, IntArray]:
        """Return what each own score alone does, a level up or down."""
        conference = self._all
        moves = np.full(self._level.size, np.nan)
        places = conference.places.now[self._papers].copy()
        for review, level in enumerate(self._level.tolist()):
            if not 0 <= level + sign <= conference.last:
                continue
            changed = self._level.copy()
            changed[review] += sign
            part = conference.parts.part(self._reviewer, changed)
            if part is None:
                continue
            targets = self._papers[review : review + 1]
            moved, place = conference.after(self._first, part, targets)
            moves[review], places[review] = sign * moved[0], place[0]
        return moves, places

    def _furthest_places(self, changes: Changes, which: IntArray, sign: int) -> IntArray:
        """Return the furthest place of each own paper: where its mean moves most, or the others move away."""
        conference = self._all
        places = conference.places.now[self._papers].copy()
        parts: list[Part] = [
            level_part(changes, change) for change in np.unique(which[which >= 0]).tolist()
        ]
        parts += self._against_others(sign)
        self._furthest += parts
        for part in parts:
            _, found = conference.after(self._first, part, self._papers)
            places = _further(places, found, sign)
        return places

    def _against_others(self, sign: int) -> Iterator[Part]:
        """Yield each own paper a level on and first or last, with all others a level the other way."""
        last = self._all.last
        for review in range(self._level.size):
            level = np.clip(self._level - sign, 0, last)
            level[review] = np.clip(self._level[review] + sign, 0, last)
            others = np.delete(level, review)
            rank = np.full(level.size, 2.0 - sign)
            rank[review] = 2.0
            if not self._all.rankings_rule and np.any(sign * others > sign * level[review]):
                rank[:] = np.nan  # such a ranking would be against these scores
            part = self._all.parts.part(self._reviewer, level, rank)
            if part is not None:
                yield part

    def _limits(self, sign: int, together: FloatArray, exact: bool) -> FloatArray:
        """Return how far each mean can move at most: as found, or as the cells allow."""
        if exact:
            return together + 4.0 * TOLERANCE * self._all.unit
        own = {way: self._room(way) for way in (UP, DOWN)}
        largest = max(float(own[way].max()) for way in (UP, DOWN))
        back = 0.0 if math.isinf(self._all.lam) else largest / self._all.lam
        return own[sign] + back

    def _room(self, sign: int) -> FloatArray:
        """Return how far each mean moves when its score goes to the far end of the next cell."""
        conference = self._all
        level = np.clip(self._level + sign, 0, conference.last)
        ends = cells_at(conference.reviews.scale, level)[2 if sign == UP else 1]
        if conference.rankings_rule:  # cells may open as far as the others', and gaps between them
            stretch = (level.size - 1) * conference.parts.gap
            ends = np.full(level.size, sign * (sign * ends).max() + sign * stretch)
        room: FloatArray = sign * (ends - conference.scores[self._mine]) / self._count
        return room

    def _place_bounds(self, sign: int, limits: dict[int, FloatArray]) -> IntArray:
        """Return the furthest place that each own paper can get to."""
        places, mine = self._all.places, self._papers
        drift = self._all.pull * max(float(limits[way].max()) for way in (UP, DOWN))
        means = places.means[mine]
        towards, away = means + sign * limits[sign], means - sign * limits[-sign]
        furthest = places.at_best if sign == UP else places.at_worst
        bounds = [
            furthest(float(towards[review]), mine, np.delete(away, review), drift)
            for review in range(mine.size)
        ]
        return np.array(bounds, dtype=np.int64)

    def _plainly(self, sign: int) -> tuple[FloatArray, IntArray]:
        """Return what the same freedom does under plain means: the move by the own score, and the place."""
        values, last = self._all.reviews.scale.values, self._all.last
        steps = {
            way: (values[np.clip(self._level + way, 0, last)] - values[self._level]) / self._count
            for way in (UP, DOWN)
        }
        plain = self._all.plain
        away = plain.means[self._papers] + steps[-sign]
        places = np.empty(self._papers.size, dtype=np.int64)
        for review in range(self._papers.size):
            means = away.copy()
            means[review] = plain.means[self._papers[review]] + steps[sign][review]
            targets = self._papers[review : review + 1]
            places[review] = plain.after(self._papers, means, targets)[0]
        return sign * steps[sign], places


def _further(one: IntArray, other: IntArray, sign: int) -> IntArray:
    """Return the better places of two, or the worse ones (sign −1)."""
    return np.minimum(one, other) if sign == UP else np.maximum(one, other)


# Means closer than this may be tied or stand either way round once they are rounded to four decimals.
ROUNDED = 1e-4


class Places:
    """A place is one more than the papers with a higher mean, rounded to four decimals: ties share it."""

    def __init__(self, means: FloatArray) -> None:
        self.means = means
        self._grid = tie_grid(means.copy())
        self._sorted = np.sort(self._grid)
        self._sorted_means = np.sort(means)
        self.now = self._better(self._grid) + 1

    def after(self, papers: IntArray, means: FloatArray, targets: IntArray) -> IntArray:
        """Return the places of some papers once others, or they themselves, have these means."""
        new, old = tie_grid(means.copy()), self._grid[papers]
        own = self._grid[targets]
        same = targets[:, None] == papers[None, :]
        moved = same.any(axis=1)
        own[moved] = new[same[moved].argmax(axis=1)]
        gone = (old[None, :] > own[:, None]).sum(axis=1)
        come = (new[None, :] > own[:, None]).sum(axis=1)
        places: IntArray = self._better(own) - gone + come + 1
        return places

    def at_best(self, mean: float, papers: IntArray, lowest: FloatArray, drift: float) -> int:
        """Return the best place that a paper with this mean can have.

        papers  others that may come down to `lowest`; all that are not among these move by `drift` at most
        """
        reach = mean + drift + ROUNDED
        surely = self._sorted_means.size - np.searchsorted(self._sorted_means, reach, "right")
        counted = int((self.means[papers] > reach).sum())
        return 1 + int(surely) - counted + int((lowest > mean + ROUNDED).sum())

    def at_worst(self, mean: float, papers: IntArray, highest: FloatArray, drift: float) -> int:
        """Return the worst place, where others may go up to `highest`."""
        reach = mean - drift - ROUNDED
        perhaps = self._sorted_means.size - np.searchsorted(self._sorted_means, reach, "left")
        counted = int((self.means[papers] >= reach).sum())
        return 1 + int(perhaps) - counted + int((highest >= mean - ROUNDED).sum())

    def _better(self, grid: FloatArray) -> IntArray:
        better: IntArray = self._sorted.size - np.searchsorted(self._sorted, grid, "right")
        return better
