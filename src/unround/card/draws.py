"""Random numbers on the card from a counter (Philox-2x32-10), whatever order threads run in."""

from __future__ import annotations

import math

from numba import float64, uint64

from unround.card.launch import cuda

ROUNDS = 10
MULTIPLIER = 0xD256D193
WEYL = 0x9E3779B9
HALF = 0xFFFFFFFF
WIDTH = 4294967296.0


@cuda.jit(device=True)
def philox(counter: int, stream: int, key: int) -> tuple[int, int]:
    """Return two random numbers of 32 bits each for a counter of a stream."""
    left, right = uint64(counter) & uint64(HALF), uint64(stream) & uint64(HALF)
    mixed = uint64(key) & uint64(HALF)
    for _ in range(ROUNDS):
        product = uint64(MULTIPLIER) * left
        left = (product >> uint64(32)) ^ mixed ^ right
        right = product & uint64(HALF)
        mixed = (mixed + uint64(WEYL)) & uint64(HALF)
    return left, right  # type: ignore[return-value]


@cuda.jit(device=True)
def normal(counter: int, stream: int, key: int) -> float:
    """Return a standard normal number for a counter of a stream."""
    one, other = philox(counter, stream, key)
    # Half a step above 0: the logarithm is finite.
    radius = math.sqrt(-2.0 * math.log((float64(one) + 0.5) / WIDTH))
    return radius * math.cos(2.0 * math.pi * (float64(other) + 0.5) / WIDTH)
