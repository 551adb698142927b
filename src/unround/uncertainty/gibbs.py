"""The Gibbs sampler: opinions, paper effects, reviewer effects and their variances, sweep by sweep.

    opinion of review i on paper p by reviewer r:   x_i = m_p + b_r + e_i
    m_p ~ N(grand, between²),   b_r ~ N(0, strictness²),   e_i ~ N(0, noise²)

with every opinion in its cell and in its reviewer's order. The three standard deviations are uniform
on (0, range], the grand mean is uniform over the range of the scale. Some reviewers are random: their
opinions are uniform over that range, whatever the paper. Their share has a Beta prior.

Opinions in narrow cells hold their paper's effect fast, and a plain sampler then creeps. So every
effect is drawn twice per sweep: once given the opinions, and once together with them, keeping the
distances between the effect and its opinions (interweaving). A level common to all reviewers moves over
to the papers and their grand mean in a step of its own. All are exact Gibbs steps.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.compiler import compiled, inlined
from unround.uncertainty.random_draws import (
    RandomState,
    deviation_given_squares,
    deviation_given_sums,
    normal,
    truncated_normal,
    uniform,
)

GRAND, BETWEEN, STRICTNESS, NOISE, RANDOM = range(5)
HYPERPARAMETERS = 5
# Counts of the Beta prior of the share of random reviewers: one in ten.
PRIOR_RANDOM, PRIOR_SOUND = 1.0, 9.0


class GibbsData(NamedTuple):
    """The conference as flat arrays. Reviews are sorted by reviewer."""

    paper: IntArray
    reviewer: IntArray
    reviewer_start: IntArray
    paper_start: IntArray
    by_paper: IntArray  # reviews sorted by paper
    lower: FloatArray  # cells
    upper: FloatArray
    up_start: IntArray  # where each review's bounds from above start
    up: IntArray  # x_i ≤ x_up
    down_start: IntArray
    down: IntArray  # x_i ≥ x_down
    least: float  # ends of the scale
    most: float


class Chain(NamedTuple):
    """Where one chain stands."""

    opinion: FloatArray
    paper_effect: FloatArray
    reviewer_effect: FloatArray
    is_random: BoolArray  # one per reviewer
    hyper: FloatArray  # grand mean, between, strictness, noise, share of random reviewers
    random: RandomState


class DrawRecord(NamedTuple):
    """What a chain keeps of its sweeps."""

    paper_draws: NDArray[np.float32]  # draws × papers
    hyper_draws: FloatArray  # draws × hyperparameters
    opinion_sum: FloatArray  # of the place inside the cell, from 0 to 1; one per review
    opinion_square: FloatArray
    opinion_count: NDArray[np.uint16]  # histogram of it: reviews × bins
    reviewer_sum: FloatArray
    reviewer_square: FloatArray
    reviewer_random: FloatArray  # number of draws


@compiled
def sample(
    data: GibbsData,
    state: Chain,
    record: DrawRecord,
    sweeps: int,
    every: int,
    effects: bool,
    fixed: bool,
) -> None:
    """Run sweeps and keep every `every`-th one, filling the rows of `record` in turn.

    `effects`: reviewers differ in strictness. `fixed`: the variances are given, not learned.
    """
    for number in range(sweeps):
        _draw_opinions(data, state)
        _draw_paper_effects(data, state)
        _shift_papers(data, state)
        # From here to the effects, these are integrated out.
        _draw_random_reviewers(data, state, effects)
        if effects:
            if not fixed:
                _draw_strictness(data, state)
            _draw_reviewer_effects(data, state)
            _shift_reviewers(data, state)
            _shift_level(data, state)
        _draw_hyperparameters(data, state, fixed)
        if every and (number + 1) % every == 0:
            _keep(data, state, record, (number + 1) // every - 1)


@inlined
def _floor(data: GibbsData, opinion: FloatArray, i: int) -> float:
    low = float(data.lower[i])
    for k in range(data.down_start[i], data.down_start[i + 1]):
        low = max(low, opinion[data.down[k]])
    return low


@inlined
def _ceiling(data: GibbsData, opinion: FloatArray, i: int) -> float:
    high = float(data.upper[i])
    for k in range(data.up_start[i], data.up_start[i + 1]):
        high = min(high, opinion[data.up[k]])
    return high


@compiled
def _draw_opinions(data: GibbsData, state: Chain) -> None:
    opinion, noise = state.opinion, state.hyper[NOISE]
    for i in range(opinion.size):
        centre = state.paper_effect[data.paper[i]] + state.reviewer_effect[data.reviewer[i]]
        low, high = _floor(data, opinion, i), _ceiling(data, opinion, i)
        if state.is_random[data.reviewer[i]]:
            opinion[i] = low + max(high - low, 0.0) * uniform(state.random)
        else:
            opinion[i] = truncated_normal(state.random, centre, noise, low, high)


@compiled
def _draw_paper_effects(data: GibbsData, state: Chain) -> None:
    prior, weight = state.hyper[BETWEEN] ** -2.0, state.hyper[NOISE] ** -2.0
    for p in range(state.paper_effect.size):
        total, precision = prior * state.hyper[GRAND], prior
        for k in range(data.paper_start[p], data.paper_start[p + 1]):
            i = data.by_paper[k]
            if not state.is_random[data.reviewer[i]]:
                total += weight * (state.opinion[i] - state.reviewer_effect[data.reviewer[i]])
                precision += weight
        state.paper_effect[p] = total / precision + normal(state.random) / math.sqrt(precision)


@compiled
def _draw_reviewer_effects(data: GibbsData, state: Chain) -> None:
    prior, weight = state.hyper[STRICTNESS] ** -2.0, state.hyper[NOISE] ** -2.0
    for r in range(state.reviewer_effect.size):
        total, precision = 0.0, prior
        if not state.is_random[r]:
            count, sum_, _ = _errors(data, state, r)
            total, precision = weight * sum_, prior + weight * count
        state.reviewer_effect[r] = total / precision + normal(state.random) / math.sqrt(precision)


@compiled
def _shift_papers(data: GibbsData, state: Chain) -> None:
    """Move each paper's effect together with its opinions, as far as cells and orders allow."""
    opinion = state.opinion
    for p in range(state.paper_effect.size):
        low, high = -np.inf, np.inf
        for k in range(data.paper_start[p], data.paper_start[p + 1]):
            i = data.by_paper[k]
            if not state.is_random[data.reviewer[i]]:
                low = max(low, _floor(data, opinion, i) - opinion[i])
                high = min(high, _ceiling(data, opinion, i) - opinion[i])
        before = state.paper_effect[p]
        after = truncated_normal(
            state.random, state.hyper[GRAND], state.hyper[BETWEEN], before + low, before + high
        )
        state.paper_effect[p] = after
        for k in range(data.paper_start[p], data.paper_start[p + 1]):
            i = data.by_paper[k]
            if not state.is_random[data.reviewer[i]]:
                moved = opinion[i] + (after - before)
                opinion[i] = min(max(moved, _floor(data, opinion, i)), _ceiling(data, opinion, i))


