"""Means of papers -> places, before and after a change of some of them, without sorting again."""

from __future__ import annotations

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.metrics import tie_grid

# Means closer than this may be tied or stand either way round once they are rounded to four decimals.
ROUNDED = 1e-4


class Places:
    """A place is one more than the papers with a higher mean, rounded to four decimals: ties share it."""

    def __init__(self, means: FloatArray) -> None:
        self.means = means
        self._grid = tie_grid(means.copy())
        self._sorted = np.sort(self._grid)
        self._sorted_means = np.sort(means)
        self.now = self._better(self._grid) + 1

    def after(self, papers: IntArray, means: FloatArray, asked: IntArray) -> IntArray:
        """Return the places of some papers once others, or they themselves, have these means."""
        new, old = tie_grid(means.copy()), self._grid[papers]
        own = self._grid[asked]
        same = asked[:, None] == papers[None, :]
        moved = same.any(axis=1)
        own[moved] = new[same[moved].argmax(axis=1)]
        gone = (old[None, :] > own[:, None]).sum(axis=1)
        come = (new[None, :] > own[:, None]).sum(axis=1)
        places: IntArray = self._better(own) - gone + come + 1
        return places

    def at_best(self, mean: float, papers: IntArray, lowest: FloatArray, drift: float) -> int:
        """Return the best place that a paper with this mean can have.

        papers  others that may come down to `lowest`; all that are not among these move by `drift` at most
        """
        reach = mean + drift + ROUNDED
        surely = self._sorted_means.size - np.searchsorted(self._sorted_means, reach, "right")
        counted = int((self.means[papers] > reach).sum())
        return 1 + int(surely) - counted + int((lowest > mean + ROUNDED).sum())

    def at_worst(self, mean: float, papers: IntArray, highest: FloatArray, drift: float) -> int:
        """Return the worst place, where others may go up to `highest`."""
        reach = mean - drift - ROUNDED
        perhaps = self._sorted_means.size - np.searchsorted(self._sorted_means, reach, "left")
        counted = int((self.means[papers] >= reach).sum())
        return 1 + int(perhaps) - counted + int((highest >= mean - ROUNDED).sum())

    def _better(self, grid: FloatArray) -> IntArray:
        better: IntArray = self._sorted.size - np.searchsorted(self._sorted, grid, "right")
        return better
