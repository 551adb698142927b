"""Change hidden facts one at a time, solve again, and count the views that change.

A fact is the score of a paper, moved by a level, or the order of two papers next to each other in a
ranking, swapped. λ is chosen again from the changed input, unless it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.disclosure.area_chairs import AreaChair
from unround.disclosure.scope import Scope
from unround.disclosure.scores import PaperOrder, within_scope
from unround.disclosure.snapshot import Snapshot
from unround.metrics.papers import paper_means
from unround.pipeline import choose
from unround.problem.build import build_problem
from unround.progress import StageProgress
from unround.reviews.review_set import ReviewSet
from unround.settings import Policy
from unround.solver.local import Solver

TOLERANCE = 1e-10
VISIBLE = 1e-7  # a digit of an exact score that changes
LEAST = 1e-8  # moves below this change no place


@dataclass(frozen=True)
class ViewChanges:
    """How many facts were changed, and how many of those hidden from an area chair change their view."""

    facts: int
    hidden: IntArray  # per area chair: facts that are hidden from them
    exact: IntArray  # of these, those that change an exact score in their view
    order: IntArray  # of these, those that change a place


class Solved(NamedTuple):
    """The scores of an input, and their λ."""

    scores: FloatArray
    lam: float


class Resolver:
    """A finished run that can be solved again for changed input."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.reviews, self.settings = snapshot.prepared.reviews, snapshot.prepared.settings
        reviewed = snapshot.papers.join(
            snapshot.reviews, on="paper", how="semi", maintain_order="left"
        )
        self.snapshot = replace(snapshot, papers=reviewed)
        self._start: FloatArray | None = None
        solved = self.solved(self.reviews)
        if solved is None:
            raise ValueError("a finished run is refused")
        self.scores, self.lam = solved

    def solved(self, reviews: ReviewSet) -> Solved | None:
        """Solve changed input, starting from the run's scores; return None where it is refused."""
        problem, conflicts = build_problem(reviews, self.settings)
        if conflicts and self.settings.conflicts is Policy.REFUSE:
            return None
        lam, bound = self.settings.lam, TOLERANCE * reviews.scale.spacing
        if isinstance(lam, str):
            lam = choose(reviews, self.settings).best
        solution = Solver(problem).solve(lam, bound, self._start)
        if self._start is None:
            self._start = solution.centres.copy()
        return Solved(solution.scores.copy(), lam)


def count_view_changes(
    run: Resolver,
    chairs: Sequence[AreaChair],
    *,
    sample: int | None,
    seed: int,
    progress: StageProgress,
) -> ViewChanges:
    """Change all facts or a sample, and count those that show in views they are hidden from."""
    scopes = _Scopes(run, chairs)
    chosen = perturbations(run.reviews)
    if sample is not None:
        drawn = np.random.default_rng(seed).permutation(len(chosen))[:sample]
        chosen = [chosen[number] for number in sorted(drawn.tolist())]
    hidden, exact, order = (np.zeros(len(chairs), dtype=np.int64) for _ in range(3))
    tried = 0
    for done, change in enumerate(chosen, start=1):
        progress("changing facts", done, len(chosen))
        changed, after = change()
        solved = run.solved(after)
        if solved is None:
            continue  # such an input would have been refused
        tried += 1
        theirs = scopes.of(run.reviews.paper[list(changed)])
        hidden += 1
        hidden[list(theirs)] -= 1
        digits, places = scopes.changed(solved, theirs)
        exact[digits] += 1
        order[places] += 1
    return ViewChanges(tried, hidden, exact, order)


