"""The Kendall-tau error on the card, by counting: whole numbers, so that no order of threads matters.

As metrics.kernels.count_by_histogram does: how many reviews have each pair of (estimate in units of
the fourth decimal, true level), then a pass over the estimates from the least up.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import int64

from unround.arrays import IntArray
from unround.card.extents import extent
from unround.card.launch import SIMULATED, THREADS, CardArray, blocks_of, cuda, for_each
from unround.metrics import TIE_UNIT, KendallError
from unround.solver.path import Pairs

# Estimates that one thread passes over.
CHUNK = 4096 if SIMULATED else 32
MOST_LEVELS = 256  # that one byte tells apart
# Cells of the largest table that is kept on the card, 8 bytes each.
MOST_CELLS = 1 << 26


@cuda.jit
def _clear(table: CardArray) -> None:
    for k in range(cuda.grid(1), table.size, cuda.gridsize(1)):
        table[k] = 0


@cuda.jit
def _fill(estimate: CardArray, truth: CardArray, levels: int, least: int, table: CardArray) -> None:
    k = cuda.grid(1)
    if k < estimate.size:
        unit = int64(round(estimate[k] * TIE_UNIT)) - least
        cuda.atomic.add(table, unit * levels + truth[k], 1)


@cuda.jit
def _chunk_totals(table: CardArray, levels: int, span: int, totals: CardArray) -> None:
    """Add up, for each chunk of estimates and each level, the reviews."""
    k = cuda.grid(1)
    if k < totals.size:
        chunk, level, total = k // levels, k % levels, 0
        for unit in range(chunk * CHUNK, min((chunk + 1) * CHUNK, span)):
            total += table[unit * levels + level]
        totals[k] = total


@cuda.jit
def _count_chunks(
    table: CardArray, levels: int, span: int, before: CardArray, wrong: CardArray, tied: CardArray
) -> None:
    """Count the pairs of every review in a chunk with reviews of smaller or equal estimates."""
    chunk = cuda.grid(1)
    if chunk < wrong.size:
        reversed_pairs = tied_pairs = int64(0)
        for unit in range(chunk * CHUNK, min((chunk + 1) * CHUNK, span)):
            higher = seen = int64(0)
            for level in range(levels - 1, -1, -1):
                here = table[unit * levels + level]
                reversed_pairs += here * higher
                tied_pairs += here * seen
                seen += here
                higher += before[chunk * levels + level]
            if seen > 0:
                for level in range(levels):
                    before[chunk * levels + level] += table[unit * levels + level]
        wrong[chunk], tied[chunk] = reversed_pairs, tied_pairs


class CardKendall:
    """Counts the pairs that estimates on the card get wrong."""

    def __init__(self, measure: KendallError, truth: Any) -> None:
        self._untied, self._levels = measure.untied, measure.levels
        self._truth = truth  # on the card, in the order of the estimates
        self._table = cuda.device_array(0, dtype=np.int64)

    def fits(self, extent: float) -> bool:
        """Whether estimates that lie in such a range can be counted on the card."""
        return (extent * TIE_UNIT + 2.0) * self._levels <= MOST_CELLS

    def count(self, estimate: Any) -> Pairs:
        """Return the pairs that the estimate reverses, and those that it alone ties."""
        if self._untied == 0:
            return 0, 0
        least, most = (round(end * TIE_UNIT) for end in extent(estimate))
        levels, span = self._levels, most - least + 1
        if self._table.size < span * levels:
            self._table = cuda.device_array(span * levels, dtype=np.int64)
        table = self._table[: span * levels]
        _clear[blocks_of(table.size), THREADS](table)
        for_each(_fill, estimate.size, estimate, self._truth, levels, least, table)
        chunks = (span + CHUNK - 1) // CHUNK
        totals = cuda.device_array(chunks * levels, dtype=np.int64)
        for_each(_chunk_totals, totals.size, table, levels, span, totals)
        by_chunk = totals.copy_to_host().reshape(chunks, levels)
        before = cuda.to_device((np.cumsum(by_chunk, axis=0) - by_chunk).ravel())
        wrong, tied = (cuda.device_array(chunks, dtype=np.int64) for _ in range(2))
        for_each(_count_chunks, chunks, table, levels, span, before, wrong, tied)
        return int(wrong.copy_to_host().sum()), int(tied.copy_to_host().sum())


@cuda.jit
def _count_levels(level: CardArray, counts: CardArray) -> None:
    """Count the reviews on each level: by block first, as levels are few and reviews many."""
    own = cuda.shared.array(MOST_LEVELS, int64)
    for k in range(cuda.threadIdx.x, MOST_LEVELS, THREADS):
        own[k] = 0
    cuda.syncthreads()
    for k in range(cuda.grid(1), level.size, cuda.gridsize(1)):
        cuda.atomic.add(own, level[k], 1)
    cuda.syncthreads()
    for k in range(cuda.threadIdx.x, MOST_LEVELS, THREADS):
        if own[k] > 0:
            cuda.atomic.add(counts, k, own[k])


def level_counts(level: CardArray, levels: int) -> IntArray:
    """Return how many reviews have each level, for levels of one byte."""
    counts = cuda.to_device(np.zeros(MOST_LEVELS, dtype=np.int64))
    _count_levels[blocks_of(level.size), THREADS](level, counts)
    found: IntArray = counts.copy_to_host()[:levels]
    return found


def extent_of(cells: Any) -> float:
    """Return the range that all scores lie in."""
    table = cells.copy_to_host()
    extent = float(table[2].max() - table[1].min())
    return extent if math.isfinite(extent) else math.inf
