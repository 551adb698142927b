"""Scale: the ordered levels that reviewers could choose from, and the cell of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from unround.arrays import FloatArray
from unround.errors import UsageError

MOST_LEVELS = 1000
LARGEST_LEVEL = 1e15  # beyond it the fourth decimal is lost
Level = int | float | str


class Scale:
    """The levels of a score, worst first.

    Numbers keep their value; other symbols (letters) count 1, 2, .. by position. A cell
    reaches to the midpoints between neighbouring levels; the two end cells mirror their
    inner half. For consecutive integers that is the paper's z ± 0.5.

    >>> import unround
    >>> scale = unround.Scale([1, 3, 5, 6, 8, 10])
    >>> scale.cell(6)
    (5.5, 7.0)
    >>> scale.cell(1)
    (0.0, 2.0)
    >>> unround.Scale.letters("A", "D").levels
    ('D', 'C', 'B', 'A')
    """

    def __init__(self, levels: Sequence[Level]) -> None:
        self.levels: tuple[Level, ...] = tuple(_plain(level) for level in levels)
        _check(self.levels)
        self._position: dict[object, int] = {
            level: place for place, level in enumerate(self.levels)
        }

    @classmethod
    def integers(cls, worst: int, best: int) -> Scale:
        """Make a scale of consecutive integers.

        >>> import unround
        >>> unround.Scale.integers(1, 5)
        Scale(1, 2, 3, 4, 5)
        """
        if not isinstance(worst, int) or not isinstance(best, int) or worst > best:
            raise UsageError(f"integers go from worst to best: {worst!r} to {best!r} does not")
        if best - worst >= MOST_LEVELS:
            raise UsageError(
                f"the scores run from {worst} to {best}: too wide for a scale of consecutive "
                "integers; give the levels with scale=[..]"
            )
        return cls(range(worst, best + 1))

    @classmethod
    def letters(cls, best: str, worst: str) -> Scale:
        """Make a scale of consecutive capital letters, the earliest one best, as in HotCRP.

        >>> import unround
        >>> unround.Scale.letters("X", "Z")
        Scale(Z, Y, X)
        """
        if not (_is_capital(best) and _is_capital(worst) and best <= worst):
            raise UsageError(
                f"letters are single capitals, the best one first: {best!r} to {worst!r} is not"
            )
        return cls([chr(code) for code in range(ord(worst), ord(best) - 1, -1)])

    @classmethod
    def of(cls, levels: object) -> Scale:
        """Return a scale as it is, or make one from a list of levels.

        >>> import unround
        >>> unround.Scale.of([1, 2, 3])
        Scale(1, 2, 3)
        """
        if isinstance(levels, Scale):
            return levels
        if isinstance(levels, str) or not isinstance(levels, Iterable):
            raise UsageError(f"scale must be a list of levels, worst to best, not {levels!r}")
        return cls(list(levels))

    @cached_property
    def is_numeric(self) -> bool:
        """Whether the levels are numbers rather than symbols."""
        return not isinstance(self.levels[0], str)

    @cached_property
    def values(self) -> FloatArray:
        """The number that stands for each level."""
        if self.is_numeric:
            return np.array(self.levels, dtype=np.float64)
        return np.arange(1, len(self.levels) + 1, dtype=np.float64)

    @cached_property
    def spacing(self) -> float:
        """The smallest distance between two levels: the unit of ε."""
        return float(np.diff(self.values).min()) if len(self.levels) > 1 else 1.0

    @cached_property
    def lower(self) -> FloatArray:
        """The lower end of each level's cell."""
        return self.values - self._half_widths()[0]

    @cached_property
    def upper(self) -> FloatArray:
        """The upper end of each level's cell."""
        return self.values + self._half_widths()[1]

    def position(self, level: object) -> int | None:
        """Return the position of a level, worst = 0; None if it is not on the scale."""
        return self._position.get(level)

    def cell(self, level: Level) -> tuple[float, float]:
        """Return the two ends of the values that round to a level."""
        position = self.position(level)
        if position is None:
            raise UsageError(f"{level!r} is not on the scale {self}")
        return float(self.lower[position]), float(self.upper[position])

    @cached_property
    def is_consecutive_integers(self) -> bool:
        """Whether the levels are integers without a gap: the paper's case."""
        whole = self.is_numeric and bool(np.all(self.values == np.rint(self.values)))
        return whole and bool(np.all(np.diff(self.values) == 1.0))

    def coarse_values(self) -> FloatArray:
        """Return the coarser score of each level: ⌈z/2⌉, by position where levels are uneven.

        >>> import unround
        >>> unround.Scale.integers(0, 4).coarse_values().tolist()
        [0.0, 1.0, 1.0, 2.0, 2.0]
        >>> unround.Scale([1, 3, 5, 6, 8, 10]).coarse_values().tolist()
        [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
        """
        if self.is_consecutive_integers:
            return np.ceil(self.values / 2.0)
        return np.ceil(np.arange(1, len(self.levels) + 1) / 2.0)

    def nearest(self, latent: FloatArray) -> FloatArray:
        """Round real values onto the scale, halfway cases to the even position.

        >>> import numpy as np, unround
        >>> unround.Scale([1, 3, 5, 6]).nearest(np.array([-1.0, 2.1, 5.4, 9.0])).tolist()
        [1.0, 3.0, 5.0, 6.0]
        """
        if self.is_consecutive_integers:
            return np.clip(np.rint(latent), self.values[0], self.values[-1])
        borders = (self.values[1:] + self.values[:-1]) / 2.0
        below = np.searchsorted(borders, latent, side="left")
        above = np.searchsorted(borders, latent, side="right")
        return self.values[np.where(below % 2 == 0, below, above)]

    def __repr__(self) -> str:
        return f"Scale({', '.join(str(level) for level in self.levels)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scale) and self.levels == other.levels

    def __hash__(self) -> int:
        return hash(self.levels)

    def _half_widths(self) -> tuple[FloatArray, FloatArray]:
        if len(self.levels) == 1:
            return np.array([0.5]), np.array([0.5])
        half = np.diff(self.values) / 2.0
        return np.concatenate([half[:1], half]), np.concatenate([half, half[-1:]])


