"""What chairs sort by: min, max, mean, median and spread of a paper's scores."""

from __future__ import annotations

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.problem import Problem


def paper_statistics(values: FloatArray, problem: Problem) -> dict[str, FloatArray]:
    """Each statistic, one entry a paper. `values` holds one entry a review."""
    start, end = problem.paper_start[:-1], problem.paper_start[1:]
    count = end - start
    ascending = _ascending(values[problem.by_paper], start, count)
    least, most = ascending[start], ascending[end - 1]
    sums = np.bincount(problem.paper, weights=values, minlength=problem.papers)
    middle = (ascending[start + (count - 1) // 2] + ascending[start + count // 2]) / 2.0
    # A mean of equal values may leave their range by a rounding: it stays inside.
    mean = np.clip(sums / count, least, most)
    return {"min": least, "max": most, "mean": mean, "median": middle, "spread": most - least}


def _ascending(values: FloatArray, start: IntArray, count: IntArray) -> FloatArray:
    """Every paper's values sorted, in place: papers with equally many reviews at a time."""
    for reviews in np.flatnonzero(np.bincount(count)).tolist():
        places = start[count == reviews][:, None] + np.arange(reviews)
        values[places] = np.sort(values[places], axis=1)
    return values
