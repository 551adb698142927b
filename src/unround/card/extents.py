"""The least and the largest of many numbers on the card."""

from __future__ import annotations

import numpy as np
from numba import float64

from unround.card.launch import THREADS, CardArray, blocks_of, cuda


@cuda.jit
def _extent(values: CardArray, found: CardArray) -> None:
    """Find the least and the largest number of every block."""
    low = cuda.shared.array(THREADS, float64)
    high = cuda.shared.array(THREADS, float64)
    thread = cuda.threadIdx.x
    least, most = np.inf, -np.inf
    for k in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        value = float64(values[k])
        least, most = min(least, value), max(most, value)
    low[thread], high[thread] = least, most
    cuda.syncthreads()
    if thread == 0:
        for other in range(1, THREADS):
            low[0], high[0] = min(low[0], low[other]), max(high[0], high[other])
        found[0, cuda.blockIdx.x], found[1, cuda.blockIdx.x] = low[0], high[0]


def extent(values: CardArray) -> tuple[float, float]:
    """Return the least and the largest of some numbers."""
    found = cuda.device_array((2, blocks_of(values.size)), dtype=np.float64)
    _extent[found.shape[1], THREADS](values, found)
    least, most = found.copy_to_host()
    return float(least.min()), float(most.max())
