"""What a ballot means: contradictions, answers, and what a run is told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unround.ballots.content import (
    BallotContent,
    BallotPaper,
    BallotRefused,
    ContradictionAnswer,
    PairOutcome,
    Rules,
    checked,
    empty_content,
    pairs_of_groups,
)
from unround.ballots.statements import (
    BallotStatements,
    find_contradictions,
    order_of,
    statements_of,
)
from unround.problem.orders import closure, covering_pairs

LEVELS = (1, 2, 3, 4, 5)


def _papers(**levels: int | None) -> list[BallotPaper]:
    return [
        BallotPaper(name, None, score=None if level is None else level + 1, level=level)
        for name, level in levels.items()
    ]


ABC = _papers(a=1, b=2, c=2)  # scores 2, 3, 3
ORDER = BallotContent(groups=(("a",), ("b",), ("c",)))


def _with(*answers: tuple[str, str, str], **more) -> BallotContent:
    return BallotContent(
        groups=ORDER.groups, answers=tuple(ContradictionAnswer(*one) for one in answers), **more
    )


def _found(content: BallotContent, papers=ABC) -> list[tuple]:
    order = order_of(content, Rules()).above
    found = find_contradictions(content, papers, order, LEVELS)
    return [(one.above, one.below, one.score_above, one.score_below, one.answer) for one in found]


def test_contradictions_are_pairs_above_a_higher_score():
    assert _found(ORDER) == [("a", "b", 2, 3, None), ("a", "c", 2, 3, None)]
    assert _found(_with(("a", "b", "both")))[0][-1] == "both"
    assert _found(BallotContent(groups=(("a", "b", "c"),))) == []
    assert _found(ORDER, _papers(a=None, b=2, c=2)) == []


def test_a_changed_score_counts_in_place_of_the_given_one():
    assert _found(_with(scores={"a": 4})) == []
    assert _found(_with(scores={"b": "5", "c": "2"})) == [("a", "b", 2, 5, None)]


@pytest.mark.parametrize(
    ("answers", "unanswered", "ranks"),
    [
        ([], "keep", {"a": 1, "b": 2, "c": 3}),
        ([], "drop", {"b": 1, "c": 2}),
        ([("a", "b", "order"), ("a", "c", "both")], "keep", {"a": 1, "b": 2, "c": 3}),
        ([("a", "b", "score"), ("a", "c", "unsure")], "keep", {"b": 1, "c": 2}),
        # The open one alone would bring back what was taken back: a above b, and b above c.
        ([("a", "c", "score")], "keep", {"b": 1, "c": 2}),
        ([("a", "b", "score")], "keep", {"a": 1, "b": 1, "c": 2}),
    ],
)
def test_answers_decide_what_a_run_gets(answers, unanswered, ranks):
    said = statements_of(_with(*answers), ABC, Rules(), LEVELS, unanswered=unanswered)
    assert (dict(said.ranks), said.pairs) == (ranks, ())


def test_an_order_that_ranks_cannot_state_is_pairs():
    papers = _papers(a=1, b=0, c=2, d=1)
    content = BallotContent(groups=(("a",), ("b",), ("c",), ("d",)))
    said = statements_of(content, papers, Rules(), unanswered="drop")
    assert said.is_partial
    assert said.pairs == (("a", "b"), ("a", "d"), ("c", "d"))
    nothing = BallotContent(
        groups=(("a",), ("c",)), answers=(ContradictionAnswer("a", "c", "unsure"),)
    )
    assert statements_of(nothing, papers, Rules()) == BallotStatements()


def test_ties_are_about_the_same():
    said = statements_of(BallotContent(groups=(("a", "b"), ("c",))), ABC, Rules(), LEVELS)
    assert (dict(said.ranks), said.same) == ({"a": 1, "b": 1, "c": 2}, (("a", "b"),))


def test_a_tie_does_not_bring_back_what_was_taken_back():
    """In a run papers that are about the same stand for each other."""
    content = BallotContent(
        groups=(("a", "d"), ("b",)), answers=(ContradictionAnswer("a", "b", "score"),)
    )
    said = statements_of(content, _papers(a=1, b=2, d=2), Rules(), LEVELS)
    assert (dict(said.ranks), said.pairs, said.same) == ({"d": 1, "b": 2}, (), ())


def test_only_the_best_leaves_the_others_below_once_submitted():
    content = BallotContent(groups=(("a",),), unplaced=("b",), cannot_say=("c",))
    rules = Rules(top_k=1)
    assert order_of(content, rules).above == frozenset()
    assert order_of(content, rules, submitted=True).above == {("a", "b")}
    assert order_of(content, Rules(), submitted=True).above == frozenset()


def test_what_is_forgotten_is_unplaced():
    assert empty_content(ABC).unplaced == ("a", "b", "c")
    assert checked(BallotContent(groups=(("b",), ())), ABC, Rules()) == BallotContent(
        groups=(("b",),), unplaced=("a", "c")
    )


@pytest.mark.parametrize(
    ("content", "rules", "words"),
    [
        (BallotContent(groups=(("x",),)), Rules(), "paper x is not on this ballot"),
        (BallotContent(groups=(("a",),), unplaced=("a",)), Rules(), "stands on the ballot twice"),
        (BallotContent(groups=(("a", "b"),)), Rules(ties=False), "no ties"),
        (BallotContent(cannot_say=("a",)), Rules(may_skip=False), "must be placed"),
        (
            BallotContent(comparisons=(PairOutcome("a", "b", "skip"),)),
            Rules(may_skip=False, mode="pairs"),
            "no skipped pairs",
        ),
        (BallotContent(groups=(("a",), ("b",))), Rules(top_k=1), "best 1 are asked for"),
        (BallotContent(scores={"a": 9}), Rules(), "not a score"),
        (BallotContent(answers=(ContradictionAnswer("a", "a", "both"),)), Rules(), "with itself"),
    ],
)
def test_what_breaks_the_rules_is_refused_in_words(content, rules, words):
    with pytest.raises(BallotRefused, match=words):
        checked(content, ABC, rules, LEVELS)


def test_where_none_may_be_skipped_all_are_placed_before_handing_in():
    half, strict = BallotContent(groups=(("a",),), unplaced=("b",)), Rules(may_skip=False)
    assert checked(half, ABC, strict).unplaced == ("b", "c")
    with pytest.raises(BallotRefused, match="paper b is not placed"):
        checked(half, ABC, strict, submitted=True)
    for rules in (Rules(), Rules(may_skip=False, top_k=1), Rules(may_skip=False, mode="pairs")):
        assert checked(half, ABC, rules, submitted=True).unplaced == ("b", "c")


@settings(max_examples=80)
@given(st.data())
def test_what_was_taken_back_comes_back_only_through_answers_for_the_order(data: st.DataObject):
    names = "abcdefg"[: data.draw(st.integers(2, 7))]
    papers = _papers(**{name: data.draw(st.integers(0, 4)) for name in names})
    order = data.draw(st.permutations(names))
    cuts = data.draw(st.sets(st.integers(1, len(names) - 1)))
    groups, start = [], 0
    for end in [*sorted(cuts), len(names)]:
        groups.append(tuple(order[start:end]))
        start = end
    bare = BallotContent(groups=tuple(groups))
    above = order_of(bare, Rules()).above
    choices = st.sampled_from(["order", "score", "both", "unsure", None])
    answers = {
        (one.above, one.below): data.draw(choices)
        for one in find_contradictions(bare, papers, above, LEVELS)
    }
    content = BallotContent(
        groups=tuple(groups),
        answers=tuple(
            ContradictionAnswer(*pair, answer) for pair, answer in answers.items() if answer
        ),
    )
    unanswered = data.draw(st.sampled_from(["keep", "drop"]))
    said = statements_of(content, papers, Rules(), LEVELS, unanswered=unanswered)
    by_rank: dict[int, list[str]] = {}
    for paper, rank in said.ranks:
        by_rank.setdefault(rank, []).append(paper)
    told = pairs_of_groups([by_rank[rank] for rank in sorted(by_rank)]) | closure(said.pairs)
    assert told <= above
    assert covering_pairs(closure(said.pairs)) == set(said.pairs)
    for one, other in [*said.same, *((other, one) for one, other in said.same)]:
        assert {(other, below) for above, below in told if above == one} <= told
        assert {(above, other) for above, below in told if below == one} <= told
    firm = {pair for pair in above if answers.get(pair, "order") in ("order", "both")}
    assert firm <= told  # nothing else is lost
    dropped = {pair for pair, answer in answers.items() if answer in ("score", "unsure")}
    if unanswered == "drop":
        dropped |= {pair for pair, answer in answers.items() if answer is None}
    assert told & dropped <= closure(firm)
