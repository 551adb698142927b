"""The certain attack: View -> hidden scores and means that follow from its digits.

At the optimum (y − ȳ) + λ(y − z) is the force of the reviewer's ranking on a score, or zero. A score
that is pushed up stands exactly ε above the paper it is compared with, one that is pushed down exactly
ε below. Where no review in view explains a push, a hidden one does: its score is y ∓ ε, which lies in
the cell of the score that was given; and as it is pushed back as hard, the mean of its paper follows.
Nothing but the view is used: λ is fitted where its digits are missing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.disclosure.model import View
from unround.metrics.papers import paper_means

PRECISION = 1e-6  # parts of views have so many digits, and solvers fewer errors
GRID = tuple(math.exp(step / 4) for step in range(-8, 40))
# Without a ranking that pushes, a force is zero. If fewer are, the digits are not those of a run.
LEAST_AT_REST = 0.2


@dataclass(frozen=True)
class Claim:
    """What is computed about a hidden review: a neighbour of one in view in its reviewer's ranking."""

    reviewer: int  # numbers of the view
    paper: int
    above: bool  # whether the hidden one is ranked higher
    score: float  # dequantized
    level: float  # as it was given
    mean: float  # of the hidden paper, dequantized, if nothing else pushes the hidden review


@dataclass(frozen=True)
class _Reviews:
    """The columns that the attack needs, as arrays, and the force on each review."""

    reviewer: IntArray
    paper: IntArray
    given: FloatArray
    score: FloatArray
    force: FloatArray
    free: BoolArray  # inside its cell, so that only rankings push


def claims(view: View) -> list[Claim]:
    """Return everything that follows from the digits of a view; nothing where they fit no λ."""
    lam = _lambda(view)
    if lam is None:
        return []
    reviews = _reviews(view, lam)
    gap = view["run"]["settings"]["epsilon"] * _spacing(view)
    found = []
    for index in np.flatnonzero(reviews.free & (np.abs(reviews.force) > PRECISION * (1 + lam))):
        above = bool(reviews.force[index] < 0)
        hidden = float(reviews.score[index]) + (gap if above else -gap)
        if not _explained(reviews, int(index), hidden):
            found.append(_claim(view, reviews, int(index), lam, hidden))
    return found


def _claim(view: View, reviews: _Reviews, index: int, lam: float, hidden: float) -> Claim:
    levels = np.array(view["scale"]["levels"])
    level = float(levels[np.searchsorted((levels[1:] + levels[:-1]) / 2, hidden)])
    back = -float(reviews.force[index])
    return Claim(
        reviewer=int(reviews.reviewer[index]),
        paper=int(reviews.paper[index]),
        above=back > 0,
        score=hidden,
        level=level,
        mean=hidden + lam * (hidden - level) - back,
    )


def _explained(reviews: _Reviews, index: int, score: float) -> bool:
    """Whether a review in view by the same reviewer stands where the push comes from."""
    same = reviews.reviewer == reviews.reviewer[index]
    return bool(np.any(same & (np.abs(reviews.score - score) < PRECISION)))


def _lambda(view: View) -> float | None:
    """Return the λ under which most scores are at rest: as shown, or one near it on the usual grid."""
    shown = view["run"]["lam"]
    if not isinstance(shown, float | int) or not view["reviews"]["paper"]:
        return None
    rest = {lam: _at_rest(view, lam) for lam in (float(shown), *GRID)}
    best = max(rest, key=lambda lam: rest[lam])
    return best if rest[best] >= LEAST_AT_REST else None


def _at_rest(view: View, lam: float) -> float:
    """Return the share of reviews without a force, among those that moved at all."""
    reviews = _reviews(view, lam)
    moved = reviews.free & (np.abs(reviews.score - reviews.given) > PRECISION)
    still = np.abs(reviews.force) < PRECISION * (1 + lam)
    return float(still[moved].mean()) if moved.any() else 0.0


def _reviews(view: View, lam: float) -> _Reviews:
    columns = view["reviews"]
    score, given = np.array(columns["dequantized"]), np.array(columns["score"])
    paper = np.array(columns["paper"], dtype=np.int64)
    mean = paper_means(score, paper, len(view["papers"]["paper"]))
    inside = np.minimum(score - np.array(columns["lower"]), np.array(columns["upper"]) - score)
    return _Reviews(
        reviewer=np.array(columns["reviewer"], dtype=np.int64),
        paper=paper,
        given=given,
        score=score,
        force=(score - mean[paper]) + lam * (score - given),
        free=inside > PRECISION,
    )


def _spacing(view: View) -> float:
    levels = view["scale"]["levels"]
    return min((high - low for low, high in pairwise(levels)), default=1.0)
