"""The metrics of studies: the paper's errors, ties, and the order of papers."""

from __future__ import annotations

import math

import numpy as np

from unround.arrays import FloatArray
from unround.lab.registry import metric
from unround.lab.trials.case import Case
from unround.metrics import kendall_error, l2_error, tie_grid, tie_share
from unround.metrics.papers import tied_places

LINE = 0.25  # the share of papers that there is room for


@metric("kendall", "Kendall-tau error")
def kendall(case: Case, scores: FloatArray) -> float:
    """Return the share of pairs of reviews in the wrong order, ties counted half."""
    return case.kendall(scores)


@metric("l2", "ℓ2 error")
def l2(case: Case, scores: FloatArray) -> float:
    """Return the Euclidean distance from the truth, in the truth's units."""
    return l2_error(case.truth, case.sample.in_units_of_truth(scores))


@metric("ties", "Ties (% of pairs)")
def ties(case: Case, scores: FloatArray) -> float:
    """Return the share of pairs of reviews that are tied, in percent."""
    return 100.0 * tie_share(scores)


@metric("papers", "Kendall-tau error, papers", of_papers=True)
def papers(case: Case, scores: FloatArray) -> float:
    """Return the share of pairs of papers in the wrong order of quality."""
    return kendall_error(case.quality, scores)


@metric("missed", "Best quarter missed (%)", of_papers=True)
def missed(case: Case, scores: FloatArray) -> float:
    """Return how many of the papers above the line do not belong there: 100% less precision.

    There is room for a quarter of the papers. Papers that the scores tie at the line share the room
    that is left; papers whose quality ties with the last of the best belong there too.
    """
    return 100.0 * (1.0 - precision(case.quality, scores, round(LINE * case.quality.size)))


def precision(quality: FloatArray, scores: FloatArray, room: int) -> float:
    """Return the share of the `room` papers with the best scores that are truly that good."""
    worthy = quality >= np.sort(quality)[-room]
    return float(tied_places(tie_grid(scores)).share_above(room)[worthy].sum() / room)


@metric("ties-papers", "Ties of papers (% of pairs)", of_papers=True)
def ties_of_papers(case: Case, scores: FloatArray) -> float:
    """Return the share of pairs of papers that are tied, in percent."""
    return 100.0 * tie_share(scores)


@metric("l2-least", "ℓ2 error, unmoved scores right")
def l2_least(case: Case, scores: FloatArray) -> float:
    """Return the ℓ2 error if every unmoved score were rounded to the right one of two integers.

    A score that nothing moved is exactly z, and 2z − 1/2 lies halfway between two integers: noise
    in a solver's last digit decides. With `l2-most` this is the range that noise can give.
    """
    return math.sqrt(_moved_part(case, scores)[0])


@metric("l2-most", "ℓ2 error, unmoved scores wrong")
def l2_most(case: Case, scores: FloatArray) -> float:
    """Return the ℓ2 error if every unmoved score were rounded to the wrong one of two integers."""
    moved, unmoved = _moved_part(case, scores)
    return math.sqrt(moved + unmoved)


def _moved_part(case: Case, scores: FloatArray) -> tuple[float, int]:
    unmoved = scores == case.given
    off = (case.sample.in_units_of_truth(scores) - case.truth) ** 2
    return float(np.sum(off[~unmoved])), int(unmoved.sum())
