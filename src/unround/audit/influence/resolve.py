"""A solved problem -> its scores after one reviewer changed their scores or their order.

The work is that of the papers which the change reaches (local_solver.py), not of the conference.
The bound is that of a whole sweep: no mean that was reached is further than d from its centre, and no
other is further than it was in the solved problem, so that no score is wrong by more than d/λ
(docs/mathematics.md, section 9). Where a change reaches nearly everything, as with a small λ, the
accelerated sweeps of the whole problem take over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.audit.influence.largest_move import Changes, SearchLimits, find_furthest
from unround.audit.influence.local_solver import (
    Footprint,
    Links,
    LocalProblem,
    Replacement,
    ScoreState,
    Worklist,
    list_places,
    spread,
    sweep_replacement,
    take_back,
)
from unround.audit.influence.one_reviewer import Levels, Part, ReplacementBuilder, sweep_arrays
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
class ChangedScores:
    """The scores that a change moves: no other review is reached, and every score is right to the bound."""

    reviews: IntArray
    scores: FloatArray  # of these reviews, after the change
    papers: IntArray
    means: FloatArray  # of these papers' scores, after the change
    bound: float
    work: int  # reviews projected on the way


class SolvedProblem:
    """A problem solved for one λ, made ready for changes of single reviewers; one thread at a time."""

    def __init__(self, problem: Problem, scale: Scale, lam: float, tolerance: float) -> None:
        self._problem, self._lam, self._tolerance = problem, lam, tolerance
        self._weight = 0.0 if math.isinf(lam) else 1.0 / (1.0 + lam)
        self._largest, self._longest = _largest(problem, scale), _longest(problem)
        self._most = int(problem.paper_count.max(initial=0))
        self._solver = Solver(problem)
        layout = self._solver.layout
        centres = self._solver.solve(lam, PART * tolerance).centres.copy()
        sums = self._solver.block_sums(centres, self._weight).sum(axis=0)
        self._off = float(np.abs(sums / layout.count - centres).max(initial=0.0))
        self._place = np.empty(len(problem), dtype=np.int64)
        self._place[layout.review] = np.arange(len(problem))
        self._builder = ReplacementBuilder(problem.paper.astype(np.int32), self._place)
        self._replaced = _components(layout)  # the number of the replaced components
        lists = (problem.papers, self._replaced + 1)
        before = ScoreState(centres, sums, self._solver.swept.copy())
        self._local = LocalProblem(
            whole=sweep_arrays(layout),
            links=_links(problem, layout),
            before=before,
            held=layout.posets.held.copy(),
            state=ScoreState(*(array.copy() for array in before)),
            footprint=Footprint(*_lists(*lists), np.zeros(2, dtype=np.int64)),
            worklist=Worklist(*_lists(*lists)),
        )

    @property
    def bound(self) -> float:
        """The largest error of the scores before any change."""
        return self._bound(self._off)

    @property
    def scores(self) -> FloatArray:
        """The scores before any change, one per review."""
        return self._local.before.scores[self._place]

    @property
    def means(self) -> FloatArray:
        """The mean of each paper's scores before any change."""
        return self._local.before.sums / self._local.links.reviews

    def after(self, first: int, part: Part) -> ChangedScores:
        """Return what moves when the reviews of a reviewer are those of `part`.

        first  the reviewer's first review; the others follow it
        part   their part of the problem after the change
        """
        new = self._builder.replacement(first, part)
        most = MOST_SWEEPS * len(self._problem)
        with self._exchanged(new.home):
            try:
                allowed = self._allowed(new.home.size)
                off, work = spread(self._local, new, self._weight, allowed, most)
                if work > most:
                    return self._swept_whole(new, work)
                return self._reached(new, max(off, self._off), work)
            finally:
                take_back(self._local, new.home)

    def furthest(self, first: int, changes: Changes, sign: float) -> tuple[FloatArray, IntArray]:
        """Return how far up (sign 1) or down (−1) any change moves the mean of each of a reviewer's papers.

        Each of these numbers is that of the worst change to twice the tolerance, never below 0; the
        second array says which change it is, −1 where none moves it so.
        """
        count, size = changes.given.shape
        furthest, which = np.zeros(size), np.full(size, -1, dtype=np.int64)
        if not count:
            return furthest, which
        places, buffers = self._place[first : first + size], self._builder.buffers(size)
        limits = SearchLimits(
            self._weight,
            self._allowed(size),
            0.0 if math.isinf(self._lam) else 1.0 / self._lam,
            2.0 * self._tolerance,
            MOST_FOR_SEARCH * len(self._problem),
        )
        with self._exchanged(places):
            solved = find_furthest(
                changes, sign, places, buffers, self._local, limits, furthest, which
            )
        return self._each_furthest(first, changes, sign) if solved < 0 else (furthest, which)

    @contextmanager
    def _exchanged(self, places: IntArray) -> Iterator[None]:
        """Number these places as replaced components for as long as the block lasts."""
        component = self._local.links.component
        before = component[places]
        component[places] = self._replaced
        try:
            yield
        finally:
            component[places] = before

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

    def _bound(self, off: float, replaced: int = 0) -> float:
        """Return the error that is possible with means so far off, and so many reviews replaced."""
        return 0.0 if math.isinf(self._lam) else off / self._lam + self._rounding(replaced)

    def _allowed(self, replaced: int) -> float:
        """Return how far a mean may leave its centre before it is passed on."""
        if math.isinf(self._lam):
            return math.inf
        return max(self._lam * (self._tolerance - self._rounding(replaced)), self._off)

    def _rounding(self, replaced: int) -> float:
        """Return what rounding can add to the bound (docs/mathematics.md, section 4)."""
        if math.isinf(self._lam):
            return 0.0
        operations = self._most + 4.0 + 4.0 * max(self._longest, replaced) * (1.0 + self._lam)
        return operations * UNIT_ROUNDOFF * self._largest / self._lam

    def _reached(self, new: Replacement, off: float, work: int) -> ChangedScores:
        state, footprint = self._local.state, self._local.footprint
        places = np.empty(len(self._problem), dtype=np.int64)
        places = places[: list_places(self._local.whole, new.home, footprint, places)]
        papers = footprint.papers[: footprint.counts[0]].copy()
        return ChangedScores(
            self._solver.layout.review[places],
            state.scores[places],
            papers,
            state.sums[papers] / self._local.links.reviews[papers],
            self._bound(off, new.home.size),
            work,
        )

    def _swept_whole(self, new: Replacement, work: int) -> ChangedScores:
        sweeps = _SweepsWithReplacement(self._solver, new)
        allowed = self._tolerance - self._rounding(new.home.size)
        solution = iterate(sweeps, self._lam, allowed, self._local.state.centres.copy())
        return ChangedScores(
            np.arange(len(self._problem)),
            solution.scores,
            np.arange(self._problem.papers),
            paper_means(solution.scores, self._problem.paper, self._problem.papers),
            self._bound(solution.bound * self._lam, new.home.size),
            work + solution.sweeps * len(self._problem),
        )


def level_part(changes: Changes, change: int) -> Levels:
    """Return one of many changes as a reviewer's part."""
    given, lower, upper, height = (rows[change] for rows in changes[:4])
    return Levels(given, lower, upper, height, changes.gap)


class _SweepsWithReplacement:
    """Sweeps of the whole problem with one reviewer's components replaced."""

    def __init__(self, solver: Solver, new: Replacement) -> None:
        self._solver, self._new = solver, new

    def first_centres(self, weight: float) -> FloatArray:
        """Return where to start when nothing better is known."""
        return self._solver.first_centres(weight)

    def sweep(self, centres: FloatArray, weight: float) -> tuple[FloatArray, float]:
        """Sweep from these centres; return the new ones, and how far any moved."""
        sums: FloatArray = self._solver.block_sums(centres, weight).sum(axis=0)
        swept = self._solver.swept
        sums[self._new.arrays.reviews.paper] -= swept[self._new.home]
        sweep_replacement(self._new, ScoreState(centres, sums, swept), weight)
        means = sums / self._solver.layout.count
        return means, float(np.abs(means - centres).max(initial=0.0))

    def scores(self) -> FloatArray:
        """Return the scores of the last sweep, one per review."""
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
