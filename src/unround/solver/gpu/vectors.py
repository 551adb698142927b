"""Centres on the card: what the loop and its acceleration do with them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import float64

from unround.arrays import FloatArray
from unround.card.launch import GATHERING, THREADS, CardArray, blocks_of, cuda, for_each
from unround.solver.acceleration import DEPTH, History, shares_of
from unround.solver.gpu.papers import take_largest

PRODUCTS = 2 * DEPTH  # of all rows with one row, and with the residual
LANES = GATHERING // PRODUCTS  # threads that add up one of them


class CardVectors:
    """Centres as arrays of the card; one loop at a time."""

    def __init__(self) -> None:
        self._history: CardHistory | None = None

    def taken(self, start: Any) -> Any:
        """Return a copy of centres that came from elsewhere."""
        return cuda.to_device(start.astype(np.float64)) if isinstance(start, np.ndarray) else start

    def kept(self, vector: Any, into: Any = None) -> Any:
        """Return a copy that later sweeps do not change, in the place of another one if given."""
        if into is None:
            into = cuda.device_array(vector.size, dtype=np.float64)
        into.copy_to_device(vector)
        return into

    def largest(self, vector: Any) -> float:
        """Return the largest magnitude."""
        found = cuda.device_array(1, dtype=np.float64)
        take_largest[1, GATHERING](vector, found)
        return float(found.copy_to_host()[0])

    def beyond(self, vector: Any, before: Any, share: float) -> Any:
        """Return vector + share · (vector − before)."""
        out = cuda.device_array(vector.size, dtype=np.float64)
        for_each(_beyond, vector.size, vector, before, share, out)
        return out

    def history(self, papers: int) -> History:
        """Return the memory of the last sweeps; what was in it counts for nothing."""
        if self._history is None:
            self._history = CardHistory(papers)
        return self._history


class CardHistory:
    """The last sweeps on the card."""

    def __init__(self, papers: int) -> None:
        self._bends = cuda.device_array((DEPTH, papers), dtype=np.float64)  # of residuals
        self._turns = cuda.device_array((DEPTH, papers), dtype=np.float64)  # of means
        self._residual = cuda.to_device(np.zeros(papers))
        self.last_means = cuda.to_device(np.zeros(papers))
        self._proposal = cuda.device_array(papers, dtype=np.float64)
        self._parts = cuda.device_array((PRODUCTS, blocks_of(papers)), dtype=np.float64)
        self._sums = cuda.device_array(PRODUCTS, dtype=np.float64)
        self._gram = np.zeros((DEPTH, DEPTH))
        self._products: FloatArray = np.zeros(DEPTH)

    def remember(self, centres: Any, means: Any, row: int, kept: int) -> None:
        """Write the step from the last sweep to this one into a row; `kept` rows are then valid."""
        papers = self.last_means.size
        for_each(
            _step, papers,
            centres, means, self._residual, self.last_means, self._bends, self._turns, row,
        )  # fmt: skip
        if kept == 0:
            return
        _products[self._parts.shape[1], THREADS](
            self._bends, row, kept, self._residual, self._parts
        )
        _add_parts[1, PRODUCTS * LANES](self._parts, self._sums)
        sums = self._sums.copy_to_host()
        self._gram[row, :kept] = self._gram[:kept, row] = sums[:kept]
        self._products = sums[DEPTH : DEPTH + kept]

    def mixed(self, means: Any, kept: int) -> Any:
        """Return the combination of the last sweeps whose residual is smallest."""
        share = self._products.copy()
        shares_of(self._gram[:kept, :kept].copy(), share)
        shares = (*share.tolist(), *[0.0] * (DEPTH - kept))
        for_each(_mix, means.size, self._turns, kept, shares, means, self._proposal)
        return self._proposal


@cuda.jit
def _beyond(vector: CardArray, before: CardArray, share: float, out: CardArray) -> None:
    k = cuda.grid(1)
    if k < out.size:
        out[k] = vector[k] + share * (vector[k] - before[k])


@cuda.jit
def _step(
    centres: CardArray,
    means: CardArray,
    last_residual: CardArray,
    last_means: CardArray,
    bends: CardArray,
    turns: CardArray,
    row: int,
) -> None:
    k = cuda.grid(1)
    if k < means.size:
        residual = means[k] - centres[k]
        bends[row, k] = residual - last_residual[k]
        turns[row, k] = means[k] - last_means[k]
        last_residual[k] = residual
        last_means[k] = means[k]


@cuda.jit
def _products(bends: CardArray, row: int, kept: int, residual: CardArray, parts: CardArray) -> None:
    """Add up, block by block, the inner products of all rows with one row and with the residual."""
    part = cuda.shared.array((PRODUCTS, THREADS), float64)
    totals = cuda.local.array(PRODUCTS, float64)
    thread = cuda.threadIdx.x
    for other in range(PRODUCTS):
        totals[other] = 0.0
    for k in range(cuda.grid(1), residual.size, cuda.gridsize(1)):
        bend, left = bends[row, k], residual[k]
        for other in range(DEPTH):
            if other < kept:
                totals[other] += bend * bends[other, k]
                totals[DEPTH + other] += left * bends[other, k]
    for other in range(PRODUCTS):
        part[other, thread] = totals[other]
    cuda.syncthreads()
    if thread < PRODUCTS:
        total = 0.0
        for k in range(THREADS):
            total += part[thread, k]
        parts[thread, cuda.blockIdx.x] = total


@cuda.jit
def _add_parts(parts: CardArray, sums: CardArray) -> None:
    """Add up the parts of every inner product, with some threads of one block for each."""
    part = cuda.shared.array((PRODUCTS, LANES), float64)
    row, lane = cuda.threadIdx.x // LANES, cuda.threadIdx.x % LANES
    total = 0.0
    for k in range(lane, parts.shape[1], LANES):
        total += parts[row, k]
    part[row, lane] = total
    cuda.syncthreads()
    if lane == 0:
        total = 0.0
        for k in range(LANES):
            total += part[row, k]
        sums[row] = total


@cuda.jit
def _mix(
    turns: CardArray, kept: int, shares: tuple[float, ...], means: CardArray, mixed: CardArray
) -> None:
    k = cuda.grid(1)
    if k < means.size:
        combined = means[k]
        for row in range(DEPTH):
            if row < kept:
                combined -= shares[row] * turns[row, k]
        mixed[k] = combined
