"""Statements of one reviewer that cannot all hold: found, listed, and settled by the chosen policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.issues import Issue, Kind
from unround.problem.orders import (
    Component,
    Order,
    Steps,
    TightestPath,
    largest_gap,
    members,
    steps_of,
)
from unround.reviews.review_set import ReviewSet
from unround.settings import Policy

# An order that lacks less room than this fits: the rounding of a few additions, for numbers up to ten and
# in proportion for larger ones.
ROUNDING_UP_TO_TEN = 1e-12
# A reviewer's order with more covering pairs than this is refused: it would take minutes to solve.
MOST_PAIRS = 200_000
# An order without levels of more papers is refused where their cells must open: it would take minutes.
MOST_OPENED = 500
# Contradictions that are listed one by one for a reviewer; the others are counted.
MOST_LISTED = 1_000
# Papers that the message about a cycle names.
MOST_NAMED = 20
# Actions of issues.
SET_ASIDE, WIDENED = "comparison set aside", "rounding ranges widened"
CYCLE_SET_ASIDE = "comparisons inside the cycle set aside"


@dataclass(frozen=True)
class ReviewerOrder:
    """One reviewer's papers in the sequence of their order, with cells and statements."""

    reviews: ReviewSet
    member: IntArray  # reviews
    order: Order
    cycles: tuple[tuple[int, ...], ...]  # places
    gap: float
    lower: FloatArray  # cells
    upper: FloatArray

    @property
    def rounding(self) -> float:
        """How much room rounding alone can make an order lack."""
        largest = max(np.abs(self.lower).max(initial=10.0), np.abs(self.upper).max(initial=10.0))
        return ROUNDING_UP_TO_TEN * float(largest) / 10.0

    def label(self, place: int) -> str:
        """A paper with its score, for messages."""
        return f"{self.paper(place)} (score {self.score(place)})"

    @property
    def reviewer(self) -> object:
        """The reviewer's id."""
        return self.reviews.reviewers.labels[self.reviews.reviewer[self.member[0]]]

    def paper(self, place: int) -> object:
        """A paper's id."""
        return self.reviews.papers.labels[self.reviews.paper[self.member[place]]]

    def score(self, place: int) -> object:
        """The score that the reviewer gave a paper, as they wrote it."""
        return self.reviews.scale.levels[self.reviews.level[self.member[place]]]

    def issue(self, kind: Kind, papers: list[int], message: str, action: str) -> Issue:
        """Return an issue about some of the reviewer's papers."""
        return Issue(
            kind,
            f"reviewer {self.reviewer} {message}",
            rows=tuple(int(self.reviews.row[self.member[place]]) for place in papers),
            reviewer=self.reviewer,
            papers=tuple(self.paper(place) for place in papers),
            scores=tuple(self.score(place) for place in papers),
            action=action,
        )


@dataclass(frozen=True)
class Settled:
    """What is left of a reviewer's order, split into components, and every change that it took."""

    case: ReviewerOrder
    components: list[Component]
    issues: list[Issue]


def settle(case: ReviewerOrder, policy: Policy) -> Settled:
    """Make the reviewer's order and cells agree, as the policy says; every change is reported."""
    return POLICIES[policy].settle(case)


def _scores_rule(case: ReviewerOrder) -> Settled:
    """Set aside what contradicts the scores, and shrink a gap that does not fit."""
    against = case.order.against(case.reviews.level[case.member].tolist())
    issues = [*_cycles(case), *_contradictions(case, against, SET_ASIDE)]
    agreeing = replace(case, order=case.order.without(against))
    tightest = _tightest(agreeing)
    if tightest is not None:
        gap = tightest.gap / 2.0
        action = f"epsilon reduced to {gap / case.reviews.scale.spacing:.4g} for this reviewer"
        issues.append(_lack_of_room(case, tightest, action))
        agreeing = replace(agreeing, gap=gap)
    components = agreeing.order.split(MOST_PAIRS)
    if components is None:
        return Settled(agreeing, [], [*issues, _too_large(agreeing)])
    return Settled(agreeing, components, issues)


def _rankings_rule(case: ReviewerOrder) -> Settled:
    """Keep the order but for its cycles, and open the cells as far as it needs."""
    against = case.order.against(case.reviews.level[case.member].tolist())
    issues = [*_cycles(case), *_contradictions(case, against, WIDENED)]
    tightest = _tightest(replace(case, order=case.order.without(against)))
    if tightest is not None:
        issues.append(_lack_of_room(case, tightest, WIDENED))
    components = case.order.split(MOST_PAIRS)
    if components is None:
        return Settled(case, [], [*issues, _too_large(case)])
    opened = _with_open_cells(case, components)
    if opened is None:
        return Settled(case, [], [*issues, _too_large_to_open(case)])
    return Settled(opened, components, issues)


