"""Content of a ballot -> the order that it states."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from unround.ballots.content import Content, Rules
from unround.ballots.questions import Known
from unround.ballots.relation import Pair, pairs_of_groups, weak_order


@dataclass(frozen=True)
class BallotOrder:
    """Every pair that a ballot orders, and every pair that it calls about the same."""

    papers: tuple[str, ...]  # those that are compared with any other
    above: frozenset[Pair]  # transitive
    ties: tuple[Pair, ...]  # neighbours in groups of tied papers

    @property
    def groups(self) -> list[list[str]] | None:
        """Groups, best first, if they can state this order."""
        return weak_order(self.papers, set(self.above))


def order_of(content: Content, rules: Rules, *, submitted: bool = False) -> BallotOrder:
    """Return the order that a ballot states.

    Where only the best were asked for, a submitted ballot says that the papers left unplaced are
    below them; those that the reviewer cannot judge are compared with none.
    """
    if rules.mode == "pairs":
        return _compared(content)
    groups = list(content.groups)
    if rules.top_k is not None and submitted and groups and content.unplaced:
        groups.append(content.unplaced)
        ties = _neighbours(groups[:-1])
    else:
        ties = _neighbours(groups)
    papers = tuple(paper for group in groups for paper in group)
    return BallotOrder(papers, frozenset(pairs_of_groups(groups)), ties)


def _compared(content: Content) -> BallotOrder:
    known = Known.of((*content.placed, *content.unplaced, *content.cannot_say), content.comparisons)
    groups: dict[str, list[str]] = {}
    for paper, leader in known.leader.items():
        groups.setdefault(leader, []).append(paper)
    above, ties = frozenset(known.pairs()), _neighbours(list(groups.values()))
    named = {paper for pair in (*above, *ties) for paper in pair}
    papers = tuple(paper for paper in known.leader if paper in named)
    return BallotOrder(papers, above, ties)


def _neighbours(groups: list[list[str]] | list[tuple[str, ...]]) -> tuple[Pair, ...]:
    return tuple(pair for group in groups for pair in pairwise(group))
