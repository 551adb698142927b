"""The error of every λ on a grid, and the λ chosen from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unround.arrays import FloatArray, freeze
from unround.settings import AUTO

PAPER_GRID: FloatArray = np.exp(np.arange(40) / 4.0)
freeze(PAPER_GRID)


@dataclass(frozen=True)
class Curve:
    """The validation error of every λ of the grid, in ascending order, and the chosen one."""

    lam: FloatArray
    error: FloatArray
    chosen_by: ClassVar[str] = AUTO

    def __post_init__(self) -> None:
        freeze(self.lam, self.error)

    @property
    def best(self) -> float:
        """The λ of the smallest error, the smallest such λ."""
        return float(self.lam[int(np.argmin(self.error))])
