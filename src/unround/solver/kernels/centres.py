"""Paper centres: the means of the scores, towards which scores are pulled.

Legend: z given score, m centre of the paper, w = 1/(1+λ) the pull of the centre.
"""

from __future__ import annotations

import numpy as np

from unround.arrays import FloatArray, IntArray, ShortArray
from unround.compiler import compiled
from unround.solver.kernels.arguments import Sweep, SweptReviews


@compiled
def sweep_singles(first: int, last: int, reviews: SweptReviews, sweep: Sweep) -> None:
    """Write the scores z + w (m − z), clipped, of reviews in no comparison, and add them up by paper."""
    given, paper, lower, upper = reviews
    centres, weight, scores, sums = sweep
    for k in range(first, last):
        wish = given[k] + weight * (centres[paper[k]] - given[k])
        scores[k] = min(max(wish, lower[k]), upper[k])
        sums[paper[k]] += scores[k]


@compiled
def move_centres(
    sums: FloatArray, count: FloatArray, centres: FloatArray, means: FloatArray
) -> float:
    """Write each paper's mean, adding blocks in their order; return how far any centre moved."""
    furthest = 0.0
    for paper in range(centres.size):
        total = 0.0
        for block in range(sums.shape[0]):
            total += sums[block, paper]
        means[paper] = total / count[paper]
        furthest = max(furthest, abs(means[paper] - centres[paper]))
    return furthest


@compiled
def scores_only_centres(
    given: FloatArray,
    weight: float,
    lower: FloatArray,
    upper: FloatArray,
    paper_start: IntArray,
    by_paper: ShortArray,
) -> FloatArray:
    """Return the centres when nothing is ranked: each solves m = mean of clip(z + w (m − z))."""
    centres = np.empty(paper_start.size - 1)
    for paper in range(centres.size):
        centres[paper] = scores_only_centre(
            given, weight, lower, upper, by_paper, paper_start[paper], paper_start[paper + 1]
        )
    return centres


@compiled
def scores_only_centre(
    given: FloatArray,
    weight: float,
    lower: FloatArray,
    upper: FloatArray,
    by_paper: ShortArray,
    first: int,
    last: int,
) -> float:
    """Return the centre of one paper, whose reviews are by_paper[first:last].

    The right side minus m falls strictly and is piecewise linear: Newton steps kept inside a
    shrinking bracket reach the piece with the root, and then the root itself.
    """
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
    return centre
