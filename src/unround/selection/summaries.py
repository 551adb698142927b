"""Percentiles of reviews and statistics of papers on a GPU: the numbers of the CPU's tables, bit for bit."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import int64

from unround.card.extents import extent
from unround.card.index import index_papers, prefix_sums
from unround.card.launch import THREADS, CardArray, blocks_of, cuda, for_each
from unround.card.moves import take
from unround.errors import UsageError
from unround.metrics import TIE_UNIT

# Different scores, to four decimals, that are counted on the card.
MOST_SCORES = 1 << 28


class CardStatistics(NamedTuple):
    """One entry per paper; no number for a paper without reviews."""

    reviews: CardArray
    least: CardArray
    most: CardArray
    mean: CardArray
    median: CardArray
    spread: CardArray


@cuda.jit
def _clear(counts: CardArray) -> None:
    for k in range(cuda.grid(1), counts.size, cuda.gridsize(1)):
        counts[k] = 0


@cuda.jit
def _count(scores: CardArray, least: int, counts: CardArray) -> None:
    k = cuda.grid(1)
    if k < scores.size:
        cuda.atomic.add(counts, int64(round(scores[k] * TIE_UNIT)) - least, 1)


@cuda.jit
def _place(scores: CardArray, least: int, below: CardArray, found: CardArray) -> None:
    """Write 100 × (share strictly below + half the share tied, itself included)."""
    k = cuda.grid(1)
    if k < scores.size:
        unit = int64(round(scores[k] * TIE_UNIT)) - least
        tied = below[unit + 1] - below[unit]
        found[k] = 100.0 * (below[unit] + 0.5 * tied) / scores.size


def percentiles_on_card(scores: CardArray) -> CardArray:
    """Return one percentile per score, as metrics.percentiles does."""
    found = cuda.device_array(scores.size, dtype=np.float64)
    if not scores.size:
        return found
    least, most = (round(end * TIE_UNIT) for end in extent(scores))
    if most - least >= MOST_SCORES:
        raise UsageError(
            f"scores from {least / TIE_UNIT:g} to {most / TIE_UNIT:g} are too far apart to count on a GPU: "
            "copy them to the host and use unround.metrics.percentiles"
        )
    counts = cuda.device_array(most - least + 1, dtype=np.int64)
    _clear[blocks_of(counts.size), THREADS](counts)
    for_each(_count, scores.size, scores, least, counts)
    below = cuda.device_array(counts.size + 1, dtype=np.int64)
    prefix_sums(counts, below)
    for_each(_place, scores.size, scores, least, below, found)
    return found


@cuda.jit
def _sum_up(start: CardArray, values: CardArray, found: CardStatistics) -> None:
    """Add up one paper's values in the order of its reviews, sort them and write its statistics."""
    paper = cuda.grid(1)
    if paper >= start.size - 1:
        return
    first, last = start[paper], start[paper + 1]
    found.reviews[paper] = last - first
    if first == last:
        found.least[paper] = found.most[paper] = found.mean[paper] = math.nan
        found.median[paper] = found.spread[paper] = math.nan
        return
    total = 0.0
    for k in range(first, last):
        total += values[k]
    step = (last - first) // 2
    while step > 0:
        for k in range(first + step, last):
            value, spot = values[k], k
            while spot >= first + step and values[spot - step] > value:
                values[spot] = values[spot - step]
                spot -= step
            values[spot] = value
        step //= 2
    least, most = values[first], values[last - 1]
    count = last - first
    middle = values[first + (count - 1) // 2] + values[first + count // 2]
    found.least[paper], found.most[paper] = least, most
    # A mean of equal values may leave their range by a rounding: it stays inside.
    found.mean[paper] = min(max(total / count, least), most)
    found.median[paper] = middle / 2.0
    found.spread[paper] = most - least


def statistics_on_card(paper: CardArray, papers: int, values: CardArray) -> CardStatistics:
    """Return the statistics of each paper, as the table of papers has them."""
    index = index_papers(paper, papers)
    gathered = cuda.device_array(values.size, dtype=np.float64)
    for_each(take, values.size, index.places, values, gathered)
    numbers = [cuda.device_array(papers, dtype=np.float64) for _ in range(5)]
    found = CardStatistics(cuda.device_array(papers, dtype=np.int32), *numbers)
    for_each(_sum_up, papers, index.start, gathered, found)
    return found
