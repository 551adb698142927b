"""A solved problem, solved again with some reviews replaced, as if their reviewers had answered otherwise.

A change reaches few papers: those of the changed reviews, those that their other reviewers read, and so
on, each time with 1/(1 + λ) of the move. So only the reviews nearby are solved again, with all others as
they are. Where the means of papers that also have other reviews then move by m at most, that makes no
score and no mean wrong by more than m/λ (docs/mathematics.md, section 9). Where that is too much, the
reviews around are solved again as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.metrics.papers import paper_means
from unround.problem.model import Part, Problem, chosen_runs, part_of
from unround.solver.local import Solver
from unround.solver.loop import Solution, iterate

PART = 1.0 / 8.0  # of the tolerance, to which the problem and its part are solved


class ChangedMeans(NamedTuple):
    """The means that a change moves; every other one moves by no more than the bound."""

    papers: IntArray
    means: FloatArray
    bound: float


class SolvedProblem:
    """A problem solved for one λ, and its solutions after changes; one thread at a time."""

    def __init__(
        self, problem: Problem, lam: float, tolerance: float, start: FloatArray | None = None
    ) -> None:
        """`start`: the means of papers where they are known, such as those of a run."""
        self.problem, self.lam, self.tolerance = problem, lam, tolerance
        self.solution = Solver(problem).solve(lam, PART * tolerance, start)
        self.means = paper_means(self.solution.scores, problem.paper, problem.papers)
        chains, posets, singles = problem.chains, problem.posets, problem.singles
        self._component = np.empty(len(problem), dtype=np.int64)
        sizes = np.concatenate([np.diff(chains.start), np.diff(posets.start)])
        members = np.concatenate([chains.member, posets.member])
        self._component[members] = np.repeat(np.arange(sizes.size), sizes)
        self._component[singles] = sizes.size + np.arange(singles.size)
        self._ends = chains.start.size - 1, sizes.size
        self._members = np.concatenate([members, singles])
        self._start = np.concatenate(
            [[0], np.cumsum(sizes), sizes.sum() + 1 + np.arange(singles.size)]
        )

    def near(self, reviews: IntArray) -> Nearby:
        """Return these reviews, which may be replaced, with what a change of them reaches first."""
        return Nearby(self, reviews, self.components(reviews))

    def components(self, reviews: IntArray) -> IntArray:
        """Return the components of all reviews of these reviews' papers."""
        papers = np.unique(self.problem.paper[reviews])
        _, runs = chosen_runs(self.problem.paper_start, papers)
        return np.unique(self._component[self.problem.by_paper[runs]])

    def reviews_of(self, components: IntArray) -> IntArray:
        """Return all reviews of some components."""
        return self._members[chosen_runs(self._start, components)[1]]

    def part(self, components: IntArray) -> Part:
        """Return the problem of some components."""
        chains, _ = self._ends
        kind = np.searchsorted(self._ends, components, "right")
        singles = self._members[self._start[components[kind == 2]]]
        return part_of(self.problem, components[kind == 0], components[kind == 1] - chains, singles)


class Nearby:
    """The components that a change of some reviews reaches, solved again with all others as they are."""

    def __init__(self, whole: SolvedProblem, reviews: IntArray, components: IntArray) -> None:
        self._whole, self._reviews, self._components = whole, reviews, components
        problem, review, self._papers = whole.part(components)
        self._solver = Solver(problem)
        self._replaced = np.argsort(self._solver.layout.review)[_places(review, reviews)]
        self._paper = np.searchsorted(self._papers, whole.problem.paper[reviews])
        self._count = whole.problem.paper_count[self._papers]
        free = np.bincount(problem.paper, whole.solution.scores[review], self._papers.size)
        self._fixed = whole.means[self._papers] * self._count - free
        self._shared = problem.paper_count < self._count  # papers with other reviews
        self._wider: Nearby | None = None

    def after(self, changed: Problem) -> ChangedMeans:
        """Solve with the reviews replaced.

        changed  the new reviews in the same order, each of a paper of its own
        """
        if self._wider is not None:
            return self._wider.after(changed)
        whole, before = self._whole, self._whole.means[self._papers]
        solution = self._solved(changed, before)
        moved = np.abs(solution.centres - before)[self._shared].max(initial=0.0)
        passed_on = 0.0 if math.isinf(whole.lam) else moved / whole.lam
        if passed_on > whole.tolerance / 2.0:
            around = whole.components(whole.reviews_of(self._components))
            self._wider = Nearby(whole, self._reviews, around)
            return self._wider.after(changed)
        bound = 2.0 * (whole.solution.bound + solution.bound) + passed_on
        return ChangedMeans(self._papers, solution.centres, bound)

    def _solved(self, changed: Problem, before: FloatArray) -> Solution:
        new = Solver(changed)
        sweeps = _Sweeps(self._solver, new, self._replaced, self._paper, self._fixed, self._count)
        return iterate(sweeps, self._whole.lam, PART * self._whole.tolerance, before)


@dataclass(frozen=True)
class _Sweeps:
    """Sweeps of the components nearby, with the changed reviews in place of the replaced ones."""

    near: Solver
    changed: Solver
    replaced: IntArray  # places of the replaced reviews in a sweep
    paper: IntArray  # their papers
    fixed: FloatArray  # what all other reviews add to each paper's sum
    count: IntArray  # of all reviews of each paper

    def first_centres(self, weight: float) -> FloatArray:
        """Return where to start when nothing better is known."""
        return self.near.first_centres(weight)

    def sweep(self, centres: FloatArray, weight: float) -> tuple[FloatArray, float]:
        """Sweep from these centres; return the new ones, and how far any moved."""
        sums = self.fixed + self.near.block_sums(centres, weight).sum(axis=0)
        scores = self.changed.block_sums(centres[self.paper], weight).sum(axis=0)
        np.add.at(sums, self.paper, scores - self.near.swept[self.replaced])
        means = sums / self.count
        return means, float(np.abs(means - centres).max(initial=0.0))

    def scores(self) -> FloatArray:
        """Return the changed reviews' scores of the last sweep."""
        return self.changed.scores()


def _places(items: IntArray, wanted: IntArray) -> IntArray:
    """Return where each of the wanted items is; each is there once."""
    order = np.argsort(items)
    return order[np.searchsorted(items, wanted, sorter=order)]
