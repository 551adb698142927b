"""ReviewSet + Settings -> Problem: orders into chains and posets, cells, and what was done about conflicts.

Rank lists that agree with their scores and have room, nearly all of them in practice, become chains
directly (rank_lists.py). The rest is settled reviewer by reviewer (conflicts.py).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray, group_starts
from unround.issues import Issue
from unround.problem.conflicts import ReviewerOrder, Settled, settle
from unround.problem.model import ComponentBuilder, Openings, Problem
from unround.problem.orders import close, members
from unround.problem.rank_lists import ComparedPapers, add_plain_rank_lists, completed_ranks
from unround.reviews.review_set import ReviewSet
from unround.settings import Settings


def build_problem(reviews: ReviewSet, settings: Settings) -> tuple[Problem, list[Issue]]:
    """Build the program for these reviews; return it with every conflict that had to be settled."""
    builder, issues = ComponentBuilder(), list[Issue]()
    lower, upper = reviews.lower, reviews.upper
    gap = settings.epsilon * reviews.scale.spacing
    rank = completed_ranks(reviews, settings.unranked)
    left = add_plain_rank_lists(reviews, rank, gap, builder)
    mentioned = ComparedPapers.by(reviews, rank, left)
    opened: list[IntArray] = []
    for case in _cases(reviews, rank, gap, mentioned, left):
        settled = settle(case, settings.conflicts)
        issues += settled.issues
        _add_components(settled, builder)
        member = settled.case.member
        if settled.case.lower is not case.lower:
            opened.append(member)
            lower[member], upper[member] = settled.case.lower, settled.case.upper
    problem = Problem(
        given=reviews.given,
        lower=lower,
        upper=upper,
        paper=reviews.paper,
        papers=len(reviews.papers),
        chains=builder.chains(),
        posets=builder.posets(),
        openings=_openings(reviews, opened),
    )
    return problem, sorted(issues, key=lambda issue: (issue.kind, issue.reviewer, issue.papers))


def _openings(reviews: ReviewSet, opened: list[IntArray]) -> Openings:
    review = np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *opened]))
    return Openings(review, reviews.lower[review], reviews.upper[review])


def _cases(
    reviews: ReviewSet,
    rank: FloatArray,
    gap: float,
    mentioned: ComparedPapers,
    reviewers: BoolArray,
) -> Iterator[ReviewerOrder]:
    """Close the order of each of these reviewers."""
    stated = reviews.statements
    above = _PairsByReviewer(reviews, stated.better, stated.worse, mentioned.place)
    alike = _PairsByReviewer(reviews, stated.alike, stated.alike_to, mentioned.place)
    for reviewer in np.flatnonzero(reviewers & (mentioned.load > 0)).tolist():
        begin = int(mentioned.begin[reviewer])
        papers = mentioned.member[begin : begin + int(mentioned.load[reviewer])]
        closed = close(rank[papers], above(reviewer), alike(reviewer))
        member = papers[closed.sequence]
        place = np.argsort(closed.sequence)
        yield ReviewerOrder(
            reviews=reviews,
            member=member,
            order=closed.order,
            cycles=tuple(tuple(place[list(cycle)].tolist()) for cycle in closed.cycles),
            gap=gap,
            lower=reviews.scale.lower[reviews.level[member]],
            upper=reviews.scale.upper[reviews.level[member]],
        )


class _PairsByReviewer:
    """Stated pairs as places, looked up by reviewer."""

    def __init__(
        self, reviews: ReviewSet, left: IntArray, right: IntArray, place: IntArray
    ) -> None:
        owner = reviews.reviewer[left]
        order = np.argsort(owner, kind="stable")
        self._start = group_starts(owner[order], len(reviews.reviewers))
        self._pairs = np.stack([place[left[order]], place[right[order]]], axis=1)

    def __call__(self, reviewer: int) -> list[tuple[int, int]]:
        """Return the distinct pairs of a reviewer."""
        pairs = self._pairs[self._start[reviewer] : self._start[reviewer + 1]].tolist()
        return sorted({(one, other) for one, other in pairs})


def _add_components(settled: Settled, builder: ComponentBuilder) -> None:
    """Add a reviewer's components as chains or posets."""
    case = settled.case
    for component in settled.components:
        member = case.member[list(members(component.places))]
        name = int(member.min())
        if component.levels is not None:
            levels = [list(members(level)) for level in component.levels]
            height = np.repeat(np.arange(len(levels)), [len(level) for level in levels])
            member = case.member[[place for level in levels for place in level]]
            builder.add_chains(np.full(member.size, name), member, height, case.gap)
            continue
        builder.add_posets(np.full(member.size, name), member)
        pairs = np.array(component.pairs, dtype=np.int64).reshape(-1, 2)
        builder.add_pairs(
            np.full(len(pairs), name), case.member[pairs[:, 0]], case.member[pairs[:, 1]], case.gap
        )
