"""Conferences on a GPU: reviews as arrays, laid out for sweeps there, and conferences drawn like them.

The model of the draws is that of selection/simulation.py (lam="auto+"). A seed gives the same draws on
every run; they differ from the processor's, and λ may differ where errors are nearly equal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.gpu.launch import GpuArray, cuda, for_each, xp
from unround.gpu.layout import GpuLayout, length_class
from unround.gpu.metrics import index_groups, level_counts, paper_means, starts_of
from unround.gpu.projections import GpuChains, GpuReviews
from unround.scale import Scale
from unround.selection.simulation import estimate_opinions

# Cells that rounding alone closes are open: chains are tightened with the same allowance.
ROUNDING = 1e-12


class GpuConference(NamedTuple):
    """Reviews on the GPU, those of a reviewer one after the other."""

    start: GpuArray  # int32: where each reviewer's reviews start, and the end
    paper: GpuArray  # int32
    level: GpuArray  # uint8: the position of the score on the scale, worst = 0
    worth: GpuArray  # uint8: the place in the reviewer's ranking, worst = 0, ties alike
    papers: int


class ReorderedConference(NamedTuple):
    """A conference made of rows in another order, and the row of each of its reviews."""

    conference: GpuConference
    row: GpuArray


class ConferenceLayout(NamedTuple):
    """A layout, and the review of the conference at each of its places."""

    layout: GpuLayout
    member: GpuArray


def group_by_reviewer(
    reviewer: GpuArray,
    reviewers: int,
    paper: GpuArray,
    papers: int,
    level: GpuArray,
    worth: GpuArray,
) -> ReorderedConference:
    """Put rows in the order of reviewers. Raise UsageError where one reviewed a paper twice."""
    repeated = paper.size - xp.unique(reviewer.astype(xp.int64) * papers + paper).size
    if repeated:
        raise UsageError(
            f"{repeated} reviews are of a paper that the same reviewer has reviewed before: keep one of them"
        )
    start, row = index_groups(reviewer, reviewers)
    return ReorderedConference(
        GpuConference(start, paper[row], level[row], worth[row], papers), row
    )


@cuda.jit
def _find_first_papers(start: GpuArray, paper: GpuArray, first: GpuArray) -> None:
    reviewer = cuda.grid(1)
    if reviewer < first.size:
        least = paper[start[reviewer]]
        for k in range(start[reviewer] + 1, start[reviewer + 1]):
            least = min(least, paper[k])
        first[reviewer] = least


@cuda.jit
def _write_rows(order: GpuArray, start: GpuArray, new_start: GpuArray, row: GpuArray) -> None:
    """Write where the reviews of the reviewer at one place of an order were."""
    place = cuda.grid(1)
    if place < order.size:
        for k in range(new_start[place], new_start[place + 1]):
            row[k] = start[order[place]] + k - new_start[place]


def order_by_paper(conference: GpuConference) -> ReorderedConference:
    """Put reviewers in the order of the smallest number among their papers. All have a review.

    A sweep then fetches one paper of each reviewer in order, and its scores when the mean is taken.
    """
    first = xp.empty(conference.start.size - 1, dtype=xp.int32)
    for_each(_find_first_papers, first.size, conference.start, conference.paper, first)
    order = xp.argsort(first, kind="stable")
    start = starts_of(xp.diff(conference.start)[order])
    row = xp.empty(conference.paper.size, dtype=xp.int32)
    for_each(_write_rows, order.size, order, conference.start, start, row)
    paper, level, worth = (column[row] for column in conference[1:4])
    return ReorderedConference(GpuConference(start, paper, level, worth, conference.papers), row)


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
    conference: GpuConference, worth: GpuArray, code: GpuArray, cells: FloatArray, gap: float
) -> ConferenceLayout:
    """Lay out the reviews in the order of `worth`, with cells by code. Raise UsageError without room."""
    reviews, reviewers = conference.paper.size, conference.start.size - 1
    member = xp.empty(reviews, dtype=xp.int32)
    height = xp.empty(reviews, dtype=xp.uint8)
    for_each(_arrange, reviewers, conference.start, worth, member, height)
    placed = GpuReviews(code[member], conference.paper[member], xp.asarray(cells))
    chains = GpuChains(conference.start, height, xp.asarray(np.array([gap])))
    _check_room(placed, chains, gap)
    sizes = xp.diff(conference.start)
    layout = GpuLayout(
        placed,
        chains,
        (length_class(int(sizes.min()), int(sizes.max()), 0, reviewers),),
        None,
        (reviews, reviews),
        index_groups(placed.paper, conference.papers),
    )
    return ConferenceLayout(layout, member)


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
            if highest + shift > cells[2, reviews.code[k]] + ROUNDING:
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


MOST_LEVELS = 256  # of opinion: they are kept in one byte


class GpuModel(NamedTuple):
    """How opinions may have come about: a paper's centre plus normal noise."""

    centre: GpuArray  # one per paper
    centre_sd: GpuArray
    noise_sd: float
    steps: int  # levels of opinion inside one cell; 0 = continuous


