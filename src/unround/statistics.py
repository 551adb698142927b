"""What chairs sort by: min, max, mean, median and spread of a paper's scores."""

from __future__ import annotations

import numpy as np

from unround.arrays import FloatArray
from unround.problem import Problem


def paper_statistics(values: FloatArray, problem: Problem) -> dict[str, FloatArray]:
    """Each statistic, one entry a paper. `values` holds one entry a review."""
    start, end = problem.paper_start[:-1], problem.paper_start[1:]
    count = end - start
    ascending = values[np.lexsort((values, problem.paper))]
    least, most = ascending[start], ascending[end - 1]
    sums = np.bincount(problem.paper, weights=values, minlength=problem.papers)
    middle = (ascending[start + (count - 1) // 2] + ascending[start + count // 2]) / 2.0
    # A mean of equal values may leave their range by a rounding: it stays inside.
    mean = np.clip(sums / count, least, most)
    return {"min": least, "max": most, "mean": mean, "median": middle, "spread": most - least}
