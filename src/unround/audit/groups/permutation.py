"""Which groups fare worse than others: a permutation test, corrected for all groups at once.

If a column says nothing about how units fare, its values could be dealt out to the units anew. That
is done many times. Each group's statistic is compared with what it is under such deals, in standard
deviations, and a group fares significantly worse if hardly any deal has a group, of any size and in any
statistic, that stands out as much (Westfall and Young's single-step maxT). So the chance of any false
warning at all is 5%, however many groups there are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.progress import StepProgress

LEVEL = 0.05
MOST, LEAST = 999, 199
# About this many reviews are dealt out in all.
REVIEWS_TO_DEAL = 40_000_000

# Group of each unit -> one row per statistic, one column per group; larger is worse, NaN if unknown.
Statistics = Callable[[IntArray], FloatArray]


@dataclass(frozen=True)
class Tested:
    """Adjusted p-values, one row per statistic and one column per group, and how many deals there were."""

    p_value: FloatArray
    deals: int


def compare_groups(
    statistics: Statistics,
    group: IntArray,
    reviews: int,
    random: np.random.Generator,
    progress: StepProgress,
) -> Tested:
    """Deal the groups out to the units anew, and compare."""
    deals = int(np.clip(REVIEWS_TO_DEAL // max(reviews, 1), LEAST, MOST))
    observed = statistics(group)
    drawn = np.empty((deals, *observed.shape))
    for deal in range(deals):
        drawn[deal] = statistics(random.permutation(group))
        progress(deal + 1, deals)
    return Tested(adjusted(observed, drawn), deals)


def adjusted(observed: FloatArray, drawn: FloatArray) -> FloatArray:
    """Return the p-values of single-step maxT; 1 where a statistic is unknown or never varies."""
    everything = np.concatenate([observed[None], drawn])
    known = np.isfinite(everything).all(axis=0)
    centre = np.where(known, everything, 0.0).mean(axis=0)
    spread = np.where(known, everything, 0.0).std(axis=0)
    varies = known & (spread > 1e-12)
    standard = (everything - centre) / np.where(varies, spread, 1.0)
    standard[:, ~varies] = -np.inf
    largest = standard.reshape(len(standard), -1).max(axis=1)
    beyond = (largest[:, None, None] >= standard[0] - 1e-9).mean(axis=0)
    return np.where(varies, beyond, 1.0)
