"""Content of a ballot -> the order that it states."""

from __future__ import annotations

from dataclasses import dataclass

from unround.ballots.content import Content, Rules
from unround.ballots.questions import Known
from unround.ballots.relation import Pair, pairs_of_groups, weak_order


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


def order_of(content: Content, rules: Rules, *, submitted: bool = False) -> BallotOrder:
    """Return the order that a ballot states.

    Where only the best were asked for, a submitted ballot says that the papers left unplaced are
    below them; those that the reviewer cannot judge are compared with none.
    """
    if rules.mode == "pairs":
        return _compared(content)
    groups = list(content.groups)
    tied = tuple(group for group in groups if len(group) > 1)
    if rules.top_k is not None and submitted and groups and content.unplaced:
        groups.append(content.unplaced)
    papers = tuple(paper for group in groups for paper in group)
    return BallotOrder(papers, frozenset(pairs_of_groups(groups)), tied)


def _compared(content: Content) -> BallotOrder:
    known = Known.of((*content.placed, *content.unplaced, *content.cannot_say), content.comparisons)
    groups: dict[str, list[str]] = {}
    for paper, leader in known.leader.items():
        groups.setdefault(leader, []).append(paper)
    above = frozenset(known.pairs())
    tied = tuple(tuple(group) for group in groups.values() if len(group) > 1)
    named = {paper for group in (*above, *tied) for paper in group}
    papers = tuple(paper for paper in known.leader if paper in named)
    return BallotOrder(papers, above, tied)