class Rule(NamedTuple):
    """What a policy does with one reviewer's order, and with a comparison that contradicts the scores."""

    settle: Callable[[ReviewerOrder], Settled]
    drops: bool  # whether such a comparison counts no more
    done: str  # the action of its issue


# Under "refuse" any issue stops the run (`preparation`).
POLICIES: dict[Policy, Rule] = {
    Policy.REFUSE: Rule(_scores_rule, True, SET_ASIDE),
    Policy.SCORES: Rule(_scores_rule, True, SET_ASIDE),
    Policy.RANKINGS: Rule(_rankings_rule, False, WIDENED),
}


def _cycles(case: ReviewerOrder) -> Iterator[Issue]:
    for places in case.cycles:
        names = ", ".join(case.label(place) for place in places[:MOST_NAMED])
        if len(places) > MOST_NAMED:
            names += f" and {len(places) - MOST_NAMED:,} more"
        yield case.issue(
            Kind.CYCLE,
            list(places),
            f"states a cycle among papers {names}: each would have to be better than itself; "
            "remove one of the statements",
            CYCLE_SET_ASIDE,
        )


def _contradictions(case: ReviewerOrder, against: list[int], action: str) -> Iterator[Issue]:
    total = sum(below.bit_count() for below in against)
    pairs = ((above, below) for above, lower in enumerate(against) for below in members(lower))
    for listed, (above, below) in enumerate(pairs):
        if listed == MOST_LISTED:
            message = (
                f"ranks {total - listed:,} more pairs of papers against their own scores, "
                f"{total:,} in all"
            )
            yield replace(case.issue(Kind.CONTRADICTION, [], message, action), count=total - listed)
            return
        message = f"ranks {case.label(above)} above {case.label(below)}, against their own scores"
        yield case.issue(Kind.CONTRADICTION, [above, below], message, action)


def _tightest(case: ReviewerOrder) -> TightestPath | None:
    """Return the largest gap for which the order fits into the cells, None if this one does."""
    components = case.order.split(MOST_PAIRS)
    if components is None:
        return None  # refused later, unless other statements rule
    steps = steps_of(len(case.order), components)
    return largest_gap(steps, case.lower, case.upper, case.gap, case.rounding)


def _lack_of_room(case: ReviewerOrder, tightest: TightestPath, action: str) -> Issue:
    unit = case.reviews.scale.spacing
    message = (
        f"ranks {tightest.steps + 1} papers in a row from {case.label(tightest.best)} down to "
        f"{case.label(tightest.worst)}: epsilon {case.gap / unit:g} does not fit between their "
        f"scores, the largest that does is {tightest.gap / unit:.4g}"
    )
    return case.issue(Kind.NO_ROOM, [tightest.best, tightest.worst], message, action)


def _too_large(case: ReviewerOrder) -> Issue:
    message = (
        f"ranks {len(case.order):,} papers in an order of more than {MOST_PAIRS:,} separate "
        "comparisons, too many to solve; leave some of this reviewer's statements out"
    )
    return case.issue(Kind.TOO_LARGE, [], message, "")


def _too_large_to_open(case: ReviewerOrder) -> Issue:
    message = (
        f"compares more than {MOST_OPENED:,} papers, not all ranked in one list, against their own "
        "scores: too many to find out how far rounding ranges must widen; leave some of this "
        "reviewer's statements out"
    )
    return case.issue(Kind.TOO_LARGE, [], message, "")


def _with_open_cells(case: ReviewerOrder, components: Sequence[Component]) -> ReviewerOrder | None:
    """Widen the cells just as far as the order needs: by the least total square.

    None where a component without levels is too large for that.
    """
    steps = steps_of(len(case.order), components)
    short = steps.lowest(case.lower, case.gap)[0] > case.upper + case.rounding
    lower, upper = case.lower.copy(), case.upper.copy()
    for component in components:
        inside = list(members(component.places))
        if short[inside].any():
            if component.levels is None and len(inside) > MOST_OPENED:
                return None
            lower[inside], upper[inside] = _open_component(case, component, inside)
    return replace(case, lower=lower, upper=upper) if short.any() else case


def _open_component(
    case: ReviewerOrder, component: Component, inside: list[int]
) -> tuple[FloatArray, FloatArray]:
    from unround.problem.open_cells import open_levels, open_order  # loads Numba

    lower, upper = case.lower[inside], case.upper[inside]
    place = {paper: number for number, paper in enumerate(inside)}
    if component.levels is not None:
        height = np.empty(len(inside), dtype=np.int64)
        for number, level in enumerate(component.levels):
            height[[place[paper] for paper in members(level)]] = number
        return open_levels(height, lower, upper, case.gap)
    steps = [(place[low], place[high], 1) for high, low in component.pairs]
    return open_order(Steps(len(inside), len(inside), steps), lower, upper, case.gap)
