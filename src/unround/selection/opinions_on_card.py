"""Conferences like one on a GPU, drawn there: the model of "auto+", its opinions, scores and rankings.

The model is that of simulation.py. Random numbers come from a counter, so that each draw is the same on every
run; they are others than the processor's, and λ may differ where errors are nearly equal.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int64

from unround.arrays import FloatArray
from unround.card.draws import normal
from unround.card.index import index_papers
from unround.card.launch import THREADS, CardArray, blocks_of, cuda, for_each
from unround.scale import Scale
from unround.selection.simulation import LEAST_NOISE
from unround.solver.gpu.conference import CardConference
from unround.solver.gpu.counting import MOST_LEVELS, level_counts

OF_PAPERS, OF_REVIEWS = 0, 1  # streams of random numbers


class CardModel(NamedTuple):
    """How opinions may have come about: a paper's centre plus normal noise."""

    centre: CardArray  # one per paper
    centre_sd: CardArray
    noise_sd: float
    steps: int  # levels of opinion inside one cell; 0 = continuous


class Opinions(NamedTuple):
    """A drawn conference: what reviewers think, and what follows from it; one entry per review."""

    opinion: CardArray
    level: CardArray
    step: CardArray  # the level of opinion, if there are levels
    worth: CardArray


@cuda.jit
def _average(
    start: CardArray, places: CardArray, level: CardArray, values: CardArray, mean: CardArray
) -> None:
    paper = cuda.grid(1)
    if paper < mean.size:
        total, count = 0.0, start[paper + 1] - start[paper]
        for k in range(start[paper], start[paper + 1]):
            total += values[level[places[k]]]
        mean[paper] = total / count if count > 0 else math.nan


@cuda.jit(device=True)
def _add_block(value: float, row: int, sums: CardArray) -> None:
    part = cuda.shared.array(THREADS, float64)
    cuda.syncthreads()
    part[cuda.threadIdx.x] = value
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        total = 0.0
        for other in range(THREADS):
            total += part[other]
        sums[row, cuda.blockIdx.x] = total


@cuda.jit
def _sum_papers(start: CardArray, mean: CardArray, around: float, sums: CardArray) -> None:
    """Add up distances of means from a number, their squares, 1/reviews, and papers, block by block."""
    distance = square = inverse = papers = 0.0
    for paper in range(cuda.grid(1), mean.size, cuda.gridsize(1)):
        count = start[paper + 1] - start[paper]
        if count > 0:
            away = mean[paper] - around
            distance += away
            square += away * away
            inverse += 1.0 / count
            papers += 1.0
    _add_block(distance, 0, sums)
    _add_block(square, 1, sums)
    _add_block(inverse, 2, sums)
    _add_block(papers, 3, sums)


@cuda.jit
def _sum_reviews(
    paper: CardArray, level: CardArray, values: CardArray, mean: CardArray, sums: CardArray
) -> None:
    square = 0.0
    for k in range(cuda.grid(1), paper.size, cuda.gridsize(1)):
        away = values[level[k]] - mean[paper[k]]
        square += away * away
    _add_block(square, 0, sums)


@cuda.jit
def _shrink(
    start: CardArray,
    grand: float,
    between: float,
    within: float,
    rounding: float,
    centre: CardArray,
    centre_sd: CardArray,
) -> None:
    """Turn means into centres, shrunk to the grand mean, with their standard deviations."""
    paper = cuda.grid(1)
    if paper < centre.size:
        count = start[paper + 1] - start[paper]
        ratio = 0.0
        if count > 0 and between > 0.0:
            ratio = between / (between + within / count)
        centre[paper] = grand + ratio * (centre[paper] - grand) if count > 0 else grand
        known = max(within / count, rounding) if count > 0 else 0.0
        centre_sd[paper] = math.sqrt(ratio * known)


@cuda.jit
def _count_ties(start: CardArray, level: CardArray, worth: CardArray, counts: CardArray) -> None:
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


