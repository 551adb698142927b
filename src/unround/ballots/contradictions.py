"""Pairs that a ballot orders against the reviewer's own scores, with what they answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unround.ballots.content import Answer, Content, Paper, Score, level_of
from unround.ballots.relation import Pair


@dataclass(frozen=True)
class Contradiction:
    """A paper placed above another one with a higher score."""

    above: str
    below: str
    score_above: Score
    score_below: Score
    answer: Answer | None  # None: not answered yet


def find_contradictions(
    content: Content, papers: Sequence[Paper], order: Iterable[Pair], levels: Sequence[Score] = ()
) -> list[Contradiction]:
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
        if level_above is None or level_below is None or level_above >= level_below:
            continue
        assert score_above is not None
        assert score_below is not None
        found.append(
            Contradiction(above, below, score_above, score_below, answers.get((above, below)))
        )
    places = {paper: place for place, paper in enumerate(content.placed)}
    last = len(places)
    return sorted(
        found,
        key=lambda one: (
            places.get(one.above, last),
            places.get(one.below, last),
            one.above,
            one.below,
        ),
    )
