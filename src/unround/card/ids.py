"""Ids and values on the card -> numbers, whatever order threads run in.

Ids are numbered in the order in which they first appear, values by their place among known ones.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from unround.card.index import prefix_sums
from unround.card.launch import THREADS, CardArray, blocks_of, cuda, for_each

# Marks a slot of the table that no id has taken: the one int64 that cannot be an id.
FREE = -(2**63)
LATER = 2**31 - 1
HALF = 2**32 - 1  # the lower half of an id


@cuda.jit
def _fill(values: CardArray, value: int) -> None:
    for k in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        values[k] = value


@cuda.jit
def _find_slots(ids: CardArray, table: CardArray, first: CardArray, slots: CardArray) -> None:
    """Give every id a slot, the next free one from where its hash points, and note its first row."""
    row = cuda.grid(1)
    if row < ids.size:
        low, high = uint64(ids[row]) & uint64(HALF), uint64(ids[row]) >> uint64(32)
        mixed = (low * uint64(0x9E3779B1)) ^ (high * uint64(0x85EBCA6B))
        slot = int64((mixed ^ (mixed >> uint64(32))) & uint64(table.size - 1))
        while True:
            there = cuda.atomic.cas(table, slot, FREE, ids[row])
            if there == FREE or there == ids[row]:
                break
            slot = (slot + 1) & (table.size - 1)
        slots[row] = slot
        cuda.atomic.min(first, slot, row)


@cuda.jit
def _mark_first(slots: CardArray, first: CardArray, marks: CardArray) -> None:
    row = cuda.grid(1)
    if row < slots.size:
        marks[row] = 1 if first[slots[row]] == row else 0


@cuda.jit
def _number(slots: CardArray, first: CardArray, before: CardArray, codes: CardArray) -> None:
    row = cuda.grid(1)
    if row < slots.size:
        codes[row] = before[first[slots[row]]]


def number_ids(ids: CardArray) -> tuple[CardArray, int]:
    """Return a number for every row's id, and how many different ids there are.

    `ids` is int64 without its least value. Which slot an id takes depends on the order of threads; the
    first row of an id does not, and numbers follow from that alone.
    """
    rows = ids.size
    size = 1 << max(2 * rows - 1, 1).bit_length()
    table = cuda.device_array(size, dtype=np.int64)
    first = cuda.device_array(size, dtype=np.int32)
    _fill[blocks_of(size), THREADS](table, FREE)
    _fill[blocks_of(size), THREADS](first, LATER)
    slots = cuda.device_array(rows, dtype=np.int32)
    for_each(_find_slots, rows, ids, table, first, slots)
    marks = cuda.device_array(rows, dtype=np.int32)
    for_each(_mark_first, rows, slots, first, marks)
    before = cuda.device_array(rows + 1, dtype=np.int32)
    count = prefix_sums(marks, before) if rows else 0
    codes = cuda.device_array(rows, dtype=np.int32)
    for_each(_number, rows, slots, first, before, codes)
    return codes, count


@cuda.jit
def _find_places(values: CardArray, known: CardArray, places: CardArray, wrong: CardArray) -> None:
    row = cuda.grid(1)
    if row < values.size:
        place = 0
        while place < known.size - 1 and known[place] < values[row]:
            place += 1
        places[row] = place
        if known[place] != values[row]:
            cuda.atomic.min(wrong, 0, row)


def place_values(values: CardArray, known: CardArray, places: CardArray) -> int | None:
    """Write each value's place among the known ones; return the first row whose value is none of them."""
    wrong = cuda.to_device(np.full(1, LATER, dtype=np.int32))
    for_each(_find_places, values.size, values, known, places, wrong)
    first = int(wrong.copy_to_host()[0])
    return None if first == LATER else first
