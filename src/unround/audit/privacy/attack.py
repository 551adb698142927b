"""The certain attacks: View -> hidden scores that follow from its digits, or from its order alone.

Digits: at the optimum (y − ȳ) + λ(y − z) is the force of the reviewer's ranking on a score, or zero. A
score that is pushed up stands exactly ε above the paper it is compared with, one that is pushed down
exactly ε below. Where no review in view explains a push, a hidden one does: its score is y ∓ ε, which lies
in the cell of the score that was given; and as it is pushed back as hard, the mean of its paper follows.

Order: of two papers with the same given scores, neither would have the higher mean if no ranking pushed.
Where one has, and one hidden paper alone can have pushed it up or the other down, that one did: it was
given the same score. Scores that follow from given scores and stars alone are not counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from unround.arrays import FloatArray
from unround.disclosure.model import View
from unround.metrics.papers import paper_means
from unround.scale import Scale

PRECISION = 1e-6  # parts of views have so many digits, and solvers fewer errors


@dataclass(frozen=True)
class ImpliedScore:
    """The score of a hidden review: the neighbour of one in view in its reviewer's ranking."""

    reviewer: int  # numbers of the view
    paper: int
    above: bool  # whether the hidden one is ranked higher
    level: float  # as it was given


@dataclass(frozen=True)
class DeducedReview(ImpliedScore):
    """A hidden review computed from digits."""

    score: float  # dequantized
    mean: float  # of the hidden paper, dequantized, if nothing else pushes the hidden review


def deduce_hidden_reviews(view: View) -> list[DeducedReview]:
    """Return everything that follows from the digits of a view, where it has any."""
    lam, columns = view["run"]["lam"], view["reviews"]
    if not columns["dequantized"] or not isinstance(lam, float | int):
        return []
    reviewer, paper = np.array(columns["reviewer"]), np.array(columns["paper"])
    given, score = np.array(columns["score"]), np.array(columns["dequantized"])
    mean = paper_means(score, paper, len(view["papers"]["paper"]))
    force = (score - mean[paper]) + lam * (score - given)
    room = np.minimum(score - np.array(columns["lower"]), np.array(columns["upper"]) - score)
    levels = np.array(view["scale"]["levels"])
    gap = view["run"]["settings"]["epsilon"] * Scale(view["scale"]["levels"]).spacing
    found = []
    for index in np.flatnonzero((room > PRECISION) & (np.abs(force) > PRECISION * (1 + lam))):
        above = bool(force[index] < 0)
        hidden = float(score[index]) + (gap if above else -gap)
        theirs = score[reviewer == reviewer[index]]
        # No review in view by the same reviewer stands where the push comes from.
        if not np.any(np.abs(theirs - hidden) < PRECISION):
            level = float(levels[np.searchsorted((levels[1:] + levels[:-1]) / 2, hidden)])
            others = hidden + lam * (hidden - level) + float(force[index])
            pair = int(reviewer[index]), int(paper[index])
            found.append(DeducedReview(*pair, above, level, score=hidden, mean=others))
    return found


def implied_scores(view: View) -> list[ImpliedScore]:
    """Return the hidden scores that the order of the papers of a view implies.

    Only papers whose reviewers have no other paper in view: their means have no other reason to differ.
    """
    columns, height = view["reviews"], paper_heights(view)
    reviews: list[list[int]] = [[] for _ in view["papers"]["paper"]]
    for review, paper in enumerate(columns["paper"]):
        reviews[paper].append(review)
    alike: dict[tuple[float, ...], list[int]] = {}
    for paper, own in enumerate(reviews):
        if own and all(columns["reviewer"].count(columns["reviewer"][one]) == 1 for one in own):
            given = tuple(sorted(columns["score"][one] for one in own))
            alike.setdefault(given, []).append(paper)
    found: dict[tuple[int, bool], None] = {}
    for same in alike.values():
        for high, low in permutations(same, 2):
            if height[high] > height[low] + PRECISION:
                pushes = [
                    (review, above)
                    for paper, above in ((high, False), (low, True))
                    for review in reviews[paper]
                    for _ in papers_beside(view, review, above=above)
                ]
                if len(pushes) == 1:
                    found[pushes[0]] = None
    ends = {above: view["scale"]["levels"][-1 if above else 0] for above in (True, False)}
    claims = [
        ImpliedScore(
            columns["reviewer"][review], columns["paper"][review], above, columns["score"][review]
        )
        for review, above in found
    ]
    # Beyond the last level there is no choice: such a score is known without a page.
    return [one for one in claims if one.level != ends[one.above]]


def paper_heights(view: View) -> FloatArray:
    """Return a number per paper that is higher for the better one: its mean, or its place from the end."""
    papers = len(view["papers"]["paper"])
    if view["order"] is not None:
        return np.array([np.nan if place is None else -place for place in view["order"]], float)
    paper = np.array(view["reviews"]["paper"], dtype=np.int64)
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
