"""A statistical attack: how well a page tells whether a hidden paper got the same score.

For every review in view whose reviewer ranked exactly one hidden paper just above or below it, a logistic
regression estimates the probability that the hidden paper was given the same score. The baseline knows
given scores and stars; the other one also what the disclosure adds: the order of papers, or digits. Both
learn from the hidden scores of some area chairs and are judged on the others: a stronger adversary than
any area chair.

A paper is displaced if it stands elsewhere among the papers in view than by the means that follow from
the scope alone, ties broken included. Hidden papers with the same score displace it, so a displacement
makes them likelier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import rankdata

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.audit.privacy.attack import deduce_hidden_reviews, paper_heights, papers_beside
from unround.audit.privacy.audit import Truth
from unround.disclosure.area_chairs import AreaChair
from unround.disclosure.model import OUTSIDE, View
from unround.disclosure.scope import Disclosure, Scope
from unround.disclosure.scores import PaperOrder, within_scope
from unround.disclosure.snapshot import Snapshot

FOLDS = 2
PENALTY = 1e-4
MOST_PLACES = 6
FEWEST = 50  # hidden neighbours that an estimate takes
RESAMPLES, COVERAGE = 400, 0.9  # of area chairs, for intervals
SEED = 9
LEAST_PROBABILITY = 1e-6
LEAST_MOVE = 1e-6


@dataclass(frozen=True)
class Neighbour:
    """A hidden paper just above or below a review in view, with features of what is known."""

    reviewer: int
    paper: int
    above: bool
    given: tuple[float, ...]
    shown: tuple[float, ...]
    displaced: (
        int  # 1: the paper in view is displaced as the hidden one would push it; -1: the other way
    )


@dataclass(frozen=True)
class Gain:
    """A measure without the page's scores and with them, and an interval of the difference."""

    before: float
    after: float
    low: float  # of after - before, from resampled area chairs
    high: float


@dataclass(frozen=True)
class Displaced:
    """Hidden neighbours of displaced papers: how many got the same score, and how many were expected to."""

    neighbours: int
    same: float  # shares
    expected: float  # by given scores and stars alone


@dataclass(frozen=True)
class GuessRates:
    """How well "the hidden paper got the same score" is guessed.

    picked  of two hidden papers, one with the same score and one with another, how often the first gets
            the higher probability (the area under the ROC curve)
    loss    the mean of -log(probability given to what is true); lower is better
    """

    neighbours: int
    picked: Gain
    loss: Gain
    towards: Displaced  # papers displaced as the hidden one would push them
    against: Displaced  # and the other way


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


def neighbours(view: View, base: FloatArray) -> list[Neighbour]:
    """Return every hidden neighbour of a review in view; `base` has the means that follow from the scope."""
    seen, columns = _Seen(view), view["reviews"]
    claimed = {(one.reviewer, one.paper): one for one in deduce_hidden_reviews(view)}
    displaced = displacements(paper_heights(view), base)
    found = []
    for review in range(len(columns["paper"])):
        reviewer, paper = columns["reviewer"][review], columns["paper"][review]
        for above in (True, False):
            if papers_beside(view, review, above=above) == [OUTSIDE]:
                claim = claimed.get((reviewer, paper))
                known = claim is not None and claim.above == above
                same = claim is not None and claim.level == columns["score"][review]
                # A hidden paper above pushes down.
                moved = int(displaced[paper]) * (-1 if above else 1)
                shown: tuple[float, ...] = (moved > 0, moved < 0, float(np.clip(moved, -3, 3)))
                if columns["dequantized"]:
                    shown += (*_places(seen, review, above), float(known), float(known and same))
                given = _given(seen, review, above)
                found.append(Neighbour(reviewer, paper, above, given, shown, int(np.sign(moved))))
    return found


def judged_neighbours(
    snapshot: Snapshot, truth: Truth, chair: AreaChair, disclosure: Disclosure
) -> list[tuple[Neighbour, bool]]:
    """Return the hidden neighbours on a page, each with whether it was given the same score."""
    page = truth.page(chair, disclosure, stars=True)
    inside = within_scope(snapshot, Scope(chair.name, chair.papers, names=True))
    beside: dict[tuple[str, str, bool], list[bool]] = {}
    columns = truth.beside(chair).select("reviewer", "paper", "above", "value", "value_hidden")
    for reviewer, paper, above, given, hidden in columns.iter_rows():
        beside.setdefault((reviewer, paper, above), []).append(given == hidden)
    found = []
    for one in neighbours(page, PaperOrder.of(snapshot, inside).base):
        key = page["reviewers"][one.reviewer], str(page["papers"]["paper"][one.paper]), one.above
        found += [(one, same) for same in beside.get(key, [])]
    return found


