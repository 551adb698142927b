"""Conferences like one on a GPU, drawn there: the model of "auto+", its opinions, scores and rankings.

The model is that of selection/simulation.py. A seed gives the same draws on every run; they are others than
the processor's, and λ may differ where errors are nearly equal.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import int64

from unround.gpu.conference import GpuConference
from unround.gpu.kendall import level_counts
from unround.gpu.launch import GpuArray, cuda, for_each, xp
from unround.gpu.papers import index_groups, paper_means
from unround.scale import Scale
from unround.selection.simulation import estimate_opinions

MOST_LEVELS = 256  # of opinion, which one byte tells apart


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