@compiled
def _shift_reviewers(data: GibbsData, state: Chain) -> None:
    """Move each reviewer's effect together with their opinions: their order stays, cells bound it."""
    opinion = state.opinion
    for r in range(state.reviewer_effect.size):
        if state.is_random[r]:
            continue
        first, end = data.reviewer_start[r], data.reviewer_start[r + 1]
        low, high = -np.inf, np.inf
        for i in range(first, end):
            low = max(low, data.lower[i] - opinion[i])
            high = min(high, data.upper[i] - opinion[i])
        before = state.reviewer_effect[r]
        after = truncated_normal(
            state.random, 0.0, state.hyper[STRICTNESS], before + low, before + high
        )
        state.reviewer_effect[r] = after
        for i in range(first, end):
            moved = opinion[i] + (after - before)
            opinion[i] = min(max(moved, data.lower[i]), data.upper[i])


@compiled
def _shift_level(data: GibbsData, state: Chain) -> None:
    """Move a common level between the reviewers' effects and the papers' with their grand mean.

    Opinions do not change, so that only the reviewers' prior and the range of the grand mean bound the
    level. A few reviewers say little about it, and without this step chains would creep along it.
    """
    hyper, papers, effect = state.hyper, state.paper_effect, state.reviewer_effect
    level = truncated_normal(
        state.random,
        effect.mean(),
        hyper[STRICTNESS] / math.sqrt(effect.size),
        data.least - hyper[GRAND],
        data.most - hyper[GRAND],
    )
    effect -= level
    papers += level
    hyper[GRAND] += level


