"""Paper centres: towards them scores are pulled, and they are the means of the scores.

Legend: z given score, m centre of the paper, w = 1/(1+λ) the pull of the centre.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unround.arrays import FloatArray, IntArray


@njit(cache=True, nogil=True)
def pull_towards_centres(
    given: FloatArray,
    paper: IntArray,
    centres: FloatArray,
    weight: float,
    lower: FloatArray,
    upper: FloatArray,
    target: FloatArray,
    scores: FloatArray,
) -> None:
    """Write target = z + w (m − z), and scores = that clipped to the cells."""
    for review in range(given.size):
        wish = given[review] + weight * (centres[paper[review]] - given[review])
        target[review] = wish
        scores[review] = min(max(wish, lower[review]), upper[review])


@njit(cache=True, nogil=True)
def paper_means(
    scores: FloatArray,
    paper_start: IntArray,
    by_paper: IntArray,
    centres: FloatArray,
    means: FloatArray,
) -> float:
    """Write each paper's mean score; return the largest distance from `centres`."""
    furthest = 0.0
    for paper in range(centres.size):
        first, last = paper_start[paper], paper_start[paper + 1]
        total = 0.0
        for k in range(first, last):
            total += scores[by_paper[k]]
        means[paper] = total / (last - first)
        furthest = max(furthest, abs(means[paper] - centres[paper]))
    return furthest


@njit(cache=True, nogil=True)
def scores_only_centres(
    given: FloatArray,
    weight: float,
    lower: FloatArray,
    upper: FloatArray,
    paper_start: IntArray,
    by_paper: IntArray,
) -> FloatArray:
    """The centres when nothing is ranked: each solves m = mean of clip(z + w (m − z)).

    The right side minus m falls strictly and is piecewise linear: Newton steps kept inside a
    shrinking bracket reach the piece with the root, and then the root itself.
    """
    centres = np.empty(paper_start.size - 1)
    for paper in range(centres.size):
        first, last = paper_start[paper], paper_start[paper + 1]
        low, high = np.inf, -np.inf
        for k in range(first, last):
            low = min(low, lower[by_paper[k]])
            high = max(high, upper[by_paper[k]])
        centre = 0.5 * (low + high)
        for _ in range(200):
            constant, free = 0.0, 0
            for k in range(first, last):
                review = by_paper[k]
                wish = given[review] + weight * (centre - given[review])
                if wish <= lower[review]:
                    constant += lower[review]
                elif wish >= upper[review]:
                    constant += upper[review]
                else:
                    constant += (1.0 - weight) * given[review]
                    free += 1
            root = constant / ((last - first) - weight * free)
            if root == centre:
                break
            if root > centre:
                low = centre
            else:
                high = centre
            centre = root if low <= root <= high else 0.5 * (low + high)
        centres[paper] = centre
    return centres
