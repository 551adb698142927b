"""The content of a ballot: what one reviewer says about their papers, checked against its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import ClassVar, Literal

from unround.errors import UnroundError
from unround.problem.orders import closure

Answer = Literal["order", "score", "both", "unsure"]
Outcome = Literal["first", "second", "tie", "skip"]
Mode = Literal["list", "pairs"]
Score = int | float | str
Pair = tuple[str, str]  # above, below
MOST_PAIRS = 20_000  # that a ballot answers or compares


class BallotRefused(UnroundError):
    """A ballot that breaks the rules; the message says what to change."""


@dataclass(frozen=True)
class Rules:
    """What a collection of rankings allows."""

    ties: bool = True
    top_k: int | None = None  # the most papers that may be placed
    may_skip: bool = True  # "cannot say"
    mode: Mode = "list"


@dataclass(frozen=True)
class BallotPaper:
    """A paper on a ballot; `level` is the index of its score on the scale, worst first."""

    paper: str
    title: str | None
    score: Score | None
    level: int | None

    def without_score(self) -> BallotPaper:
        """Return the paper for a reviewer to whom scores are not shown."""
        return BallotPaper(self.paper, self.title, None, None)


@dataclass(frozen=True)
class ContradictionAnswer:
    """What a reviewer says about a pair that they ordered against their scores.

    The order stands, the score stands, both are as meant, or the reviewer is not sure.
    """

    above: str
    below: str
    answer: Answer


@dataclass(frozen=True)
class PairOutcome:
    """A pair that a reviewer was asked about, and the outcome."""

    first: str
    second: str
    outcome: Outcome


@dataclass(frozen=True)
class BallotContent:
    """What a reviewer says: groups of papers, best first; a group of several is a tie."""

    # The console's requests hold it, too: there an unknown field is a mistake.
    __pydantic_config__: ClassVar = {"extra": "forbid"}
    groups: tuple[tuple[str, ...], ...] = ()
    cannot_say: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()
    answers: tuple[ContradictionAnswer, ...] = ()
    scores: Mapping[str, Score] = field(default_factory=dict)  # what a reviewer would change to
    comparisons: tuple[PairOutcome, ...] = ()

    @property
    def placed(self) -> tuple[str, ...]:
        """The papers in groups, best first."""
        return tuple(paper for group in self.groups for paper in group)


def empty_content(papers: Sequence[BallotPaper]) -> BallotContent:
    """Return the content of a new ballot: nothing is placed."""
    return BallotContent(unplaced=tuple(paper.paper for paper in papers))


def checked(
    content: BallotContent,
    papers: Sequence[BallotPaper],
    rules: Rules,
    levels: Sequence[Score] = (),
    *,
    submitted: bool = False,
) -> BallotContent:
    """Return the content, missing papers as unplaced; refuse what breaks the rules."""
    own = [paper.paper for paper in papers]
    stated = [*content.placed, *content.cannot_say, *content.unplaced]
    pairs = [
        *((pair.above, pair.below) for pair in content.answers),
        *((pair.first, pair.second) for pair in content.comparisons),
    ]
    if len(pairs) > MOST_PAIRS:
        raise BallotRefused(f"a ballot takes {MOST_PAIRS:,} pairs at most, not {len(pairs):,}")
    _check_papers(own, stated, [*content.scores, *(paper for pair in pairs for paper in pair)])
    _check_rules(content, rules)
    for above, below in pairs:
        if above == below:
            raise BallotRefused(f"paper {above} cannot be compared with itself")
    for paper, score in content.scores.items():
        if level_of(score, levels) is None:
            raise BallotRefused(f"paper {paper}: {score} is not a score of this conference")
    said = set(stated)
    unplaced = (*content.unplaced, *(paper for paper in own if paper not in said))
    if submitted and unplaced and not _may_leave(rules):
        raise BallotRefused(
            f"paper {unplaced[0]} is not placed: place all papers before you hand in"
        )
    return BallotContent(
        groups=tuple(group for group in content.groups if group),
        cannot_say=content.cannot_say,
        unplaced=unplaced,
        # The last answer about a pair counts.
        answers=tuple({(one.above, one.below): one for one in content.answers}.values()),
        scores=content.scores,
        comparisons=content.comparisons,
    )


def level_of(score: Score, levels: Sequence[Score]) -> int | None:
    """Return the index of a score on the scale, worst first; None for what is no level of it.

    >>> level_of(5, (1, 3, 5)), level_of("5", (1, 3, 5)), level_of(4, (1, 3, 5))
    (2, 2, None)
    """
    for index, level in enumerate(levels):
        if level == score or str(level) == str(score):
            return index
    return None


def _check_papers(own: Sequence[str], stated: Sequence[str], named: Sequence[str]) -> None:
    """Refuse papers that are not on the ballot, and papers that are placed twice."""
    known = set(own)
    unknown = next((paper for paper in (*stated, *named) if paper not in known), None)
    if unknown is not None:
        raise BallotRefused(f"paper {unknown[:100]} is not on this ballot")
    twice = next((paper for paper, times in Counter(stated).items() if times > 1), None)
    if twice is not None:
        raise BallotRefused(f"paper {twice} stands on the ballot twice; place it once")


def _may_leave(rules: Rules) -> bool:
    """Whether a ballot may be submitted before all papers are placed. Pairs may stop at any time."""
    return rules.may_skip or rules.top_k is not None or rules.mode == "pairs"


def _check_rules(content: BallotContent, rules: Rules) -> None:
    tied = next((group for group in content.groups if len(group) > 1), None)
    tied_pair = any(pair.outcome == "tie" for pair in content.comparisons)
    if not rules.ties and (tied or tied_pair):
        raise BallotRefused("this ballot takes no ties: put one of the papers first")
    if not rules.may_skip and content.cannot_say:
        raise BallotRefused(f"paper {content.cannot_say[0]} must be placed: none may be skipped")
    if not rules.may_skip and any(pair.outcome == "skip" for pair in content.comparisons):
        raise BallotRefused("this ballot takes no skipped pairs: choose one of the two papers")
    if rules.top_k is not None and len(content.placed) > rules.top_k:
        raise BallotRefused(
            f"{len(content.placed)} papers are placed, and only the best {rules.top_k} are asked for"
        )


def pairs_of_groups(groups: Sequence[Sequence[str]]) -> set[Pair]:
    """Return every pair of an order given by groups, best first.

    >>> sorted(pairs_of_groups([["a"], ["b", "c"]]))
    [('a', 'b'), ('a', 'c')]
    """
    return {pair for above, below in combinations(groups, 2) for pair in product(above, below)}


def weak_order(papers: Sequence[str], pairs: set[Pair]) -> list[list[str]] | None:
    """Return groups, best first, that state exactly this transitive relation; None if none do.

    >>> weak_order("abc", {("a", "b"), ("a", "c")})
    [['a'], ['b', 'c']]
    >>> weak_order("abc", {("a", "b")}) is None
    True
    """
    below = Counter(above for above, _ in pairs)
    groups: dict[int, list[str]] = {}
    for paper in papers:
        groups.setdefault(below[paper], []).append(paper)
    found = [groups[number] for number in sorted(groups, reverse=True)]
    return found if pairs_of_groups(found) == pairs else None


def has_cycle(pairs: Iterable[Pair]) -> str | None:
    """Return a paper that would stand above itself, or None.

    >>> has_cycle([("a", "b"), ("b", "a")]), has_cycle([("a", "b")])
    ('a', None)
    """
    return min((one for one, other in closure(pairs) if one == other), default=None)


def merged(pairs: Iterable[Pair], leader: Mapping[str, str]) -> set[Pair]:
    """Return the pairs between groups of tied papers, each named by its leader."""
    return {(leader[one], leader[other]) for one, other in pairs}