class Opinions(NamedTuple):
    """A drawn conference: what reviewers think, and what follows from it; one entry per review."""

    opinion: GpuArray
    level: GpuArray
    step: GpuArray  # the level of opinion, if there are levels
    worth: GpuArray


def fit_on_gpu(conference: GpuConference, scale: Scale) -> GpuModel:
    """Estimate the model; a paper without reviews has the grand mean as its centre, for sure."""
    index = index_groups(conference.paper, conference.papers)
    given = xp.asarray(scale.values)[conference.level]
    mean, count = paper_means(index, given), xp.diff(index.start)
    reviewed = count > 0
    counts = level_counts(conference.level, scale.values.size)
    width = float(counts @ (scale.upper - scale.lower)) / given.size
    own_centre, own_sd, noise_sd = estimate_opinions(
        given, mean[conference.paper], mean[reviewed], count[reviewed], width
    )
    centre, centre_sd = xp.full(count.size, float(given.mean())), xp.zeros(count.size)
    centre[reviewed], centre_sd[reviewed] = own_centre, own_sd
    return GpuModel(centre, centre_sd, noise_sd, _steps(conference, scale))


@cuda.jit
def _count_ties(start: GpuArray, level: GpuArray, worth: GpuArray, counts: GpuArray) -> None:
    """Count each reviewer's pairs of equal score, and those among them that are tied in rank."""
    reviewer = cuda.grid(1)
    if reviewer < start.size - 1:
        equal = tied = int64(0)
        for k in range(start[reviewer], start[reviewer + 1]):
            for other in range(start[reviewer], k):
                if level[k] == level[other]:
                    equal += 1
                    tied += 1 if worth[k] == worth[other] else 0
        cuda.atomic.add(counts, 0, equal)
        cuda.atomic.add(counts, 1, tied)


def _steps(conference: GpuConference, scale: Scale) -> int:
    """Estimate the levels of opinion inside one cell from the ties in rankings, as simulation.py does."""
    found = xp.zeros(2, dtype=xp.int64)
    for_each(
        _count_ties, conference.start.size - 1,
        conference.start, conference.level, conference.worth, found,
    )  # fmt: skip
    equal, tied = (int(count) for count in found)
    if tied in (0, equal):
        return 0
    return min(max(round(equal / tied), 2), MOST_LEVELS // scale.values.size)


@cuda.jit
def _rank(
    start: GpuArray,
    worth: GpuArray,
    steps: int,
    member: GpuArray,
    was: GpuArray,
    drawn: Opinions,
) -> None:
    """Rank by opinion: continuous ones tie in groups as large as before, those on levels by themselves."""
    reviewer = cuda.grid(1)
    if reviewer >= start.size - 1:
        return
    first = start[reviewer]
    for k in range(first, start[reviewer + 1]):
        spot = k
        while spot > first and drawn.opinion[member[spot - 1]] > drawn.opinion[k]:
            member[spot] = member[spot - 1]
            spot -= 1
        member[spot] = k
        spot = k
        while spot > first and was[spot - 1] > worth[k]:
            was[spot] = was[spot - 1]
            spot -= 1
        was[spot] = worth[k]
    rank = 0
    for k in range(first, start[reviewer + 1]):
        if k > first and drawn.opinion[member[k]] != drawn.opinion[member[k - 1]]:
            rank += 1
        drawn.worth[member[k]] = rank if steps > 0 else was[k]


def draw_on_gpu(conference: GpuConference, model: GpuModel, scale: Scale, seed: int) -> Opinions:
    """Draw opinions, and the scores and rankings that follow from them."""
    random, reviews = xp.random.default_rng(seed), conference.paper.size
    centre = model.centre + model.centre_sd * random.standard_normal(model.centre.size)
    opinion = centre[conference.paper] + model.noise_sd * random.standard_normal(reviews)
    opinion = xp.clip(opinion, float(scale.lower[0]), float(scale.upper[-1]))
    lower, upper = xp.asarray(scale.lower), xp.asarray(scale.upper)
    level = xp.searchsorted(upper[:-1], opinion)
    step = xp.zeros(reviews, dtype=xp.uint8)
    if model.steps:
        low, width = lower[level], (upper - lower)[level]
        place = xp.clip(xp.floor((opinion - low) / width * model.steps), 0, model.steps - 1)
        opinion = low + width * (place + 0.5) / model.steps
        step = (level * model.steps + place).astype(xp.uint8)
    drawn = Opinions(opinion, level.astype(xp.uint8), step, xp.empty(reviews, dtype=xp.uint8))
    member, was = xp.empty(reviews, dtype=xp.int32), xp.empty(reviews, dtype=xp.uint8)
    for_each(
        _rank, conference.start.size - 1,
        conference.start, conference.worth, model.steps, member, was, drawn,
    )  # fmt: skip
    return drawn
