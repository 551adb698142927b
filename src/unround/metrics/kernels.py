"""Counting pairs: the kernel behind the Kendall-tau error."""

from __future__ import annotations

import numpy as np

from unround.arrays import FloatArray, ShortArray
from unround.compiler import compiled


@compiled
def extent(estimate: FloatArray, unit: float) -> tuple[float, float]:
    """The least and the largest estimate, in whole units; NaN if any is."""
    least, most = np.inf, -np.inf
    for value in estimate:
        if np.isnan(value):
            return np.nan, np.nan
        least, most = min(least, value), max(most, value)
    return np.rint(least * unit), np.rint(most * unit)


@compiled
def count_by_sorting(truth: ShortArray, estimate: FloatArray, levels: int) -> tuple[int, int]:
    """Pairs that the estimate reverses, and pairs that it ties though the truth does not.

    Unchecked: `estimate` ascending, `truth` its true ranks in 0 .. levels-1.
    """
    # tree is a Fenwick tree of how many reviews with a smaller estimate have each true rank.
    tree = np.zeros(levels + 1, np.int64)
    within = np.zeros(levels, np.int64)
    wrong = 0
    tied = 0
    start = 0
    while start < truth.size:
        stop = start
        while stop < truth.size and estimate[stop] == estimate[start]:
            seen = 0
            node = truth[stop] + 1
            while node > 0:
                seen += tree[node]
                node -= node & -node
            wrong += start - seen
            tied += stop - start - within[truth[stop]]
            within[truth[stop]] += 1
            stop += 1
        for review in range(start, stop):
            within[truth[review]] = 0
            node = truth[review] + 1
            while node <= levels:
                tree[node] += 1
                node += node & -node
        start = stop
    return wrong, tied


@compiled
def count_by_histogram(
    truth: ShortArray, estimate: FloatArray, unit: float, least: float, span: int, levels: int
) -> tuple[int, int]:
    """The same counts in linear time, for estimates rounded to whole units from `least` on.

    Unchecked: every estimate falls on one of `span` units.
    """
    table = np.zeros((span, levels), np.int64)
    for review in range(truth.size):
        table[int(np.rint(estimate[review] * unit) - least), truth[review]] += 1
    # below[t]: reviews with a smaller estimate and the true rank t.
    below = np.zeros(levels, np.int64)
    wrong = 0
    tied = 0
    for value in range(span):
        higher = 0
        seen = 0
        for level in range(levels - 1, -1, -1):
            here = table[value, level]
            if here > 0:
                wrong += here * higher
                tied += here * seen
                seen += here
            higher += below[level]
        if seen > 0:
            for level in range(levels):
                below[level] += table[value, level]
    return wrong, tied
