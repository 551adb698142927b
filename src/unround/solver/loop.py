"""The one loop: sweep, stop on the bound, else ask the accelerator for the next centres."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from unround.arrays import FloatArray, freeze
from unround.solver.acceleration import Accelerator, History, HostHistory, Vector

MOST_SWEEPS = 50_000
# Moves of less than this share of the largest centre may be due to rounding alone. Sweeping ends if they
# become no smaller for PATIENCE_SWEEPS, or for TIMES / √(λ/(1+λ)) sweeps if these are more: in
# 1/√(λ/(1+λ)) sweeps momentum gains a factor of e at least.
ROUNDING_OF_LARGEST = 1e-11
PATIENCE_SWEEPS = 25
TIMES = 10.0
LARGEST_LAMBDA = 1e300  # stands for λ = ∞ in λ/(1+λ)


@dataclass(frozen=True)
class Solution:
    """Scores, one per review, and the bound that the sweeps prove for them; it may miss the tolerance."""

    scores: FloatArray  # or an array on a GPU
    centres: FloatArray
    bound: float
    sweeps: int


class Sweeps(Protocol):
    """What the loop needs of a solver: one sweep from given centres."""

    def first_centres(self, weight: float) -> Vector:
        """Return where to start when nothing better is known."""

    def sweep(self, centres: Vector, weight: float) -> tuple[Vector, float]:
        """Sweep from these centres; return the new ones, good until the next sweep, and how far any moved."""

    def scores(self) -> Vector:
        """Return the scores of the last sweep, one per review."""


def iterate(sweeps: Sweeps, lam: float, tolerance: float, start: FloatArray | None) -> Solution:
    """Sweep until no score can be further than `tolerance` from the optimum, or sweeps gain nothing more."""
    solution = converge(sweeps, lam, tolerance, start, HostHistory)
    freeze(solution.scores, solution.centres)
    return solution


def converge(
    sweeps: Sweeps,
    lam: float,
    tolerance: float,
    start: Vector | None,
    history: Callable[[int], History],
) -> Solution:
    """`iterate` on vectors of any kind, NumPy's or a GPU's; `history` makes a History for so many papers."""
    weight = 0.0 if math.isinf(lam) else 1.0 / (1.0 + lam)
    centres = sweeps.first_centres(weight) if start is None else start.astype(np.float64)
    accelerator = Accelerator(min(lam, LARGEST_LAMBDA), partial(history, centres.size))
    root = math.sqrt(min(lam, LARGEST_LAMBDA) / (1.0 + min(lam, LARGEST_LAMBDA)))
    patience, most = max(PATIENCE_SWEEPS, TIMES / root), max(MOST_SWEEPS, int(5.0 * TIMES / root))
    smallest, since, taken = np.inf, 0, 0
    while taken < most:
        taken += 1
        means, moved = sweeps.sweep(centres, weight)
        bound = 0.0 if math.isinf(lam) else moved / lam
        if bound <= tolerance:
            break
        smallest, since = (moved, 0) if moved < smallest else (smallest, since + 1)
        if since >= patience and moved <= ROUNDING_OF_LARGEST * float(abs(means).max()):
            break
        centres = accelerator.propose(centres, means, moved)
    return Solution(sweeps.scores(), means.copy(), bound, taken)