def fit_on_card(conference: CardConference, scale: Scale) -> CardModel:
    """Estimate centres, shrunk to the grand mean by the variance ratio, and noise, less that of rounding."""
    values = cuda.to_device(scale.values)
    index = index_papers(conference.paper, conference.papers)
    mean = cuda.device_array(conference.papers, dtype=np.float64)
    for_each(_average, mean.size, index.start, index.places, conference.level, values, mean)
    total, _, inverse, papers = _sums(_sum_papers, 4, mean.size, index.start, mean, 0.0)
    centre = total / papers
    _, square, _, _ = _sums(_sum_papers, 4, mean.size, index.start, mean, centre)
    reviews = int(conference.paper.size)
    (around,) = _sums(_sum_reviews, 1, reviews, conference.paper, conference.level, values, mean)
    within = around / max(reviews - papers, 1.0)
    of_means = square / (papers - 1.0) if papers > 1.0 else 0.0
    between = max(of_means - within * inverse / papers, 0.0)
    counts = level_counts(conference.level, scale.values.size)
    width = float(counts @ (scale.upper - scale.lower)) / reviews
    rounding, grand = width**2 / 12.0, float(counts @ scale.values) / reviews
    spread = cuda.device_array(conference.papers, dtype=np.float64)
    for_each(_shrink, mean.size, index.start, grand, between, within, rounding, mean, spread)
    noise = math.sqrt(max(within - rounding, (LEAST_NOISE * width) ** 2))
    return CardModel(mean, spread, noise, _steps(conference, scale))


def _steps(conference: CardConference, scale: Scale) -> int:
    """Estimate the levels of opinion inside one cell from the ties in rankings, as simulation.py does."""
    found = cuda.to_device(np.zeros(2, dtype=np.int64))
    for_each(
        _count_ties, conference.start.size - 1,
        conference.start, conference.level, conference.worth, found,
    )  # fmt: skip
    equal, tied = (int(count) for count in found.copy_to_host())
    if tied in (0, equal):
        return 0
    # A byte tells all levels of opinion apart.
    return min(max(round(equal / tied), 2), MOST_LEVELS // scale.values.size)


def _sums(kernel: Any, rows: int, count: int, *arguments: Any) -> list[float]:
    """Add up numbers by block on the card and by fsum here: always in the same order."""
    sums = cuda.device_array((rows, blocks_of(count)), dtype=np.float64)
    kernel[sums.shape[1], THREADS](*arguments, sums)
    return [math.fsum(row) for row in sums.copy_to_host()]


@cuda.jit
def _draw_centres(model: CardModel, key: int, drawn: CardArray) -> None:
    paper = cuda.grid(1)
    if paper < drawn.size:
        drawn[paper] = model.centre[paper] + model.centre_sd[paper] * normal(paper, OF_PAPERS, key)


@cuda.jit
def _draw_opinions(
    paper: CardArray,
    centre: CardArray,
    noise: float,
    key: int,
    lower: CardArray,
    upper: CardArray,
    steps: int,
    drawn: Opinions,
) -> None:
    """Draw what each reviewer thinks of a paper, and round it to the nearest level."""
    k = cuda.grid(1)
    if k < paper.size:
        opinion = centre[paper[k]] + noise * normal(k, OF_REVIEWS, key)
        opinion = min(max(opinion, lower[0]), upper[upper.size - 1])
        level = 0
        while level < upper.size - 1 and opinion > upper[level]:
            level += 1
        if steps > 0:
            width = upper[level] - lower[level]
            step = int64(math.floor((opinion - lower[level]) / width * steps))
            step = min(max(step, 0), steps - 1)
            opinion = lower[level] + width * (step + 0.5) / steps
            drawn.step[k] = level * steps + step
        drawn.opinion[k], drawn.level[k] = opinion, level


@cuda.jit
def _rank(
    start: CardArray,
    worth: CardArray,
    steps: int,
    member: CardArray,
    was: CardArray,
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


def draw_on_card(conference: CardConference, model: CardModel, scale: Scale, key: int) -> Opinions:
    """Draw opinions, and the scores and rankings that follow from them."""
    reviews = int(conference.paper.size)
    centre = cuda.device_array(conference.papers, dtype=np.float64)
    for_each(_draw_centres, centre.size, model, key, centre)
    drawn = Opinions(
        cuda.device_array(reviews, dtype=np.float64),
        *(cuda.device_array(reviews, dtype=np.uint8) for _ in range(3)),
    )
    ends: list[FloatArray] = [scale.lower, scale.upper]
    for_each(
        _draw_opinions, reviews,
        conference.paper, centre, model.noise_sd, key, *map(cuda.to_device, ends), model.steps, drawn,
    )  # fmt: skip
    member = cuda.device_array(reviews, dtype=np.int32)
    was = cuda.device_array(reviews, dtype=np.uint8)
    for_each(
        _rank, conference.start.size - 1,
        conference.start, conference.worth, model.steps, member, was, drawn,
    )  # fmt: skip
    return drawn