def _is_capital(letter: object) -> bool:
    return isinstance(letter, str) and len(letter) == 1 and "A" <= letter <= "Z"


def _plain(level: object) -> Level:
    """Return a Python number or string for a level that may have come from numpy."""
    if isinstance(level, np.generic):
        level = level.item()
    if isinstance(level, bool) or not isinstance(level, int | float | str):
        raise UsageError(f"a level must be a number or a string, not {level!r}")
    if not isinstance(level, str) and not abs(level) < LARGEST_LEVEL:
        raise UsageError(
            f"a level must be finite and below {LARGEST_LEVEL:g}, not {str(level)[:20]}"
        )
    return int(level) if isinstance(level, float) and level.is_integer() else level


def _check(levels: tuple[Level, ...]) -> None:
    if not levels:
        raise UsageError("a scale needs at least one level")
    if len(levels) > MOST_LEVELS:
        raise UsageError(f"a scale may have at most {MOST_LEVELS} levels, not {len(levels)}")
    if len(set(levels)) < len(levels):
        twice = next(level for level in levels if levels.count(level) > 1)
        raise UsageError(f"the level {twice!r} is on the scale twice")
    symbols = [isinstance(level, str) for level in levels]
    if any(symbols) and not all(symbols):
        raise UsageError("a scale's levels must be all numbers or all symbols, not a mix")
    if not any(symbols) and any(a >= b for a, b in pairwise(levels)):  # type: ignore[operator]
        raise UsageError(f"levels go from worst to best: {', '.join(map(str, levels))} does not")
    if not any(symbols) and np.any(np.diff(np.array(levels, dtype=np.float64)) <= 0.0):
        raise UsageError("two levels are too close, or too large, to tell apart as numbers")
