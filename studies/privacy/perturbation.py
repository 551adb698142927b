"""Change hidden facts one at a time, solve again, and count the pages that change.

A fact is the score of a paper, moved by a level, or the order of two papers next to each other in a
ranking, swapped. λ is chosen again from the changed input, unless it was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl

from unround.arrays import FloatArray
from unround.disclosure.area_chairs import AreaChair
from unround.disclosure.scope import Disclosure, Scope
from unround.disclosure.scores import PaperOrder, within_scope
from unround.disclosure.snapshot import Snapshot
from unround.metrics.papers import paper_means
from unround.pipeline import choose
from unround.problem.build import build_problem
from unround.problem.model import Problem
from unround.progress import StageProgress
from unround.reviews.review_set import ReviewSet
from unround.settings import Policy
from unround.solver.local import Solver

SEED = 9
TOLERANCE_SPACINGS = 1e-10  # of every score after a change, in smallest level spacings
VISIBLE = 1e-7  # a digit of an exact score that changes
LEAST_MOVE = 1e-8  # a smaller move changes no place


class Changes(NamedTuple):
    """How many facts were changed, how often one is hidden from an area chair, and how often it shows."""

    facts: int
    hidden: int
    visible: dict[Disclosure, int]

    def share(self, disclosure: Disclosure) -> float:
        """Return the share of the hidden facts that change the page, in per cent."""
        return 100.0 * self.visible[disclosure] / self.hidden if self.hidden else 0.0


def count_changes(
    snapshot: Snapshot,
    chairs: Sequence[AreaChair],
    *,
    sample: int | None,
    progress: StageProgress,
) -> Changes:
    """Change all facts or a sample, and count those that show on pages they are hidden from."""
    run = _Run(snapshot)
    pages = [_Page(run, chair) for chair in chairs]
    chosen = facts(run.reviews)
    if sample is not None:
        drawn = np.random.default_rng(SEED).permutation(len(chosen))[:sample]
        chosen = [chosen[number] for number in sorted(drawn.tolist())]
    tried, hidden, digits, places = 0, 0, 0, 0
    for done, fact in enumerate(chosen, start=1):
        progress("changing facts", done, len(chosen))
        after = run.solved(changed(run.reviews, fact))
        if after is None:
            continue  # such an input would have been refused
        tried += 1
        known = set(run.paper[list(fact)].tolist())
        for page in pages:
            if known.isdisjoint(page.papers):
                hidden += 1
                digits += page.furthest_move(after) > VISIBLE
                places += page.reorders(after)
    # Nothing hidden enters what is computed from a scope.
    return Changes(tried, hidden, {"order": places, "scoped": 0, "exact": digits})


class _Solved(NamedTuple):
    """The scores of an input, and their λ."""

    scores: FloatArray
    lam: float


class _Run:
    """A finished run that can be solved again for changed input."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.reviews, self._settings = snapshot.prepared.reviews, snapshot.prepared.settings
        self.snapshot = snapshot
        ids = snapshot.papers["paper"].cast(pl.String)
        self.number = {paper: number for number, paper in enumerate(ids)}
        labels = [self.number[str(label)] for label in self.reviews.papers.labels]
        self.paper = np.array(labels, dtype=np.int64)[self.reviews.paper]  # of each review
        self._start: FloatArray | None = None
        self.before = self._solved(self.reviews, snapshot.prepared.problem)

    def solved(self, reviews: ReviewSet) -> _Solved | None:
        """Solve a changed input; return None where it is refused."""
        problem, conflicts = build_problem(reviews, self._settings)
        refused = conflicts and self._settings.conflicts is Policy.REFUSE
        return None if refused else self._solved(reviews, problem)

    def _solved(self, reviews: ReviewSet, problem: Problem) -> _Solved:
        lam, bound = self._settings.lam, TOLERANCE_SPACINGS * reviews.scale.spacing
        if isinstance(lam, str):
            lam = choose(reviews, self._settings).best
        solution = Solver(problem).solve(lam, bound, self._start)
        if self._start is None:
            self._start = solution.centres.copy()
        return _Solved(solution.scores.copy(), lam)


class _Page:
    """An area chair's page, as far as the scores of the run enter."""

    def __init__(self, run: _Run, chair: AreaChair) -> None:
        self._run, self._scope = run, Scope(chair.name, chair.papers, names=True)
        self.papers = sorted(run.number[paper] for paper in chair.papers if paper in run.number)
        self._reviews = np.flatnonzero(np.isin(run.paper, self.papers))
        self._paper = np.searchsorted(self.papers, run.paper[self._reviews])
        self._orders: dict[float, PaperOrder] = {}  # by λ

    def furthest_move(self, after: _Solved) -> float:
        """Return how far a score on the page moves at most."""
        moves = after.scores[self._reviews] - self._run.before.scores[self._reviews]
        return float(np.abs(moves).max(initial=0.0))

    def reorders(self, after: _Solved) -> bool:
        """Return whether a paper has another place: all that `order` shows of a run's scores."""
        before = self._run.before
        if after.lam == before.lam and self.furthest_move(after) <= LEAST_MOVE:
            return False
        return self._places(after) != self._places(before)

    def _places(self, solved: _Solved) -> list[int | None]:
        if solved.lam not in self._orders:
            # What follows from the area chair's papers alone has the λ of the run.
            run = replace(
                self._run.snapshot, record={**self._run.snapshot.record, "lam": solved.lam}
            )
            self._orders[solved.lam] = PaperOrder.of(run, within_scope(run, self._scope))
        means = paper_means(solved.scores[self._reviews], self._paper, len(self.papers))
        return self._orders[solved.lam].places(means)


def facts(reviews: ReviewSet) -> list[tuple[int, ...]]:
    """Return the reviews that each fact is about: one for its score, two for their order."""
    said = reviews.statements
    scores = range(len(reviews)) if len(reviews.scale.levels) > 1 else ()
    pairs = zip(said.better.tolist(), said.worse.tolist(), strict=True)
    return [*((review,) for review in scores), *_neighbours(reviews), *pairs]


def changed(reviews: ReviewSet, fact: tuple[int, ...]) -> ReviewSet:
    """Move a score a level up, or down where it is the highest; or swap two papers in what is stated."""
    if len(fact) == 1:
        level = reviews.level.copy()
        level[fact[0]] += 1 if level[fact[0]] < len(reviews.scale.levels) - 1 else -1
        return replace(reviews, level=level)
    said = reviews.statements
    rank, pairs = said.rank.copy(), np.stack([said.better, said.worse])
    rank[[*fact]] = rank[[*fact[::-1]]]
    both = np.isin(pairs, fact).all(axis=0)
    pairs[:, both] = pairs[::-1, both]
    return reviews.with_statements(replace(said, rank=rank, better=pairs[0], worse=pairs[1]))


def _neighbours(reviews: ReviewSet) -> list[tuple[int, int]]:
    """Return the reviews that follow each other in a ranking, one pair per change of rank."""
    rank = reviews.statements.rank
    ranked = np.flatnonzero(~np.isnan(rank))
    order = ranked[np.lexsort((rank[ranked], reviews.reviewer[ranked]))]
    first, second = order[:-1], order[1:]
    follow = (reviews.reviewer[first] == reviews.reviewer[second]) & (rank[first] < rank[second])
    return list(zip(first[follow].tolist(), second[follow].tolist(), strict=True))
