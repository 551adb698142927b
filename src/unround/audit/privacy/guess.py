"""The statistical attack: how well a model guesses a hidden neighbour's score from a view.

For every review in view whose reviewer ranked exactly one hidden paper just above or below it, the
score of that paper is guessed by a multinomial regression. The baseline knows given scores and stars;
the other one also what the disclosure adds: places, or digits. Both are trained on the hidden scores of
some area chairs and judged on the others: a stronger adversary than any area chair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from unround.arrays import FloatArray, IntArray
from unround.audit.privacy.attack import deduce_hidden_reviews, papers_beside
from unround.disclosure.model import OUTSIDE, View

FOLDS = 2
PENALTY = 1e-4
MOST_STEPS = 4  # levels between neighbours; more are rare, and count as that many
MOST_PLACES = 6


@dataclass(frozen=True)
class Neighbour:
    """A hidden paper just above or below a review in view, with features of what is known."""

    reviewer: int
    paper: int
    above: bool
    given: tuple[float, ...]
    shown: tuple[float, ...]


class _Seen:
    """A view with its reviews by paper, and by reviewer and paper."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.columns = view["reviews"]
        self.of_paper: dict[int, list[int]] = {}
        self.at: dict[tuple[int, int], int] = {}
        pairs = zip(self.columns["reviewer"], self.columns["paper"], strict=True)
        for review, (reviewer, paper) in enumerate(pairs):
            self.of_paper.setdefault(paper, []).append(review)
            self.at[reviewer, paper] = review

    def given(self, paper: int) -> list[float]:
        """Return the given scores of a paper."""
        return [self.columns["score"][review] for review in self.of_paper[paper]]

    def scores(self, paper: int) -> list[float]:
        """Return the dequantized scores of a paper, as shown."""
        return [self.columns["dequantized"][review] for review in self.of_paper[paper]]


@dataclass(frozen=True)
class GuessRates:
    """The share of hidden neighbours' scores that were guessed right."""

    neighbours: int
    baseline: float
    accuracy: float

    @property
    def gain(self) -> float:
        """Points above the baseline."""
        return 100.0 * (self.accuracy - self.baseline)


def neighbours(view: View) -> list[Neighbour]:
    """Return every hidden neighbour of a review in view."""
    seen, columns = _Seen(view), view["reviews"]
    claimed = {(one.reviewer, one.paper): one for one in deduce_hidden_reviews(view)}
    found = []
    for review in range(len(columns["paper"])):
        reviewer, paper = columns["reviewer"][review], columns["paper"][review]
        for above in (True, False):
            if papers_beside(view, review, above=above) == [OUTSIDE]:
                claim = claimed.get((reviewer, paper))
                known = claim is not None and claim.above == above
                same = claim is not None and claim.level == columns["score"][review]
                shown = (*_places(seen, review, above), float(known), float(known and same))
                found.append(Neighbour(reviewer, paper, above, _given(seen, review, above), shown))
    return found


def guess_rates(groups: Sequence[Sequence[tuple[Neighbour, int]]]) -> GuessRates:
    """Return how often scores are guessed right, trained on some groups and judged on the others.

    Each neighbour comes with its label: how many levels its score lies beyond the review's.
    """
    items = [(number, *item) for number, group in enumerate(groups) for item in group]
    if len(items) < FOLDS:
        return GuessRates(len(items), 0.0, 0.0)
    fold = np.array([number % FOLDS for number, _, _ in items])
    truth = np.clip([steps for _, _, steps in items], -1, MOST_STEPS) + 1
    given = np.array([one.given for _, one, _ in items])
    shown = np.array([one.given + one.shown for _, one, _ in items])
    return GuessRates(len(items), _accuracy(given, truth, fold), _accuracy(shown, truth, fold))


def _accuracy(features: FloatArray, truth: IntArray, fold: IntArray) -> float:
    right = np.zeros(truth.size, dtype=np.bool_)
    for each in range(FOLDS):
        learned, judged = fold != each, fold == each
        if learned.any() and judged.any():
            scale = features[learned].std(axis=0) + 1e-9
            centre = features[learned].mean(axis=0)
            ready = np.column_stack([(features - centre) / scale, np.ones(truth.size)])
            weights = _fitted(ready[learned], truth[learned], int(truth.max()) + 1)
            right[judged] = (ready[judged] @ weights).argmax(axis=1) == truth[judged]
    return float(right.mean())


