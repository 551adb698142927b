"""The error of every λ on a grid, and the λ chosen from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unround.arrays import FloatArray, freeze
from unround.settings import AUTO

PAPER_GRID: FloatArray = np.exp(np.arange(40) / 4.0)
freeze(PAPER_GRID)

# Fewer reviews than this say nothing about λ: one reviewer's whim would decide.
LEAST_REVIEWS = 20


@dataclass(frozen=True)
class Curve:
    """The validation error of every λ of the grid, in ascending order, and the chosen one."""

    lam: FloatArray
    error: FloatArray
    reason: str = ""  # why the curve decides nothing; empty when it does
    chosen_by: ClassVar[str] = AUTO

    def __post_init__(self) -> None:
        freeze(self.lam, self.error)

    @property
    def decided(self) -> bool:
        """Whether the errors tell one λ from another."""
        return not self.reason

    @property
    def best(self) -> float:
        """The λ of the smallest error, the smallest such λ; ∞, which moves scores least, if undecided."""
        return float(self.lam[int(np.argmin(self.error))]) if self.decided else math.inf


def why_undecided(lam: FloatArray, error: FloatArray, reviews: int, pairs: float) -> str:
    """Return why these errors, shares of so many pairs, decide nothing; "" if they do."""
    if lam.size == 1:
        return ""  # the caller left no choice
    if reviews < LEAST_REVIEWS:
        return f"{reviews} reviews are too few to tell one λ from another"
    if float(np.ptp(error)) * pairs < 1.0:
        return "all λ restore the order of the scores equally well"
    return ""
