"""Acceleration of the sweeps: proposals where to sweep next.

Anderson mixing takes the next centres from the last few, by least squares. It is fast, but where
constraints come and go it may run in circles. Then Nesterov's momentum takes over for a while:
slower, yet a sweep from m to G(m) is a gradient step of a strongly convex function
(docs/mathematics.md), for which momentum is proven to gain a factor of 1 − √(λ/(1+λ)) a sweep.

The stopping bound holds for any centres, so a bad proposal costs a sweep and never exactness.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from unround.arrays import FloatArray

DEPTH = 8
# Relative to the largest entry of the normal equations: enough to keep them solvable.
REGULARISATION = 1e-13
# A residual that grows by more than this shows that the map bent between the last few centres.
ASTRAY = 2.0


class Accelerator:
    """Anderson mixing for as long as it gains; between, momentum until it has gained enough."""

    def __init__(self, papers: int, lam: float) -> None:
        # The square root of how strongly convex the function is, relative to its curvature.
        self._root = math.sqrt(lam / (1.0 + lam))
        self._patience = max(3 * DEPTH, 1.0 / self._root)
        self._method: Anderson | Momentum = Anderson(papers)
        self._best, self._least = np.empty(papers), np.inf
        self._goal = np.inf  # what the method in charge has to reach next
        self._since = 0

    def propose(self, centres: FloatArray, means: FloatArray, size: float) -> FloatArray:
        """Where to sweep next, after a sweep from `centres` to `means` (`size` apart at most).

        The answer is good until the next call; what is to last of the arguments is copied.
        """
        self._since += 1
        if size < self._least:
            self._best[:], self._least = means, size
        mixing = isinstance(self._method, Anderson)
        if self._least <= self._goal:
            if not mixing:
                self._method = Anderson(centres.size)
            self._goal, self._since = self._least / 2.0, 0
        elif mixing and self._since > self._patience:
            self._method, self._goal = Momentum(self._root), self._least / 4.0
            return self._best
        return self._method.propose(centres, means, size)


class Momentum:
    """Nesterov's constant step scheme for strongly convex functions."""

    def __init__(self, root: float) -> None:
        self._share = (1.0 - root) / (1.0 + root)
        self._means: FloatArray | None = None

    def propose(self, centres: FloatArray, means: FloatArray, size: float) -> FloatArray:
        """A little beyond the means, in the direction they came from."""
        before, self._means = self._means, means.copy()
        return self._means if before is None else means + self._share * (means - before)


class Anderson:
    """Remembers the last sweeps and mixes them into the next centres."""

    def __init__(self, papers: int) -> None:
        self._moves = np.empty((DEPTH, papers))  # differences of successive centres
        self._bends = np.empty((DEPTH, papers))  # differences of successive residuals
        self._gram = np.zeros((DEPTH, DEPTH))
        self._kept = 0
        self._next = 0
        self._started = False
        # Of the last sweep: from where, how far, and to where.
        self._centres, self._residual, self._means = np.zeros((3, papers))
        self._size = np.inf
        self._proposal = np.empty(papers)

    def propose(self, centres: FloatArray, means: FloatArray, size: float) -> FloatArray:
        """Where to sweep next, after a sweep from `centres` to `means` (`size` apart at most)."""
        if self._started and size > ASTRAY * self._size:
            self._kept = self._next = 0
            self._started = False
            self._proposal[:] = self._means
            return self._proposal
        self._remember(centres, means)
        self._size = size
        if self._kept == 0:
            self._proposal[:] = means
        else:
            mix(
                self._moves, self._bends, self._gram, self._kept,
                self._residual, means, self._proposal,
            )  # fmt: skip
        return self._proposal

    def _remember(self, centres: FloatArray, means: FloatArray) -> None:
        row = self._next
        step(
            centres, means, self._centres, self._residual, self._means,
            self._moves[row], self._bends[row],
        )  # fmt: skip
        if self._started:
            self._kept = min(self._kept + 1, DEPTH)
            update_gram(self._bends, self._gram, self._kept, row)
            self._next = (row + 1) % DEPTH
        self._started = True


@njit(cache=True, nogil=True)
def step(
    centres: FloatArray,
    means: FloatArray,
    last_centres: FloatArray,
    last_residual: FloatArray,
    last_means: FloatArray,
    move: FloatArray,
    bend: FloatArray,
) -> None:
    """Write how centres and residual differ from the last ones, which the new ones then replace."""
    for paper in range(centres.size):
        residual = means[paper] - centres[paper]
        move[paper] = centres[paper] - last_centres[paper]
        bend[paper] = residual - last_residual[paper]
        last_centres[paper] = centres[paper]
        last_residual[paper] = residual
        last_means[paper] = means[paper]


@njit(cache=True, nogil=True)
def update_gram(bends: FloatArray, gram: FloatArray, kept: int, row: int) -> None:
    """Inner products of one stored difference with all others, summed in a fixed order."""
    for other in range(kept):
        total = 0.0
        for paper in range(bends.shape[1]):
            total += bends[row, paper] * bends[other, paper]
        gram[row, other] = gram[other, row] = total


@njit(cache=True, nogil=True)
def mix(
    moves: FloatArray,
    bends: FloatArray,
    gram: FloatArray,
    kept: int,
    residual: FloatArray,
    means: FloatArray,
    mixed: FloatArray,
) -> None:
    """Write the combination of the last sweeps whose residual is smallest."""
    system = gram[:kept, :kept].copy()
    share = np.zeros(kept)
    largest = 0.0
    for row in range(kept):
        largest = max(largest, system[row, row])
        for paper in range(residual.size):
            share[row] += bends[row, paper] * residual[paper]
    for row in range(kept):
        system[row, row] += REGULARISATION * largest
    _solve(system, share)
    for paper in range(mixed.size):
        combined = means[paper]
        for row in range(kept):
            combined -= share[row] * (moves[row, paper] + bends[row, paper])
        mixed[paper] = combined


@njit(cache=True, nogil=True)
def _solve(system: FloatArray, right: FloatArray) -> None:
    """Gaussian elimination of a small positive definite system, in place; zero pivots drop out."""
    size = right.size
    for pivot in range(size):
        if system[pivot, pivot] <= 0.0:
            system[pivot, :] = 0.0
            system[pivot, pivot] = 1.0
            right[pivot] = 0.0
        for row in range(pivot + 1, size):
            factor = system[row, pivot] / system[pivot, pivot]
            for column in range(pivot, size):
                system[row, column] -= factor * system[pivot, column]
            right[row] -= factor * right[pivot]
    for row in range(size - 1, -1, -1):
        for column in range(row + 1, size):
            right[row] -= system[row, column] * right[column]
        right[row] /= system[row, row]
