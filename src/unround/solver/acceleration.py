"""Acceleration of the sweeps: proposals where to sweep next.

Anderson mixing takes the next centres from the last few, by least squares. It is fast, but where
constraints come and go it may run in circles. Then Nesterov's momentum takes over for a while:
slower, yet a sweep from m to G(m) is a gradient step of a strongly convex function
(docs/mathematics.md), for which momentum is proven to gain a factor of 1 − √(λ/(1+λ)) a sweep.

The stopping bound holds for any centres, so a bad proposal costs a sweep and never exactness.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from unround.arrays import FloatArray
from unround.compiler import compiled

DEPTH = 8
# Relative to the largest entry of the normal equations: enough to keep them solvable.
REGULARISATION = 1e-13
# A residual that grows by more than this shows that the map bent between the last few centres.
ASTRAY = 2.0
Vector = Any  # one number per paper: a NumPy array, or one on a GPU


class History(Protocol):
    """The last sweeps, as Anderson mixing needs them, wherever their numbers lie."""

    last_means: Vector

    def remember(self, centres: Vector, means: Vector, row: int, kept: int) -> None:
        """Write the step from the last sweep to this one into a row; `kept` rows are then valid."""

    def mixed(self, means: Vector, kept: int) -> Vector:
        """Return the combination of the last sweeps whose residual is smallest."""


class Accelerator:
    """Anderson mixing for as long as it gains; between, momentum until it has gained enough."""

    def __init__(self, lam: float, new_history: Callable[[], History]) -> None:
        # The square root of how strongly convex the function is, relative to its curvature.
        self._root = math.sqrt(lam / (1.0 + lam))
        self._patience = max(3 * DEPTH, 1.0 / self._root)
        self._new_history = new_history
        self._method: Anderson | Momentum = Anderson(new_history())
        self._best: Vector = None
        self._least = np.inf
        self._goal = np.inf  # the size that the method in use has to reach next
        self._since = 0  # sweeps since it reached the last one

    def propose(self, centres: Vector, means: Vector, size: float) -> Vector:
        """Return where to sweep next, after a sweep from `centres` to `means` (`size` apart at most).

        The arguments may be overwritten after the call, and the answer is overwritten by the next one.
        """
        self._since += 1
        if size < self._least:
            self._best, self._least = means.copy(), size
        mixing = isinstance(self._method, Anderson)
        if self._least <= self._goal:
            if not mixing:
                self._method = Anderson(self._new_history())
            self._goal, self._since = self._least / 2.0, 0
        elif mixing and self._since > self._patience:
            self._method, self._goal = Momentum(self._root), self._least / 4.0
            return self._best
        return self._method.propose(centres, means, size)


class Momentum:
    """Nesterov's constant step scheme for strongly convex functions."""

    def __init__(self, root: float) -> None:
        self._share = (1.0 - root) / (1.0 + root)
        self._means: Vector = None

    def propose(self, centres: Vector, means: Vector, size: float) -> Vector:
        """Return a point a little beyond the means, in the direction they came from."""
        before, self._means = self._means, means.copy()
        return self._means if before is None else means + self._share * (means - before)


class Anderson:
    """Remembers the last sweeps and mixes them into the next centres."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._kept = 0
        self._next = 0
        self._started = False
        self._size = np.inf  # how far the last sweep went

    def propose(self, centres: Vector, means: Vector, size: float) -> Vector:
        """Return where to sweep next, after a sweep from `centres` to `means` (`size` apart at most)."""
        if self._started and size > ASTRAY * self._size:
            self._kept = self._next = 0
            self._started = False
            return self._history.last_means
        row = self._next
        if self._started:
            self._kept = min(self._kept + 1, DEPTH)
            self._next = (row + 1) % DEPTH
        self._history.remember(centres, means, row, self._kept)
        self._started = True
        self._size = size
        if self._kept == 0:
            return self._history.last_means
        return self._history.mixed(means, self._kept)


class HostHistory:
    """The last sweeps as NumPy arrays."""

    def __init__(self, papers: int) -> None:
        self._moves = np.empty((DEPTH, papers))  # differences of successive centres
        self._bends = np.empty((DEPTH, papers))  # differences of successive residuals
        self._gram = np.zeros((DEPTH, DEPTH))
        # The last sweep: where it started, how far each centre moved, and where it ended.
        self._centres, self._residual, self.last_means = np.zeros((3, papers))
        self._proposal = np.empty(papers)

    def remember(self, centres: FloatArray, means: FloatArray, row: int, kept: int) -> None:
        """Write the step from the last sweep to this one into a row; `kept` rows are then valid."""
        add_step(
            centres, means, self._centres, self._residual, self.last_means,
            self._moves, self._bends, self._gram, row, kept,
        )  # fmt: skip

    def mixed(self, means: FloatArray, kept: int) -> FloatArray:
        """Return the combination of the last sweeps whose residual is smallest."""
        mix(
            self._moves, self._bends, self._gram, kept,
            self._residual, means, self._proposal,
        )  # fmt: skip
        return self._proposal


@compiled
def add_step(
    centres: FloatArray,
    means: FloatArray,
    last_centres: FloatArray,
    last_residual: FloatArray,
    last_means: FloatArray,
    moves: FloatArray,
    bends: FloatArray,
    gram: FloatArray,
    row: int,
    kept: int,
) -> None:
    """Write how centres and residual differ from the last ones, which the new ones then replace.

    The inner products of this difference with all others are summed in a fixed order.
    """
    for paper in range(centres.size):
        residual = means[paper] - centres[paper]
        moves[row, paper] = centres[paper] - last_centres[paper]
        bends[row, paper] = residual - last_residual[paper]
        last_centres[paper] = centres[paper]
        last_residual[paper] = residual
        last_means[paper] = means[paper]
    for other in range(kept):
        total = 0.0
        for paper in range(bends.shape[1]):
            total += bends[row, paper] * bends[other, paper]
        gram[row, other] = gram[other, row] = total


@compiled
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
    share = np.zeros(kept)
    for row in range(kept):
        for paper in range(residual.size):
            share[row] += bends[row, paper] * residual[paper]
    shares_of(gram[:kept, :kept].copy(), share)
    for paper in range(mixed.size):
        combined = means[paper]
        for row in range(kept):
            combined -= share[row] * (moves[row, paper] + bends[row, paper])
        mixed[paper] = combined


@compiled
def shares_of(system: FloatArray, share: FloatArray) -> None:
    """Replace the inner products with the residual by each step's share in the mix, both in place."""
    largest = 0.0
    for row in range(share.size):
        largest = max(largest, system[row, row])
    for row in range(share.size):
        system[row, row] += REGULARISATION * largest
    _solve(system, share)


@compiled
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