class _Scopes:
    """The papers of each area chair, and what changes in their views."""

    def __init__(self, run: Resolver, chairs: Sequence[AreaChair]) -> None:
        self._run = run
        number = {str(label): code for code, label in enumerate(run.reviews.papers.labels)}
        self._papers = [
            np.array(sorted(number[paper] for paper in chair.papers if paper in number), np.int64)
            for chair in chairs
        ]
        self._scopes = [Scope(chair.name, chair.papers, names=True) for chair in chairs]
        self._chairs: list[set[int]] = [set() for _ in number]
        for chair, papers in enumerate(self._papers):
            for paper in papers.tolist():
                self._chairs[paper].add(chair)
        self._orders: dict[tuple[int, float], PaperOrder] = {}  # by area chair and λ

    def of(self, papers: IntArray) -> set[int]:
        """Return the area chairs of any of these papers."""
        return set[int]().union(*(self._chairs[paper] for paper in papers.tolist()))

    def changed(self, solved: Solved, apart_from: set[int]) -> tuple[list[int], list[int]]:
        """Return the other area chairs with another digit in view, and with another place."""
        moved = np.abs(solved.scores - self._run.scores)
        paper = self._run.reviews.paper
        digits = self.of(np.unique(paper[moved > VISIBLE])) - apart_from
        # What follows from a scope alone has the λ of the run.
        near = (
            self.of(np.unique(paper[moved > LEAST]) if solved.lam == self._run.lam else paper)
            - apart_from
        )
        before = Solved(self._run.scores, self._run.lam)
        places = [
            chair
            for chair in sorted(near)
            if self._places(chair, solved) != self._places(chair, before)
        ]
        return sorted(digits), places

    def _places(self, chair: int, solved: Solved) -> list[int | None]:
        """Return the places of an area chair's papers: all that `order` shows of a run's scores."""
        papers = self._papers[chair]
        mine = np.flatnonzero(np.isin(self._run.reviews.paper, papers))
        number = np.searchsorted(papers, self._run.reviews.paper[mine])
        means = paper_means(solved.scores[mine], number, papers.size)
        return self._order(chair, solved.lam).places(means)

    def _order(self, chair: int, lam: float) -> PaperOrder:
        if (chair, lam) not in self._orders:
            inside = within_scope(self._run.snapshot, self._scopes[chair])
            inside = replace(inside, record={**inside.record, "lam": lam})
            self._orders[chair, lam] = PaperOrder.of(self._run.snapshot, inside)
        return self._orders[chair, lam]


class Perturbation(NamedTuple):
    """A change of the input: the reviews it is about, and the input after it."""

    reviews: tuple[int, ...]
    after: ReviewSet


def perturbations(reviews: ReviewSet) -> list[Callable[[], Perturbation]]:
    """Return every change of an input, to be called for its result: each result is a whole input."""
    scores = range(len(reviews)) if len(reviews.scale.levels) > 1 else ()
    pairs = range(reviews.statements.better.size)
    return [
        *(partial(_move_score, reviews, review) for review in scores),
        *(partial(_swap_ranks, reviews, *both) for both in _neighbours(reviews)),
        *(partial(_reverse_pair, reviews, pair) for pair in pairs),
    ]


def _move_score(reviews: ReviewSet, review: int) -> Perturbation:
    """Move a score a level up, or down where it is the highest."""
    level = reviews.level.copy()
    level[review] += 1 if level[review] < len(reviews.scale.levels) - 1 else -1
    return Perturbation((review,), replace(reviews, level=level))


def _swap_ranks(reviews: ReviewSet, above: int, below: int) -> Perturbation:
    rank = reviews.statements.rank.copy()
    rank[[above, below]] = rank[[below, above]]
    after = reviews.with_statements(replace(reviews.statements, rank=rank))
    return Perturbation((above, below), after)


def _reverse_pair(reviews: ReviewSet, pair: int) -> Perturbation:
    better, worse = reviews.statements.better.copy(), reviews.statements.worse.copy()
    better[pair], worse[pair] = worse[pair], better[pair]
    after = reviews.with_statements(replace(reviews.statements, better=better, worse=worse))
    return Perturbation((int(better[pair]), int(worse[pair])), after)


def _neighbours(reviews: ReviewSet) -> list[tuple[int, int]]:
    """Return the reviews that follow each other in a ranking, one pair per change of rank."""
    rank = reviews.statements.rank
    ranked = np.flatnonzero(~np.isnan(rank))
    order = ranked[np.lexsort((rank[ranked], reviews.reviewer[ranked]))]
    first, second = order[:-1], order[1:]
    follow = (reviews.reviewer[first] == reviews.reviewer[second]) & (rank[first] < rank[second])
    return list(zip(first[follow].tolist(), second[follow].tolist(), strict=True))
