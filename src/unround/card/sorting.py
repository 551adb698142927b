"""The stable order of whole numbers on the card, digit by digit, whatever order threads run in."""

from __future__ import annotations

import numpy as np

from unround.card.index import prefix_sums
from unround.card.launch import SIMULATED, CardArray, cuda, for_each

DIGIT = 2 if SIMULATED else 7  # bits
VALUES = 1 << DIGIT
# Keys that one thread counts and places, one after the other.
CHUNK = 64 if SIMULATED else 512


@cuda.jit
def _numbers(order: CardArray) -> None:
    k = cuda.grid(1)
    if k < order.size:
        order[k] = k


@cuda.jit
def _count_digits(keys: CardArray, order: CardArray, shift: int, counts: CardArray) -> None:
    """Count the digits of one chunk; counts of a digit lie chunk after chunk."""
    chunk, chunks = cuda.grid(1), counts.size // VALUES
    if chunk < chunks:
        for digit in range(VALUES):
            counts[digit * chunks + chunk] = 0
        for k in range(chunk * CHUNK, min((chunk + 1) * CHUNK, order.size)):
            digit = (keys[order[k]] >> shift) & (VALUES - 1)
            counts[digit * chunks + chunk] += 1


@cuda.jit
def _place_digits(
    keys: CardArray, order: CardArray, shift: int, spots: CardArray, placed: CardArray
) -> None:
    chunk, chunks = cuda.grid(1), spots.size // VALUES
    if chunk < chunks:
        for k in range(chunk * CHUNK, min((chunk + 1) * CHUNK, order.size)):
            digit = (keys[order[k]] >> shift) & (VALUES - 1)
            spot = spots[digit * chunks + chunk]
            placed[spot] = order[k]
            spots[digit * chunks + chunk] = spot + 1


def order_of(keys: CardArray, most: int) -> CardArray:
    """Return the places of the keys in ascending order, equal ones as they come; none is above `most`."""
    order, placed = (cuda.device_array(keys.size, dtype=np.int32) for _ in range(2))
    for_each(_numbers, keys.size, order)
    chunks = (keys.size + CHUNK - 1) // CHUNK
    counts = cuda.device_array(VALUES * chunks, dtype=np.int32)
    starts = cuda.device_array(VALUES * chunks + 1, dtype=np.int32)
    for shift in range(0, max(most, 1).bit_length(), DIGIT) if keys.size else ():
        for_each(_count_digits, chunks, keys, order, shift, counts)
        prefix_sums(counts, starts)
        for_each(_place_digits, chunks, keys, order, shift, counts, placed)
        order, placed = placed, order
    return order
