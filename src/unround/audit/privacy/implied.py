"""What the order itself implies: View -> hidden scores that follow from places, without any digits.

Of two reviews with the same given score, the one whose paper has the higher mean would stand higher if
no ranking pushed either. Where it stands lower, and the other cannot have been pushed up since its
reviewer ranked nothing below it, it was pushed down: by the paper ranked just above it. If that one is
hidden, its score is in the same cell, so the given one is the same. Likewise upwards.

Of two papers with the same given scores, neither would have the higher mean. Where one has, and one
hidden paper alone can have pushed it up or the other down, that one did. Scores that follow from given
scores and stars are not counted: these are known without any place.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.disclosure.model import OUTSIDE, View
from unround.metrics.papers import paper_means

SAME = 1e-9
CLEARLY = 1e-6  # more than solvers are wrong by


@dataclass(frozen=True)
class Implied:
    """A hidden review next to one in view, and the score that it was given."""

    reviewer: int
    paper: int
    above: bool
    level: float


def implied(view: View) -> list[Implied]:
    """Return the hidden scores that the order of a view implies."""
    columns, found = view["reviews"], [*_by_places(view), *_by_means(view)]
    at = {
        key: one for one, key in enumerate(zip(columns["reviewer"], columns["paper"], strict=True))
    }
    return [
        one
        for one in dict.fromkeys(found)
        if _is_open(view, at[one.reviewer, one.paper], above=one.above)
    ]


def _by_places(view: View) -> list[Implied]:
    """Return what follows from reviews that stand elsewhere than the means of their papers."""
    together = _together(view)
    found = []
    for above in (True, False):
        beside = [papers_beside(view, one, above=above) for one in range(together.size)]
        movable = np.array([bool(papers) for papers in beside], dtype=np.bool_)
        for review in np.flatnonzero(_pushed(view, together, above) & movable).tolist():
            # Of reviews that share a place, one was pushed: certainly this one if no other can be.
            alone = movable[together == together[review]].sum() == 1
            if alone and set(beside[review]) == {OUTSIDE}:
                found.append(_same_score(view, review, above))
    return found


def _by_means(view: View) -> list[Implied]:
    """Return what follows from different means of papers whose given scores are the same.

    Only papers whose reviewers have no other paper in view: their means have no other reason to differ.
    """
    columns, mean = view["reviews"], _means(view)
    papers = len(view["papers"]["paper"])
    reviews: list[list[int]] = [[] for _ in range(papers)]
    for review, paper in enumerate(columns["paper"]):
        reviews[paper].append(review)
    alike: dict[tuple[float, ...], list[int]] = {}
    for paper, own in enumerate(reviews):
        if own and all(columns["reviewer"].count(columns["reviewer"][one]) == 1 for one in own):
            given = tuple(sorted(columns["score"][one] for one in own))
            alike.setdefault(given, []).append(paper)
    found = []
    for same in alike.values():
        for high, low in permutations(same, 2):
            if mean[high] > mean[low] + CLEARLY:
                pushes = [
                    (review, above)
                    for paper, above in ((high, False), (low, True))
                    for review in reviews[paper]
                    for _ in papers_beside(view, review, above=above)
                ]
                if len(pushes) == 1:
                    found.append(_same_score(view, *pushes[0]))
    return found


def _same_score(view: View, review: int, above: bool) -> Implied:
    columns = view["reviews"]
    reviewer, paper = columns["reviewer"][review], columns["paper"][review]
    return Implied(reviewer, paper, above, columns["score"][review])


def _is_open(view: View, review: int, *, above: bool) -> bool:
    """Tell whether given scores and stars leave the hidden paper beside a review a choice of scores."""
    columns, levels = view["reviews"], view["scale"]["levels"]
    reviewer, score = columns["reviewer"][review], columns["score"][review]
    if score == (levels[-1] if above else levels[0]):
        return False
    groups = view["rankings"][reviewer]["groups"]
    groups = groups[::-1] if above else groups
    place = next((at for at, group in enumerate(groups) if columns["paper"][review] in group), None)
    beyond = [] if place is None else [one for group in groups[place + 2 :] for one in group]
    rows = zip(columns["reviewer"], columns["paper"], columns["score"], strict=True)
    return not any(
        who == reviewer and paper in beyond and given == score for who, paper, given in rows
    )


def _together(view: View) -> IntArray:
    """Return a number for each set of reviews of one paper with the same level and place."""
    columns = view["reviews"]
    keys = zip(columns["paper"], columns["score"], columns["dequantized"], strict=True)
    numbers: dict[tuple[int, float, float], int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def _pushed(view: View, together: IntArray, above: bool) -> BoolArray:
    """Return which places were pushed by a paper on one side: a peer that nothing pushes so far tells."""
    columns, sign = view["reviews"], 1.0 if above else -1.0
    given, score = np.array(columns["score"]), sign * np.array(columns["dequantized"])
    mean = sign * _means(view)[np.array(columns["paper"], dtype=np.int64)]
    pushed, judged = np.zeros(given.size, dtype=np.bool_), set[int]()
    for peer in range(given.size):
        group = int(together[peer])
        if group in judged:
            continue
        judged.add(group)
        peers = np.flatnonzero(together == group).tolist()
        if not any(papers_beside(view, one, above=not above) for one in peers):
            lower = score < score[peer] - SAME
            pushed |= lower & (given == given[peer]) & (mean >= mean[peer] - SAME)
    return pushed


def _means(view: View) -> FloatArray:
    """Return the mean of each paper: as stated, or of the reviews."""
    if view["statistics"] is not None:
        return np.array([np.nan if one is None else one for one in view["statistics"]["mean"]])
    paper = np.array(view["reviews"]["paper"], dtype=np.int64)
    papers = len(view["papers"]["paper"])
    return paper_means(np.array(view["reviews"]["dequantized"]), paper, papers)


def papers_beside(view: View, review: int, *, above: bool) -> list[int]:
    """Return what the reviewer compares this paper with on one side: the next group, stated pairs."""
    reviewer, paper = view["reviews"]["reviewer"][review], view["reviews"]["paper"][review]
    said = view["rankings"][reviewer]
    beside: list[int] = []
    for place, group in enumerate(said["groups"]):
        next_to = place - 1 if above else place + 1
        if paper in group and 0 <= next_to < len(said["groups"]):
            beside += said["groups"][next_to]
    for better, worse in said["pairs"]:
        if (worse if above else better) == paper:
            beside.append(better if above else worse)
    return beside
