"""A solved problem -> its scores after one reviewer changed their scores or their order.

The work is that of the papers which the change reaches (kernels/local_solver.py), not of the conference.
The bound is that of a whole sweep: no mean that was touched is further than d from its centre, and no
other is further than it was in the solved problem, so that no score is wrong by more than d/λ
(docs/mathematics.md, section 9). Where a change reaches nearly everything, as with a small λ, the
accelerated sweeps of the whole problem take over from where it stands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.audit.influence.largest_move import Changes, Solving, find_furthest
from unround.audit.influence.local_solver import (
    Links,
    Own,
    Rounds,
    Standing,
    Touched,
    list_places,
    spread,
    sweep_own,
    take_back,
)
from unround.audit.influence.one_reviewer import Levels, OwnParts, Part, parts_of
from unround.metrics.papers import paper_means
from unround.problem.model import Problem
from unround.scale import Scale
from unround.solver.layout import Layout
from unround.solver.local import Solver
from unround.solver.loop import iterate

# The solved problem is exact to this part of what is allowed after a change.
PART = 0.1
UNIT_ROUNDOFF = 2.0**-53
# The same in a search, which sweeps cannot take over.
MOST_FOR_SEARCH = 60
# Reviews projected, in sweeps of the whole problem, after which accelerated sweeps are quicker.
MOST_SWEEPS = 3


@dataclass(frozen=True)
class Moved:
    """What a change moves: no other review is touched, and every score is right to the bound."""

    reviews: IntArray
    scores: FloatArray  # of these reviews, after the change
    papers: IntArray
    means: FloatArray  # of these papers' scores, after the change
    bound: float
    work: int  # reviews projected on the way


class SolvedProblem:
    """A problem solved for one λ, made ready for changes of single reviewers; one thread at a time."""

    def __init__(
        self,
        problem: Problem,
        scale: Scale,
        lam: float,
        tolerance: float,
        start: FloatArray | None = None,
    ) -> None:
        self._problem, self._lam, self._tolerance = problem, lam, tolerance
        self._weight = 0.0 if math.isinf(lam) else 1.0 / (1.0 + lam)
        self._largest, self._longest = _largest(problem, scale), _longest(problem)
        self._most = int(problem.paper_count.max(initial=0))
        self._solver = Solver(problem)
        layout = self._solver.layout
        centres = self._solver.solve(lam, PART * tolerance, start).centres.copy()
        sums = self._solver.block_sums(centres, self._weight).sum(axis=0)
        self._before = Standing(centres, sums, self._solver.swept.copy())
        self._off = float(np.abs(sums / layout.count - centres).max(initial=0.0))
        self._standing = Standing(*(array.copy() for array in self._before))
        self._whole, self._links = parts_of(layout), _links(problem, layout)
        self._held = layout.posets.held.copy()
        self._place = np.empty(len(problem), dtype=np.int64)
        self._place[layout.review] = np.arange(len(problem))
        self._own_parts = OwnParts(problem.paper.astype(np.int32), self._place)
        self._own_number = _components(layout)
        self._touched = Touched(
            *_lists(problem.papers, self._own_number + 1), np.zeros(2, dtype=np.int64)
        )
        self._rounds = Rounds(*_lists(problem.papers, self._own_number + 1))
        self._room = np.empty(len(problem), dtype=np.int64)

    @property
    def bound(self) -> float:
        """The largest error of the scores before any change."""
        return self._bound(self._off)

    @property
    def scores(self) -> FloatArray:
        """The scores before any change, one per review."""
        return self._before.scores[self._place]

    @property
    def means(self) -> FloatArray:
        """The mean of each paper's scores before any change."""
        return self._before.sums / self._links.reviews

    def after(self, first: int, part: Part) -> Moved:
        """Return what moves when the reviews of a reviewer are those of `part`.

        first  the reviewer's first review; the others follow it
        part   what they make of the problem now
        """
        own = self._own_parts.of(first, part)
        component = self._links.component
        replaced = component[own.home]
        component[own.home] = self._own_number
        most = MOST_SWEEPS * len(self._problem)
        try:
            off, work = spread(
                self._whole,
                own,
                self._links,
                self._standing,
                self._touched,
                self._rounds,
                self._weight,
                self._allowed(own.home.size),
                most,
            )
            if work > most:
                return self._swept_whole(own, work)
            return self._moved(own, max(off, self._off), work)
        finally:
            take_back(self._whole, own, self._standing, self._before, self._held, self._touched)
            component[own.home] = replaced

    def furthest(self, first: int, changes: Changes, sign: float) -> tuple[FloatArray, IntArray]:
        """Return how far up (sign 1) or down (−1) any change moves the mean of each of a reviewer's papers.

        Each of these numbers is that of the worst change to twice the tolerance, never below 0; the
        second array says which change it is, −1 where none moves it so.
        """
        count, size = changes.given.shape
        furthest, which = np.zeros(size), np.full(size, -1, dtype=np.int64)
        if not count:
            return furthest, which
        places = self._place[first : first + size]
        component = self._links.component
        replaced = component[places]
        component[places] = self._own_number
        solving = Solving(
            self._weight,
            self._allowed(size),
            0.0 if math.isinf(self._lam) else 1.0 / self._lam,
            2.0 * self._tolerance,
            MOST_FOR_SEARCH * len(self._problem),
        )
        try:
            spreads = find_furthest(
                changes,
                sign,
                places,
                self._own_parts.room(size, self._problem.papers),
                self._whole,
                self._links,
                self._standing,
                self._before,
                self._held,
                self._touched,
                self._rounds,
                solving,
                furthest,
                which,
            )
        finally:
            component[places] = replaced
        return self._each_furthest(first, changes, sign) if spreads < 0 else (furthest, which)

    def _each_furthest(
        self, first: int, changes: Changes, sign: float
    ) -> tuple[FloatArray, IntArray]:
        """Return the same by solving every change: for a λ so small that each reaches everything."""
        count, size = changes.given.shape
        papers = self._problem.paper[first : first + size]
        moved = np.zeros((count, size))
        means = self.means
        for change in range(count):
            found = self.after(first, level_part(changes, change))
            after = means.copy()
            after[found.papers] = found.means
            moved[change] = sign * (after - means)[papers]
        which = moved.argmax(axis=0)
        furthest = moved[which, np.arange(size)]
        gains = furthest > 2.0 * self._tolerance
        return np.where(gains, furthest, 0.0), np.where(gains, which, -1)

    def _bound(self, off: float, own: int = 0) -> float:
        """Return the error that is possible with means so far off, and a part of `own` reviews exchanged."""
        return 0.0 if math.isinf(self._lam) else off / self._lam + self._rounding(own)

    def _allowed(self, own: int) -> float:
        """Return how far a mean may leave its centre before it is passed on."""
        if math.isinf(self._lam):
            return math.inf
        return max(self._lam * (self._tolerance - self._rounding(own)), self._off)

    def _rounding(self, own: int) -> float:
        """Return what rounding can add to the bound (docs/mathematics.md, section 4)."""
        if math.isinf(self._lam):
            return 0.0
        operations = self._most + 4.0 + 4.0 * max(self._longest, own) * (1.0 + self._lam)
        return operations * UNIT_ROUNDOFF * self._largest / self._lam

    def _moved(self, own: Own, off: float, work: int) -> Moved:
        count = list_places(self._whole, own, self._touched, self._room)
        places = self._room[:count]
        papers = self._touched.papers[: self._touched.counts[0]].copy()
        return Moved(
            self._solver.layout.review[places],
            self._standing.scores[places],
            papers,
            self._standing.sums[papers] / self._links.reviews[papers],
            self._bound(off, own.home.size),
            work,
        )

    def _swept_whole(self, own: Own, work: int) -> Moved:
        sweeps = _Exchanged(self._solver, own)
        allowed = self._tolerance - self._rounding(own.home.size)
        solution = iterate(sweeps, self._lam, allowed, self._standing.centres.copy())
        return Moved(
            np.arange(len(self._problem)),
            solution.scores,
            np.arange(self._problem.papers),
            paper_means(solution.scores, self._problem.paper, self._problem.papers),
            self._bound(solution.bound * self._lam, own.home.size),
            work + solution.sweeps * len(self._problem),
        )


