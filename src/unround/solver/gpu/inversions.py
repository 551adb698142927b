"""The Kendall-tau error on the card against a truth without levels: pairs in the wrong order, bit by bit.

Estimates, in units of the fourth decimal, stand in the order of the truth. From the highest bit down, those
that agree in all higher bits are a group; in it, each pair of a 1 before a 0 is in the wrong order, and then
the zeros of the group are put before its ones. Counts are whole numbers: no order of threads matters.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from unround.card.extents import extent
from unround.card.index import prefix_sums
from unround.card.launch import THREADS, CardArray, blocks_of, cuda, for_each
from unround.card.moves import take
from unround.card.sorting import order_of
from unround.metrics import TIE_UNIT
from unround.solver.path import Pairs

SIGN = 1 << 63
EVERY_BIT = (1 << 64) - 1


@cuda.jit
def _sortable(bits: CardArray, keys: CardArray) -> None:
    """Turn the bits of floats into whole numbers in the same order."""
    k = cuda.grid(1)
    if k < bits.size:
        value = uint64(bits[k])
        keys[k] = value ^ (uint64(EVERY_BIT) if value >= uint64(SIGN) else uint64(SIGN))


@cuda.jit
def _units(estimate: CardArray, order: CardArray, least: int, units: CardArray) -> None:
    k = cuda.grid(1)
    if k < units.size:
        units[k] = int64(round(estimate[order[k]] * TIE_UNIT)) - least


@cuda.jit
def _clear(counts: CardArray) -> None:
    k = cuda.grid(1)
    if k < counts.size:
        counts[k] = 0


@cuda.jit
def _count_units(units: CardArray, counts: CardArray) -> None:
    k = cuda.grid(1)
    if k < units.size:
        cuda.atomic.add(counts, units[k], 1)


@cuda.jit
def _ones(units: CardArray, bit: int, ones: CardArray) -> None:
    k = cuda.grid(1)
    if k < units.size:
        ones[k] = (units[k] >> bit) & 1


@cuda.jit
def _part(
    units: CardArray,
    bit: int,
    before: CardArray,
    below: CardArray,
    parted: CardArray,
    sums: CardArray,
) -> None:
    """Put the zeros of every group before its ones; each block adds up the ones that stood before zeros."""
    part = cuda.shared.array(THREADS, int64)
    wrong = int64(0)
    for k in range(cuda.grid(1), units.size, cuda.gridsize(1)):
        value = units[k]
        group = value >> (bit + 1) << (bit + 1)
        ones = before[k] - before[below[group]]
        if (value >> bit) & 1:
            parted[below[group + (1 << bit)] + ones] = value
        else:
            wrong += ones
            parted[k - ones] = value
    part[cuda.threadIdx.x] = wrong
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        for other in range(1, THREADS):
            wrong += part[other]
        sums[cuda.blockIdx.x] = wrong


class CardInversions:
    """Counts the pairs that estimates on the card get wrong; the truth may be tied at its two ends only."""

    def __init__(self, truth: CardArray) -> None:
        keys = cuda.device_array(truth.size, dtype=np.uint64)
        for_each(_sortable, truth.size, truth.view(np.uint64), keys)
        self._order = order_of(keys, EVERY_BIT)
        ordered = cuda.device_array(truth.size, dtype=np.float64)
        for_each(take, truth.size, self._order, truth, ordered)
        self._ends = _ends(ordered)
        sizes = [last - first for first, last in self._ends]
        self.untied = _pairs(truth.size) - sum(map(_pairs, sizes))

    def count(self, estimate: CardArray) -> Pairs:
        """Return the pairs that the estimate reverses, and those that it alone ties."""
        least, most = (round(end * TIE_UNIT) for end in extent(estimate))
        units = cuda.device_array(estimate.size, dtype=np.int32)
        for_each(_units, units.size, estimate, self._order, least, units)
        wrong, tied = _inversions(units, most - least + 1)
        for first, last in self._ends:
            own = _inversions(units[first:last], most - least + 1)
            wrong, tied = wrong - own[0], tied - own[1]
        return wrong, tied


def _ends(ordered: CardArray) -> list[tuple[int, int]]:
    """Return the places of the smallest truths and of the largest, where several are equal."""
    low, high = float(ordered[0]), float(ordered[ordered.size - 1])
    first, last = _search(ordered, low, after=True), _search(ordered, high, after=False)
    if low == high:
        return [(0, ordered.size)]
    return [(a, b) for a, b in ((0, first), (last, ordered.size)) if b - a > 1]


def _search(ordered: CardArray, value: float, *, after: bool) -> int:
    """Return where a value belongs among ascending ones, by halving."""
    low, high = 0, int(ordered.size)
    while low < high:
        middle = (low + high) // 2
        there = float(ordered[middle])
        if there < value or (after and there == value):
            low = middle + 1
        else:
            high = middle
    return low


def _pairs(count: int) -> int:
    return count * (count - 1) // 2


def _inversions(values: CardArray, span: int) -> Pairs:
    """Count the pairs in falling order, and the pairs of equal values."""
    bits = max(span - 1, 1).bit_length()
    counts = cuda.device_array(1 << bits, dtype=np.int32)
    for_each(_clear, counts.size, counts)
    for_each(_count_units, values.size, values, counts)
    sizes = counts.copy_to_host().astype(np.int64)
    tied = int((sizes * (sizes - 1) // 2).sum())
    below = cuda.device_array(counts.size + 1, dtype=np.int32)
    prefix_sums(counts, below)
    units, parted = values, cuda.device_array(values.size, dtype=np.int32)
    spare = cuda.device_array(values.size, dtype=np.int32)
    ones = cuda.device_array(values.size, dtype=np.int32)
    before = cuda.device_array(values.size + 1, dtype=np.int32)
    sums = cuda.device_array(blocks_of(values.size), dtype=np.int64)
    wrong = 0
    for bit in range(bits - 1, -1, -1):
        for_each(_ones, units.size, units, bit, ones)
        prefix_sums(ones, before)
        _part[sums.size, THREADS](units, bit, before, below, parted, sums)
        wrong += int(sums.copy_to_host().sum())
        units, parted, spare = parted, spare, parted
    return wrong, tied