@compiled
def _draw_hyperparameters(data: GibbsData, state: Chain, fixed: bool) -> None:
    hyper, papers = state.hyper, state.paper_effect.size
    mean = 0.0
    for p in range(papers):
        mean += state.paper_effect[p]
    spread = hyper[BETWEEN] / math.sqrt(papers)
    hyper[GRAND] = truncated_normal(state.random, mean / papers, spread, data.least, data.most)
    if fixed:
        return
    range_ = data.most - data.least
    squares = 0.0
    for p in range(papers):
        squares += (state.paper_effect[p] - hyper[GRAND]) ** 2
    hyper[BETWEEN] = deviation_given_squares(state.random, papers, squares, hyper[BETWEEN], range_)
    squares, count = 0.0, 0
    for i in range(state.opinion.size):
        if not state.is_random[data.reviewer[i]]:
            squares += _residual(data, state, i) ** 2
            count += 1
    hyper[NOISE] = deviation_given_squares(state.random, count, squares, hyper[NOISE], range_)


@inlined
def _residual(data: GibbsData, state: Chain, i: int) -> float:
    effect = state.paper_effect[data.paper[i]] + state.reviewer_effect[data.reviewer[i]]
    return float(state.opinion[i] - effect)


@inlined
def _errors(data: GibbsData, state: Chain, r: int) -> tuple[int, float, float]:
    """Return the number of a reviewer's opinions, and sum and squares of their distances from the papers."""
    first, end = data.reviewer_start[r], data.reviewer_start[r + 1]
    total, squares = 0.0, 0.0
    for i in range(first, end):
        error = state.opinion[i] - state.paper_effect[data.paper[i]]
        total += error
        squares += error * error
    return end - first, total, squares


@compiled
def _draw_random_reviewers(data: GibbsData, state: Chain, effects: bool) -> None:
    """Draw who is random, one by one; reviewers' effects and the share of random ones are integrated out."""
    hyper, is_random = state.hyper, state.is_random
    noise = hyper[NOISE] ** 2
    strictness = hyper[STRICTNESS] ** 2 if effects else 0.0
    log_uniform = -math.log(data.most - data.least)
    others = is_random.sum()
    for r in range(is_random.size):
        others -= is_random[r]
        count, total, squares = _errors(data, state, r)
        ratio = 1.0 + count * strictness / noise
        exponent = (squares - total * total * strictness / (noise * ratio)) / noise
        log_normal = -0.5 * (count * math.log(2.0 * math.pi * noise) + math.log(ratio) + exponent)
        prior_odds = (PRIOR_RANDOM + others) / (PRIOR_SOUND + is_random.size - 1 - others)
        log_odds = math.log(prior_odds) + count * log_uniform - log_normal
        is_random[r] = math.log(1.0 / uniform(state.random) - 1.0) < log_odds
        others += is_random[r]
    hyper[RANDOM] = others / is_random.size


@compiled
def _draw_strictness(data: GibbsData, state: Chain) -> None:
    """Draw the spread of reviewer effects with the effects themselves integrated out.

    Given the effects, the spread would hardly move from sweep to sweep. Without them it depends on each
    reviewer's number of reviews and sum of residuals alone: only squares per number are needed.
    """
    start = data.reviewer_start
    most = 0
    for r in range(start.size - 1):
        most = max(most, start[r + 1] - start[r])
    squares, counts = np.zeros(most + 1), np.zeros(most + 1)
    for r in range(start.size - 1):
        if not state.is_random[r]:
            count, total, _ = _errors(data, state, r)
            squares[count] += total * total
            counts[count] += 1.0
    hyper = state.hyper
    hyper[STRICTNESS] = deviation_given_sums(
        state.random, counts, squares, hyper[NOISE], hyper[STRICTNESS], data.most - data.least
    )


@compiled
def _keep(data: GibbsData, state: Chain, record: DrawRecord, draw: int) -> None:
    record.paper_draws[draw] = state.paper_effect
    record.hyper_draws[draw] = state.hyper
    bins = record.opinion_count.shape[1]
    for i in range(state.opinion.size):
        place = (state.opinion[i] - data.lower[i]) / (data.upper[i] - data.lower[i])
        record.opinion_sum[i] += place
        record.opinion_square[i] += place * place
        record.opinion_count[i, min(int(place * bins), bins - 1)] += 1
    for r in range(state.reviewer_effect.size):
        record.reviewer_sum[r] += state.reviewer_effect[r]
        record.reviewer_square[r] += state.reviewer_effect[r] ** 2
        record.reviewer_random[r] += state.is_random[r]
