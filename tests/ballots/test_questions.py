"""Asking about pairs: as many questions as binary insertion needs, and every stop is valid."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unround.ballots.content import BallotContent, BallotRefused, PairOutcome, Rules
from unround.ballots.questions import KnownOrder, next_question
from unround.ballots.statements import order_of
from unround.problem.orders import closure

# The most questions that binary insertion asks about n papers (OEIS A001855).
WORST = {1: 0, 2: 1, 3: 3, 4: 5, 5: 8, 6: 11, 7: 14, 8: 17, 9: 21, 10: 25, 11: 29, 12: 33, 20: 69}


def _settled(papers: list[str], answer) -> list[PairOutcome]:
    """All answers until nothing is left to ask; no question is asked twice."""
    comparisons: list[PairOutcome] = []
    left = None
    while (question := next_question(papers, comparisons)) is not None:
        outcome = answer(question.first, question.second)
        comparisons.append(PairOutcome(question.first, question.second, outcome))
        if left is not None and "skip" not in {one.outcome for one in comparisons}:
            assert question.left <= left - 1 or any(one.outcome == "tie" for one in comparisons)
        left = question.left
    assert len({frozenset((one.first, one.second)) for one in comparisons}) == len(comparisons)
    return comparisons


def _by_place(places: dict[str, int]):
    def answer(first: str, second: str):
        if places[first] == places[second]:
            return "tie"
        return "first" if places[first] < places[second] else "second"

    return answer


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6])
def test_every_order_of_few_papers_is_found_with_the_promised_questions(count: int):
    papers = [str(number) for number in range(count)]
    most = 0
    for order in permutations(papers):
        places = {paper: place for place, paper in enumerate(order)}
        comparisons = _settled(papers, _by_place(places))
        most = max(most, len(comparisons))
        stated = order_of(
            BallotContent(unplaced=tuple(papers), comparisons=tuple(comparisons)), PAIRS
        )
        assert (stated.groups or [[papers[0]]]) == [[paper] for paper in order]
    assert most == WORST[count]


PAIRS = Rules(mode="pairs")


@settings(max_examples=60)
@given(st.data())
def test_ties_and_skips_leave_what_was_said(data: st.DataObject):
    count = data.draw(st.integers(2, 14))
    papers = [str(number) for number in range(count)]
    places = {paper: data.draw(st.integers(0, 6)) for paper in papers}
    skipped = data.draw(st.sets(st.tuples(st.sampled_from(papers), st.sampled_from(papers))))
    truthful = _by_place(places)

    def answer(first: str, second: str):
        both = {(first, second), (second, first)}
        return "skip" if both & skipped else truthful(first, second)

    comparisons = _settled(papers, answer)
    for stop in range(len(comparisons) + 1):
        known = KnownOrder.of(papers, comparisons[:stop])
        for above, below in known.pairs():
            assert places[above] < places[below]
        assert closure(known.pairs()) == known.pairs()
    if not skipped:
        full = {(a, b) for a in papers for b in papers if places[a] < places[b]}
        assert KnownOrder.of(papers, comparisons).pairs() == full


@pytest.mark.parametrize("count", [7, 8, 9, 10, 11, 12, 20])
def test_the_promised_number_of_questions_is_the_worst_case(count: int):
    question = next_question([str(number) for number in range(count)], [])
    assert question is not None
    assert question.left == WORST[count]


def test_the_last_answer_about_a_pair_counts_and_a_circle_is_refused():
    papers = ["a", "b", "c"]
    turned = [PairOutcome("a", "b", "first"), PairOutcome("b", "a", "first")]
    assert KnownOrder.of(papers, turned).pairs() == {("b", "a")}
    circle = [PairOutcome("a", "b", "first"), PairOutcome("b", "c", "first")]
    with pytest.raises(BallotRefused, match="round in a circle"):
        KnownOrder.of(papers, [*circle, PairOutcome("a", "c", "second")])
    with pytest.raises(BallotRefused, match="round in a circle"):
        KnownOrder.of(papers, [*circle, PairOutcome("a", "c", "tie")])
