"""Conferences on a GPU: reviews as arrays, laid out for sweeps there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unround.errors import UsageError
from unround.gpu.launch import GpuArray, cuda, for_each, xp
from unround.gpu.layout import GpuLayout, length_class
from unround.gpu.metrics import index_groups
from unround.gpu.projections import GpuChains, GpuReviews
from unround.scale import Scale

# Cells that rounding alone closes are open: chains are tightened with the same allowance.
ROUNDING_SCORE = 1e-12


class GpuConference(NamedTuple):
    """Reviews on the GPU, those of a reviewer one after the other."""

    start: GpuArray  # int32: where each reviewer's reviews start, and the end
    paper: GpuArray  # int32
    level: GpuArray  # uint8: the position of the score on the scale, worst = 0
    worth: GpuArray  # uint8: the place in the reviewer's ranking, worst = 0, ties alike
    papers: int


def group_by_reviewer(
    reviewer: GpuArray,
    reviewers: int,
    paper: GpuArray,
    papers: int,
    level: GpuArray,
    worth: GpuArray,
) -> tuple[GpuConference, GpuArray]:
    """Put rows in the order of reviewers, and return the row of each review.

    Raise UsageError where a reviewer reviewed a paper twice.
    """
    repeated = paper.size - xp.unique(reviewer.astype(xp.int64) * papers + paper).size
    if repeated:
        raise UsageError(
            f"{repeated} reviews are of a paper that the same reviewer has reviewed before: keep one of them"
        )
    start, row = index_groups(reviewer, reviewers)
    return GpuConference(start, paper[row], level[row], worth[row], papers), row


@cuda.jit
def _arrange(start: GpuArray, worth: GpuArray, member: GpuArray, height: GpuArray) -> None:
    """Sort each reviewer's reviews, worst first, and number their levels."""
    reviewer = cuda.grid(1)
    if reviewer < start.size - 1:
        first = start[reviewer]
        for k in range(first, start[reviewer + 1]):
            spot = k
            while spot > first and worth[member[spot - 1]] > worth[k]:
                member[spot] = member[spot - 1]
                spot -= 1
            member[spot] = k
        level = 0
        for k in range(first, start[reviewer + 1]):
            if k > first and worth[member[k]] != worth[member[k - 1]]:
                level += 1
            height[k] = level


def arrange(
    conference: GpuConference, worth: GpuArray, code: GpuArray, scale: Scale, epsilon: float
) -> tuple[GpuLayout, GpuArray]:
    """Lay out reviews in the order of `worth`, with cells by code; return the review at each place too.

    Raise UsageError where a reviewer's statements have no room.
    """
    reviews, reviewers = conference.paper.size, conference.start.size - 1
    member = xp.empty(reviews, dtype=xp.int32)
    height = xp.empty(reviews, dtype=xp.uint8)
    for_each(_arrange, reviewers, conference.start, worth, member, height)
    cells = xp.asarray(np.stack([scale.values, scale.lower, scale.upper]))
    gap = epsilon * scale.spacing
    placed = GpuReviews(code[member], conference.paper[member], cells)
    chains = GpuChains(conference.start, height, xp.asarray(np.array([gap])))
    _check_room(placed, chains, gap)
    layout = GpuLayout(
        placed,
        chains,
        (length_class(int(xp.diff(conference.start).max()), 0, reviewers),),
        None,
        (reviews, reviews),
        index_groups(placed.paper, conference.papers),
    )
    return layout, member


@cuda.jit
def _count_without_room(
    reviews: GpuReviews, chains: GpuChains, gap: float, count: GpuArray
) -> None:
    """Count the reviewers whose statements cannot all hold in their cells."""
    start, height, cells = chains.start, chains.height, reviews.cells
    reviewer = cuda.grid(1)
    if reviewer < start.size - 1:
        highest = passed = -np.inf
        for k in range(start[reviewer], start[reviewer + 1]):
            if k > start[reviewer] and height[k] != height[k - 1]:
                highest = passed
            shift = height[k] * gap
            passed = max(passed, cells[1, reviews.code[k]] - shift)
            if highest + shift > cells[2, reviews.code[k]] + ROUNDING_SCORE:
                cuda.atomic.add(count, 0, 1)
                break


def _check_room(reviews: GpuReviews, chains: GpuChains, gap: float) -> None:
    count = xp.zeros(1, dtype=xp.int32)
    for_each(_count_without_room, chains.start.size - 1, reviews, chains, gap, count)
    found = int(count[0])
    if found:
        raise UsageError(
            f"the rankings of {found} reviewers contradict their scores or have no room between them: "
            "settle them first, as unround.dequantize does with tables"
        )
