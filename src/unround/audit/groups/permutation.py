"""The permutation test: whether a group fares worse than groups that are dealt out at random.

If a column says nothing about how units fare, its values could be dealt out to the units again at random.
Each group's statistic is compared with that of many such deals, in standard deviations; a group fares
significantly worse if hardly any deal has a group, of any size and in any statistic, that stands out as much
(Westfall and Young's single-step maxT). So the chance of any false warning is 5%, however many groups there
are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.progress import StepProgress

MOST, LEAST = 999, 199
# About this many reviews are dealt in all.
REVIEWS_TO_DEAL = 40_000_000

# Group of each unit -> one row per statistic, one column per group; larger is worse, NaN if unknown.
Statistics = Callable[[IntArray], FloatArray]


def number_of_deals(reviews: int) -> int:
    """Return how often groups of so many reviews are dealt out: less often where there are many."""
    return int(np.clip(REVIEWS_TO_DEAL // max(reviews, 1), LEAST, MOST))


def compare_groups(
    statistics: Statistics,
    group: IntArray,
    deals: int,
    random: np.random.Generator,
    progress: StepProgress,
) -> FloatArray:
    """Compare the statistics of groups with those of random deals of the groups to the units.

    Return adjusted p-values, one row per statistic and one column per group.
    """
    observed = statistics(group)
    drawn = np.empty((deals, *observed.shape))
    for deal in range(deals):
        drawn[deal] = statistics(random.permutation(group))
        progress(deal + 1, deals)
    return adjusted(observed, drawn)


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


def against_others(error: FloatArray, size: IntArray) -> FloatArray:
    """Return how much larger each group's error is than the mean of the others', weighted by reviews.

    >>> import numpy as np
    >>> against_others(np.array([0.3, 0.1, 0.2]), np.array([10, 30, 10])).round(3).tolist()
    [0.175, -0.15, 0.05]
    """
    weight = np.where(np.isnan(error), 0, size)
    known = np.where(np.isnan(error), 0.0, error)
    rest = weight.sum() - weight
    others = (weight @ known - weight * known) / np.where(rest > 0, rest, 1)
    return np.where(rest > 0, error - others, np.nan)
