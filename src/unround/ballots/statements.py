"""A ballot -> what a run is told: ranks, or pairs where ranks cannot state what is left.

A contradiction that the reviewer settled for the order or for both stays. One settled for the score, or
about which they are not sure, is left out. One without an answer stays or goes as the chair chooses, and
always goes where it alone would bring back, through a third paper, what the reviewer took back. So does
"about the same": in a run such papers stand for each other, and one would bring back the other's order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from unround.ballots.content import Content, Paper, Rules, Score
from unround.ballots.contradictions import Contradiction, find_contradictions
from unround.ballots.order import order_of
from unround.ballots.relation import Pair, weak_order
from unround.problem.orders import closure, covering_pairs

Unanswered = Literal["keep", "drop"]
DROPPED = ("score", "unsure")


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
    content: Content,
    papers: Sequence[Paper],
    rules: Rules,
    levels: Sequence[Score] = (),
    *,
    submitted: bool = False,
    unanswered: Unanswered = "keep",
) -> BallotStatements:
    """Return what a ballot says once its contradictions are settled as the reviewer answered."""
    order = order_of(content, rules, submitted=submitted)
    kept = settled(
        order.above, find_contradictions(content, papers, order.above, levels), unanswered
    )
    same = tuple(still_same(order.tied, kept))
    compared = {paper for pair in kept for paper in pair}  # the others are left without a rank
    groups = weak_order([paper for paper in order.papers if paper in compared], kept)
    if groups is not None:
        ranks = [(paper, rank) for rank, group in enumerate(groups, 1) for paper in group]
        return BallotStatements(ranks=tuple(ranks), same=same)
    return BallotStatements(pairs=tuple(sorted(covering_pairs(kept))), same=same)


def settled(
    order: Iterable[Pair], contradictions: Sequence[Contradiction], unanswered: Unanswered
) -> set[Pair]:
    """Return the pairs of an order that stay, with all that follows from them."""
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


def still_same(tied: Iterable[Sequence[str]], kept: set[Pair]) -> Iterable[Pair]:
    """Yield neighbours among tied papers that stand above and below the same papers.

    >>> list(still_same([("a", "b", "c")], {("a", "d"), ("c", "d")}))
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
            place = frozenset(above.get(paper, ())), frozenset(below.get(paper, ()))
            alike.setdefault(place, []).append(paper)
        for papers in alike.values():
            yield from pairwise(papers)
