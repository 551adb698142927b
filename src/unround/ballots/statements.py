"""A ballot -> its order, and the statements for a run: ranks, or pairs where ranks cannot state it.

A contradiction is a pair that a ballot orders against the reviewer's own scores, with what they answered.

A contradiction stays if the reviewer answered that the order holds, or both; it is left out if they
answered that the score holds, or that they are not sure. Without an answer the chair decides, but a pair
that would imply, through a third paper, what the reviewer took back is always left out. So is such an
"about the same", since tied papers share their comparisons in a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from unround.ballots.content import (
    Answer,
    BallotContent,
    BallotPaper,
    Pair,
    Rules,
    Score,
    level_of,
    pairs_of_groups,
    weak_order,
)
from unround.ballots.questions import KnownOrder
from unround.problem.orders import closure, covering_pairs

Unanswered = Literal["keep", "drop"]
DROPPED = ("score", "unsure")


@dataclass(frozen=True)
class BallotContradiction:
    """A paper placed above another one with a higher score."""

    above: str
    below: str
    score_above: Score
    score_below: Score
    answer: Answer | None  # None: not answered yet


def find_contradictions(
    content: BallotContent,
    papers: Sequence[BallotPaper],
    order: Iterable[Pair],
    levels: Sequence[Score] = (),
) -> list[BallotContradiction]:
    """Return the contradictions of an order, in the order of the papers on the ballot.

    A score that the reviewer would change to counts in place of the one they gave.
    """
    scores: dict[str, tuple[Score | None, int | None]] = {
        paper.paper: (paper.score, paper.level) for paper in papers
    }
    for paper, changed in content.scores.items():
        level = level_of(changed, levels)
        scores[paper] = (changed if level is None else levels[level], level)
    answers = {(one.above, one.below): one.answer for one in content.answers}
    found = []
    for above, below in order:
        score_above, level_above = scores[above]
        score_below, level_below = scores[below]
        if score_above is None or score_below is None or level_above is None or level_below is None:
            continue
        if level_above >= level_below:
            continue
        found.append(
            BallotContradiction(above, below, score_above, score_below, answers.get((above, below)))
        )
    positions = {paper: position for position, paper in enumerate(content.placed)}
    last = len(positions)
    return sorted(
        found,
        key=lambda one: (
            positions.get(one.above, last),
            positions.get(one.below, last),
            one.above,
            one.below,
        ),
    )


@dataclass(frozen=True)
class BallotOrder:
    """Every pair that a ballot orders, and the papers that it calls about the same."""

    papers: tuple[str, ...]  # those that are compared with any other
    above: frozenset[Pair]  # transitive
    tied: tuple[tuple[str, ...], ...]  # groups of papers that are about the same

    @property
    def groups(self) -> list[list[str]] | None:
        """Groups, best first, if they can state this order."""
        return weak_order(self.papers, set(self.above))


def order_of(content: BallotContent, rules: Rules, *, submitted: bool = False) -> BallotOrder:
    """Return the order that a ballot states.

    Where only the best were asked for, a submitted ballot says that the papers left unplaced are
    below them; those that the reviewer cannot judge are compared with none.
    """
    if rules.mode == "pairs":
        return _order_of_answers(content)
    groups = list(content.groups)
    tied = tuple(group for group in groups if len(group) > 1)
    if rules.top_k is not None and submitted and groups and content.unplaced:
        groups.append(content.unplaced)
    papers = tuple(paper for group in groups for paper in group)
    return BallotOrder(papers, frozenset(pairs_of_groups(groups)), tied)


def _order_of_answers(content: BallotContent) -> BallotOrder:
    known = KnownOrder.of(
        (*content.placed, *content.unplaced, *content.cannot_say), content.comparisons
    )
    groups: dict[str, list[str]] = {}
    for paper, leader in known.leader.items():
        groups.setdefault(leader, []).append(paper)
    above = frozenset(known.pairs())
    tied = tuple(tuple(group) for group in groups.values() if len(group) > 1)
    named = {paper for group in (*above, *tied) for paper in group}
    papers = tuple(paper for paper in known.leader if paper in named)
    return BallotOrder(papers, above, tied)


@dataclass(frozen=True)
class BallotStatements:
    """What one ballot says: ranks by paper or, where these cannot say it, pairs; and ties."""

    ranks: tuple[tuple[str, int], ...] = ()
    pairs: tuple[Pair, ...] = ()  # better, worse: the fewest from which all follow
    same: tuple[Pair, ...] = ()  # "about the same"

    @property
    def is_partial(self) -> bool:
        """Whether ranks cannot state it."""
        return bool(self.pairs)


def statements_of(
    content: BallotContent,
    papers: Sequence[BallotPaper],
    rules: Rules,
    levels: Sequence[Score] = (),
    *,
    submitted: bool = False,
    unanswered: Unanswered = "keep",
) -> BallotStatements:
    """Return what a ballot says once its contradictions are settled as the reviewer answered."""
    order = order_of(content, rules, submitted=submitted)
    kept = keep_pairs(
        order.above, find_contradictions(content, papers, order.above, levels), unanswered
    )
    same = tuple(remaining_ties(order.tied, kept))
    compared = {paper for pair in kept for paper in pair}  # the others are left without a rank
    groups = weak_order([paper for paper in order.papers if paper in compared], kept)
    if groups is not None:
        ranks = [(paper, rank) for rank, group in enumerate(groups, 1) for paper in group]
        return BallotStatements(ranks=tuple(ranks), same=same)
    return BallotStatements(pairs=tuple(sorted(covering_pairs(kept))), same=same)


def keep_pairs(
    order: Iterable[Pair], contradictions: Sequence[BallotContradiction], unanswered: Unanswered
) -> set[Pair]:
    """Return the pairs of an order that no answer takes back, with all that follows from them."""
    dropped = {(one.above, one.below) for one in contradictions if one.answer in DROPPED}
    open_ones = {(one.above, one.below) for one in contradictions if one.answer is None}
    if unanswered == "drop":
        dropped |= open_ones
    stay = set(order) - dropped
    while True:
        followed = closure(stay)
        back = followed & dropped
        giving_way = {
            pair
            for above, below in back
            for pair in open_ones & stay
            if (pair[0] == above and (pair[1], below) in followed)
            or (pair[1] == below and (above, pair[0]) in followed)
        }
        if not giving_way:
            return followed
        stay -= giving_way


def remaining_ties(tied: Iterable[Sequence[str]], kept: set[Pair]) -> Iterable[Pair]:
    """Yield neighbours among tied papers that are still above and below the same papers.

    >>> list(remaining_ties([("a", "b", "c")], {("a", "d"), ("c", "d")}))
    [('a', 'c')]
    """
    above: dict[str, set[str]] = {}
    below: dict[str, set[str]] = {}
    for one, other in kept:
        above.setdefault(other, set()).add(one)
        below.setdefault(one, set()).add(other)
    for group in tied:
        alike: dict[tuple[frozenset[str], frozenset[str]], list[str]] = {}
        for paper in group:
            neighbours = frozenset(above.get(paper, ())), frozenset(below.get(paper, ()))
            alike.setdefault(neighbours, []).append(paper)
        for papers in alike.values():
            yield from pairwise(papers)
