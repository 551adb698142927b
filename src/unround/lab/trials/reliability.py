"""Reliability of P(accept): of the papers given 70%, 70% should be among the best quarter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unround.arrays import FloatArray
from unround.lab.trials.case import Case

BINS = 10
SHARE = 0.25  # of the papers there is room for


class Reliability(NamedTuple):
    """Papers by their probability, in bins of equal width."""

    papers: FloatArray  # how many
    expected: FloatArray  # sum of their probabilities
    inside: FloatArray  # how many are truly among the best


def reliability(case: Case) -> Reliability:
    """Compare the posterior's probabilities with the papers' true places."""
    quality = case.quality
    room = round(SHARE * quality.size)
    probability = case.posterior.p_top(room).sort("paper")["probability"].to_numpy()
    best = np.zeros(quality.size)
    best[np.argsort(-quality, kind="stable")[:room]] = 1.0
    place = np.minimum((probability * BINS).astype(np.int64), BINS - 1)
    counts, expected, inside = (
        np.bincount(place, weights=weights, minlength=BINS).astype(np.float64)
        for weights in (np.ones(quality.size), probability, best)
    )
    return Reliability(counts, expected, inside)