def level_part(changes: Changes, change: int) -> Levels:
    """Return one of many changes as the part that it makes."""
    given, lower, upper, height = (rows[change] for rows in changes[:4])
    return Levels(given, lower, upper, height, changes.gap)


class _Exchanged:
    """Sweeps of the whole problem with one reviewer's components exchanged."""

    def __init__(self, solver: Solver, own: Own) -> None:
        self._solver, self._own = solver, own

    def first_centres(self, weight: float) -> FloatArray:
        """Where to start when nothing better is known."""
        return self._solver.first_centres(weight)

    def sweep(self, centres: FloatArray, weight: float) -> tuple[FloatArray, float]:
        """One sweep from these centres: the new ones, and how far any moved."""
        sums: FloatArray = self._solver.block_sums(centres, weight).sum(axis=0)
        swept = self._solver.swept
        sums[self._own.parts.reviews.paper] -= swept[self._own.home]
        sweep_own(self._own, Standing(centres, sums, swept), weight)
        means = sums / self._solver.layout.count
        return means, float(np.abs(means - centres).max(initial=0.0))

    def scores(self) -> FloatArray:
        """The scores of the last sweep, one per review."""
        return self._solver.scores()


def _largest(problem: Problem, scale: Scale) -> float:
    """Return the largest number that scores and ends of cells can be."""
    ends = (problem.lower, problem.upper, scale.lower, scale.upper)
    return max(float(np.abs(end).max(initial=0.0)) for end in ends)


def _longest(problem: Problem) -> int:
    """Return how many reviews the largest component has."""
    starts = (problem.chains.start, problem.posets.start)
    return max(int(np.diff(start).max(initial=1)) for start in starts)


def _components(layout: Layout) -> int:
    singles = layout.review.size - int(layout.posets.start[-1])
    return layout.chains.start.size - 1 + layout.posets.start.size - 1 + singles


def _links(problem: Problem, layout: Layout) -> Links:
    starts = (layout.chains.start, layout.posets.start)
    singles = np.ones(len(problem) - int(layout.posets.start[-1]), dtype=np.int64)
    sizes = np.concatenate([*(np.diff(start) for start in starts), singles])
    return Links(
        component=np.repeat(np.arange(sizes.size, dtype=np.int32), sizes),
        paper_start=problem.paper_start,
        paper_place=np.argsort(problem.paper[layout.review], kind="stable").astype(np.int32),
        reviews=layout.count,
    )


def _lists(papers: int, components: int) -> tuple[IntArray, BoolArray, IntArray, BoolArray]:
    return (
        np.empty(papers, dtype=np.int64),
        np.zeros(papers, dtype=np.bool_),
        np.empty(components, dtype=np.int64),
        np.zeros(components, dtype=np.bool_),
    )