def _fitted(features: FloatArray, truth: IntArray, classes: int) -> FloatArray:
    """Return the weights of a multinomial regression with a small penalty."""
    target = np.eye(classes)[truth]

    def loss(flat: FloatArray) -> tuple[float, FloatArray]:
        weights = flat.reshape(features.shape[1], classes)
        logits = features @ weights
        logits -= logits.max(axis=1, keepdims=True)
        odds = np.exp(logits)
        odds /= odds.sum(axis=1, keepdims=True)
        likely = float(np.log(np.maximum((odds * target).sum(axis=1), 1e-300)).mean())
        slope = features.T @ (odds - target) / truth.size + 2 * PENALTY * weights
        return PENALTY * float((weights**2).sum()) - likely, slope.ravel()

    start = np.zeros(features.shape[1] * classes)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 100})
    return np.asarray(found.x).reshape(features.shape[1], classes)


def _given(seen: _Seen, review: int, above: bool) -> tuple[float, ...]:
    """Features of given scores and stars: the room beyond the own level, what stands on either side."""
    view, columns, side = seen.view, seen.columns, 1 if above else -1
    paper, score = columns["paper"][review], columns["score"][review]
    levels = view["scale"]["levels"][:: 1 if above else -1]
    room = [float(level == score) for level in levels]
    groups = view["rankings"][columns["reviewer"][review]]["groups"]
    groups = groups[::-1] if above else groups
    place = next((at for at, group in enumerate(groups) if paper in group), 0)
    beyond = _next_in_view(seen, review, groups[place + 1 :])
    behind = _next_in_view(seen, review, groups[:place][::-1])
    pull = side * (float(np.mean(seen.given(paper))) - score)
    return (
        *room,
        *(float(place == at) for at in range(MOST_PLACES)),
        *(float(len(groups) - place == at) for at in range(MOST_PLACES)),
        *(pull, pull * pull, pull * float(len(groups) - place)),
        *(0.0 if one is None else side * one for one in (beyond, behind)),
        *(float(one is None) for one in (beyond, behind)),
        *(float(one == 0.0) for one in (beyond, behind)),
    )


def _next_in_view(seen: _Seen, review: int, groups: list[list[int]]) -> float | None:
    """Return the score of the first paper in view among groups, less the review's; None without one."""
    columns = seen.columns
    near = next((one for group in groups for one in group if one != OUTSIDE), None)
    if near is None:
        return None
    other = seen.at[columns["reviewer"][review], near]
    return columns["score"][other] - columns["score"][review]


def _places(seen: _Seen, review: int, above: bool) -> tuple[float, ...]:
    """Features of places: where the review stands in its cell, and among its paper's equal scores."""
    columns, side = seen.columns, 1 if above else -1
    paper, score = columns["paper"][review], columns["score"][review]
    own, lower, upper = (columns[name][review] for name in ("dequantized", "lower", "upper"))
    place = side * (2 * own - lower - upper) / (upper - lower)
    rows = zip(seen.scores(paper), seen.given(paper), strict=True)
    same = [value for value, given in rows if given == score]
    beyond = sum(side * (one - own) > 0 for one in same)
    behind = sum(side * (one - own) < 0 for one in same)
    pull = side * (float(np.mean(seen.given(paper))) - score)
    return (
        *(place, place * place, place * pull, abs(place)),
        *(float(beyond > behind), float(behind > beyond), float(len(same) == 1)),
        *(place * float(len(same) == 1), float(beyond > 0), float(behind > 0)),
        *_statistics_beyond(seen, paper, side),
    )


def _statistics_beyond(seen: _Seen, paper: int, side: int) -> tuple[float, ...]:
    """How far a paper's statistics lie beyond its shown reviews, where the view states them."""
    stated, own = seen.view["statistics"], seen.scores(paper)
    if stated is None:
        return (0.0, 0.0, 0.0)
    nearest = (stated["max"], max(own)) if side > 0 else (stated["min"], min(own))
    known = (
        nearest,
        (stated["mean"], float(np.mean(own))),
        (stated["spread"], max(own) - min(own)),
    )
    near, mean, spread = ((column[paper] or 0.0) - shown for column, shown in known)
    return side * near, side * mean, spread