def displacements(height: FloatArray, base: FloatArray) -> IntArray:
    """Return how many papers each one stands above that it is not above by its base, less the reverse.

    >>> displacements(np.array([1.0, 3.0, 2.0]), np.array([1.0, 2.0, 2.0])).tolist()
    [0, 1, -1]
    """
    above = height[:, None] > height
    not_below = base[:, None] > base - LEAST_MOVE
    lifted: IntArray = (above & not_below.T).sum(axis=1) - (above.T & not_below).sum(axis=1)
    return lifted


def guess_rates(groups: Sequence[Sequence[tuple[Neighbour, bool]]]) -> GuessRates | None:
    """Return what the page adds, trained on some groups and judged on the others.

    Each neighbour comes with the truth: whether it was given the same score. None where there are too
    few neighbours, or groups, to measure.
    """
    items = [(number, *item) for number, group in enumerate(groups) for item in group]
    if len(items) < FEWEST:
        return None
    group = np.array([number for number, _, _ in items])
    truth = np.array([same for _, _, same in items], dtype=np.bool_)
    folds = [truth[group % FOLDS == each] for each in range(FOLDS)]
    if any(not part.size or part.all() or not part.any() for part in folds):
        return None
    before = _probabilities(np.array([one.given for _, one, _ in items]), truth, group)
    after = _probabilities(np.array([one.given + one.shown for _, one, _ in items]), truth, group)
    samples = _resampled(group)
    displaced = np.array([one.displaced for _, one, _ in items])
    return GuessRates(
        len(items),
        _gain(
            [
                (_picked(truth[rows], before[rows]), _picked(truth[rows], after[rows]))
                for rows in samples
            ]
        ),
        _gain(
            [
                (_loss(truth[rows], before[rows]), _loss(truth[rows], after[rows]))
                for rows in samples
            ]
        ),
        _displaced(displaced == 1, truth, before),
        _displaced(displaced == -1, truth, before),
    )


def _resampled(group: IntArray) -> list[IntArray]:
    """Return the rows of all groups, and then of groups drawn with replacement."""
    rows = [np.flatnonzero(group == one) for one in np.unique(group)]
    random = np.random.default_rng(SEED)
    drawn = random.integers(len(rows), size=(RESAMPLES, len(rows)))
    return [np.arange(group.size), *(np.concatenate([rows[one] for one in draw]) for draw in drawn)]


def _gain(measured: Sequence[tuple[float, float]]) -> Gain:
    """Return the measures of all rows, which come first, with an interval from the others."""
    added = [after - before for before, after in measured[1:]]
    low, high = np.nanquantile(added, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2])
    return Gain(*measured[0], float(low), float(high))


def _picked(truth: BoolArray, odds: FloatArray) -> float:
    count = int(truth.sum())
    pairs = count * (truth.size - count)
    return (
        float((rankdata(odds)[truth].sum() - count * (count + 1) / 2) / pairs) if pairs else np.nan
    )


def _loss(truth: BoolArray, odds: FloatArray) -> float:
    return float(-np.log(np.where(truth, odds, 1.0 - odds)).mean())


def _displaced(rows: BoolArray, truth: BoolArray, before: FloatArray) -> Displaced:
    if not rows.any():
        return Displaced(0, 0.0, 0.0)
    return Displaced(int(rows.sum()), float(truth[rows].mean()), float(before[rows].mean()))


def _probabilities(features: FloatArray, truth: BoolArray, group: IntArray) -> FloatArray:
    """Return the probability of each neighbour, by a regression on the groups of the other folds."""
    odds = np.zeros(truth.size)
    for each in range(FOLDS):
        judged = group % FOLDS == each
        scale = features[~judged].std(axis=0) + 1e-9
        centre = features[~judged].mean(axis=0)
        ready = np.column_stack([(features - centre) / scale, np.ones(truth.size)])
        weights = _fitted(ready[~judged], truth[~judged])
        odds[judged] = expit(ready[judged] @ weights)
    return np.clip(odds, LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY)


def _fitted(features: FloatArray, truth: BoolArray) -> FloatArray:
    """Return the weights of a logistic regression with a small penalty."""

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        logits = features @ weights
        likely = float(np.logaddexp(0.0, np.where(truth, -logits, logits)).mean())
        slope = features.T @ (expit(logits) - truth) / truth.size + 2 * PENALTY * weights
        return PENALTY * float(weights @ weights) + likely, slope

    found = minimize(loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B")
    return np.asarray(found.x)


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
    )
