"""Pairs to ask about, so that few answers settle an order: binary insertion.

Papers are inserted one after the other into those that are sorted already, each by a binary search. Tied
papers are sorted as one. After a skipped pair the search continues with other papers; a paper for which none
is left is not placed, but its answers count.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

from unround.ballots.content import BallotRefused, Outcome, Pair, PairOutcome, has_cycle, merged
from unround.problem.orders import closure

# A pair to ask about, and the outcome that would leave more questions.
PairToAsk = tuple[str, str, Outcome]
Chain = list[str]  # leaders of groups of tied papers, worst first
Sorting = Generator[PairToAsk, Outcome, Chain]


@dataclass(frozen=True)
class KnownOrder:
    """The order that the answers so far imply."""

    leader: dict[str, str]  # of the group of tied papers that a paper is in
    above: set[Pair]  # of leaders, with all that follows
    skipped: set[frozenset[str]]  # of leaders

    @classmethod
    def of(cls, papers: Sequence[str], comparisons: Iterable[PairOutcome]) -> KnownOrder:
        """Combine answers, of which the last about a pair counts; refuse a cycle."""
        last = {frozenset((one.first, one.second)): one for one in comparisons}
        leader = {paper: paper for paper in papers}
        for one in last.values():
            if one.outcome == "tie":
                new, old = leader[one.first], leader[one.second]
                leader = {paper: new if led == old else led for paper, led in leader.items()}
        stated = [_pair(one) for one in last.values() if one.outcome in ("first", "second")]
        paper = has_cycle(merged(stated, leader))
        if paper is not None:
            raise BallotRefused(
                f"the answers go round in a circle: paper {paper} would be better than itself. "
                "Take one of the last answers back"
            )
        skipped = {
            frozenset((leader[one.first], leader[one.second]))
            for one in last.values()
            if one.outcome == "skip"
        }
        return cls(leader, closure(merged(stated, leader)), skipped)

    def outcome(self, one: str, other: str) -> Outcome | None:
        """Return how a pair compares; None if that is unknown."""
        one, other = self.leader[one], self.leader[other]
        if one == other:
            return "tie"
        if (one, other) in self.above:
            return "first"
        if (other, one) in self.above:
            return "second"
        return "skip" if frozenset((one, other)) in self.skipped else None

    def pairs(self) -> set[Pair]:
        """Return every pair of papers that the answers order."""
        groups: dict[str, list[str]] = {}
        for paper, led in self.leader.items():
            groups.setdefault(led, []).append(paper)
        return {
            (one, other)
            for above, below in self.above
            for one in groups[above]
            for other in groups[below]
        }


@dataclass(frozen=True)
class PairQuestion:
    """The next pair to ask about, and how many at most are left with it."""

    first: str
    second: str
    left: int


def next_question(papers: Sequence[str], comparisons: Sequence[PairOutcome]) -> PairQuestion | None:
    """Return the pair to ask about next; None when the order is settled as far as it can be."""
    known = KnownOrder.of(papers, comparisons)
    sorting = _sorted(list(dict.fromkeys(known.leader[paper] for paper in papers)))
    question: tuple[str, str] | None = None
    left = 0
    try:
        first, second, worst = next(sorting)
        while True:
            outcome = known.outcome(first, second)
            if outcome is None:
                question = question or (first, second)
                left += 1
                outcome = worst
            first, second, worst = sorting.send(outcome)
    except StopIteration:
        return None if question is None else PairQuestion(*question, left)


def _pair(one: PairOutcome) -> Pair:
    return (one.first, one.second) if one.outcome == "first" else (one.second, one.first)


def _sorted(papers: Sequence[str]) -> Sorting:
    """Sort papers by asking about pairs; return those whose position is certain, worst first."""
    chain: Chain = []
    for paper in papers:
        yield from _inserted(paper, chain)
    return chain


def _inserted(paper: str, chain: Chain) -> Generator[PairToAsk, Outcome, None]:
    """Insert a paper into a chain, or leave it out where skipped pairs hide its position."""
    low, high = 0, len(chain)
    skipped: set[str] = set()
    while low < high:
        middle = _middle(chain, low, high, skipped)
        if middle is None:
            return
        other = chain[middle]
        outcome = yield paper, other, "first" if high - middle - 1 >= middle - low else "second"
        if outcome == "skip":
            skipped.add(other)
        elif outcome == "first":
            low = middle + 1
        else:
            high = middle
    chain.insert(low, paper)


def _middle(chain: Chain, low: int, high: int, skipped: set[str]) -> int | None:
    """Return the position nearest to the middle that may be asked about."""
    middle = (low + high) // 2
    positions = [one for one in range(low, high) if chain[one] not in skipped]
    return min(positions, key=lambda one: abs(one - middle), default=None)
