"""Scale: the ordered levels that reviewers could choose from, and the cell of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

import numpy as np

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.wording import option

MOST_LEVELS = 1000
LARGEST_LEVEL = 1e15  # beyond it the fourth decimal is lost
# Numbers that agree to so many digits are one level: 1.7999999999999998 is 1.8.
DIGITS = 12
# A score within this share of the spacing is on a level: room for numbers of single precision.
ROUNDING_SPACINGS = 1e-5
Level = int | float | str


class Origin(StrEnum):
    """Where a scale came from, in words."""

    STATED = "as stated"
    FORM = "from the review form"
    TYPE = "from the ordered type of the score column"
    INTEGERS = "inferred from the scores: consecutive integers"
    LETTERS = "inferred from the scores: consecutive letters, A best"
    USED = "inferred from the scores: the levels in use"
    KNOWN = "inferred from the scores: a known conference's levels"

    @property
    def is_inferred(self) -> bool:
        """Whether other scores could lead to another scale."""
        return self in (Origin.INTEGERS, Origin.LETTERS, Origin.USED, Origin.KNOWN)


class Scale:
    """The levels of a score, worst first.

    Numbers keep their value; other symbols (letters) count 1, 2, .. by position. Where numbers go
    down, the smallest is best and the scale is mirrored: on 5, 4, .., 1 a 5 counts as 1 and a 1 as 5.
    A cell reaches to the midpoints between neighbouring levels; the two end cells mirror their
    inner half. For consecutive integers that is the paper's z ± 0.5.

    `origin` says where the levels came from. Scales with equal levels are equal.

    >>> import unround
    >>> scale = unround.Scale([1, 3, 5, 6, 8, 10])
    >>> scale.cell(6)
    (5.5, 7.0)
    >>> scale.cell(1)
    (0.0, 2.0)
    >>> unround.Scale.letters("A", "D").levels
    ('D', 'C', 'B', 'A')
    >>> unround.Scale([5, 4, 3, 2, 1]).cell(1)
    (4.5, 5.5)
    """

    def __init__(self, levels: Sequence[Level] | str, origin: Origin = Origin.STATED) -> None:
        if not isinstance(levels, Iterable) or isinstance(levels, Set):  # a set has no order
            raise UsageError(
                f"{option('scale')} must be a list of levels, worst to best, not {levels!r}"
            )
        if isinstance(levels, str):
            levels = parse_levels(levels)
        self.levels: tuple[Level, ...] = tuple(_plain(level) for level in levels)
        self.origin = origin
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
                f"integers; give the levels, such as {option('scale', '1,3,5')}"
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
        """Return a scale as it is, or make one from a list of levels or from text.

        In text, levels and ranges stand between commas, worst first: "1,3,5", "1..10",
        "1..5:0.5" (steps of 0.5), "5..1" (1 is best), "D..A".

        >>> import unround
        >>> unround.Scale.of([1, 2, 3]), unround.Scale.of("5..1"), unround.Scale.of("1..2:0.5")
        (Scale(1, 2, 3), Scale(5, 4, 3, 2, 1), Scale(1, 1.5, 2))
        """
        if isinstance(levels, Scale):
            return levels
        return cls(levels)  # type: ignore[arg-type]

    def with_origin(self, origin: Origin) -> Scale:
        """Return the same levels with another origin."""
        return Scale(self.levels, origin)

    @cached_property
    def text(self) -> str:
        """The scale in the shortest text that `Scale.of` reads, for the option --scale.

        >>> import unround
        >>> unround.Scale([1, 2, 3, 4]).text, unround.Scale([1, 3, 5, 6]).text
        ('1..4', '1,3,5,6')
        """
        steps = np.diff(np.array(self.levels, dtype=np.float64)) if self.is_numeric else np.zeros(0)
        if len(self.levels) < 3 or not steps.size or not np.allclose(steps, steps[0], rtol=1e-9):
            return ",".join(str(level) for level in self.levels)
        step = abs(_plain(float(steps[0])))  # type: ignore[arg-type]
        return f"{self.levels[0]}..{self.levels[-1]}" + ("" if step == 1 else f":{step}")

    @cached_property
    def is_numeric(self) -> bool:
        """Whether the levels are numbers rather than symbols."""
        return not isinstance(self.levels[0], str)

    @cached_property
    def is_reversed(self) -> bool:
        """Whether the levels are numbers of which the smallest is best."""
        return self.is_numeric and self.levels[0] > self.levels[-1]  # type: ignore[operator]

    @cached_property
    def values(self) -> FloatArray:
        """The number that each level counts as, ascending."""
        if not self.is_numeric:
            return np.arange(1, len(self.levels) + 1, dtype=np.float64)
        numbers = np.array(self.levels, dtype=np.float64)
        return numbers[0] + numbers[-1] - numbers if self.is_reversed else numbers

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
        if isinstance(level, str):
            return self._position.get(level)
        if level in self._position or not self.is_numeric or not isinstance(level, int | float):
            return self._position.get(level)
        distance = np.abs(np.array(self.levels, dtype=np.float64) - level)
        nearest = int(distance.argmin())
        return nearest if distance[nearest] <= ROUNDING_SPACINGS * self.spacing else None

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

    def numbers(self) -> FloatArray:
        """Number the levels: in level spacings where that gives whole numbers in a row, else from 1.

        >>> import unround
        >>> unround.Scale([0, 10, 20]).numbers().tolist(), unround.Scale([1, 3, 6]).numbers().tolist()
        ([0.0, 1.0, 2.0], [1.0, 2.0, 3.0])
        """
        spacings = np.round(self.values / self.spacing, DIGITS - 3)
        if self.is_numeric and np.all(spacings == np.rint(spacings[0]) + np.arange(spacings.size)):
            return spacings
        return np.arange(1.0, len(self.levels) + 1.0)

    def coarse_values(self) -> FloatArray:
        """Return the coarser score of each level: ⌈z/2⌉ of its number.

        >>> import unround
        >>> unround.Scale.integers(0, 4).coarse_values().tolist()
        [0.0, 1.0, 1.0, 2.0, 2.0]
        >>> unround.Scale([1, 3, 5, 6, 8, 10]).coarse_values().tolist()
        [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
        """
        return np.ceil(self.numbers() / 2.0)

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
    if isinstance(level, str):
        return level
    if not abs(level) < LARGEST_LEVEL:
        raise UsageError(
            f"a level must be finite and below {LARGEST_LEVEL:g}, not {str(level)[:20]}"
        )
    if isinstance(level, float):
        rounded = level if level.is_integer() else float(f"{level:.{DIGITS}g}")
        return int(rounded) if rounded.is_integer() else rounded
    return level


_RANGE = re.compile(
    r"(?P<first>.+?)\.\.\.?(?P<last>[^:]+)(?::(?P<step>.+))?"
    r"|(?P<low>\d+)\s*(?:-|–|to)\s*(?P<high>\d+)"
)


def parse_levels(text: str) -> list[Level]:
    """Return the levels in a text such as "1,3,5", "1..10", "1..5:0.5", "5..1" or "D..A".

    >>> parse_levels("1, 3,5"), parse_levels("B,A"), parse_levels("1-3,77"), parse_levels("C..A")
    ([1, 3, 5], ['B', 'A'], [1, 2, 3, 77], ['C', 'B', 'A'])
    """
    levels: list[Level] = []
    for item in map(str.strip, re.split(r"[,;]", text)):
        spelled = _RANGE.fullmatch(item)
        if not item or (".." in item and spelled is None):
            raise UsageError(_no_scale(text))
        levels += _range(text, spelled) if spelled else [item]
    numbers = [_number(level) for level in levels]
    return levels if None in numbers else [_plain(number) for number in numbers]


def _range(text: str, spelled: re.Match[str]) -> list[Level]:
    """Return the levels from the first to the last, both included, up or down."""
    first, last = (
        (spelled["first"] or spelled["low"]).strip(),
        (spelled["last"] or spelled["high"]).strip(),
    )
    step = spelled["step"]
    if step is None and _is_capital(first) and _is_capital(last):
        down = ord(first) > ord(last)
        codes = range(ord(first), ord(last) + (-1 if down else 1), -1 if down else 1)
        return [chr(code) for code in codes]
    low, high, width = _number(first), _number(last), _number(step or "1")
    if low is None or high is None or width is None or not 0.0 < width < np.inf:
        raise UsageError(_no_scale(text))
    count = abs(high - low) / width
    if not count < MOST_LEVELS:
        raise UsageError(f"{text!r} has more than {MOST_LEVELS} levels")
    if abs(count - round(count)) > ROUNDING_SPACINGS:
        raise UsageError(f"{text!r} does not reach {last} in steps of {width:g}")
    signed = width if high >= low else -width
    return [_plain(low + place * signed) for place in range(round(count) + 1)]


def _no_scale(text: str) -> str:
    return (
        f'{text!r} is no scale; write levels worst to best, such as "1,3,5", a range "1..10", '
        'or a range with its step, "1..5:0.5"'
    )


def _number(level: Level) -> float | None:
    try:
        return float(level)
    except ValueError:
        return None


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
    rising = [a < b for a, b in pairwise(levels)]  # type: ignore[operator]
    if not any(symbols) and any(rising) and not all(rising):
        raise UsageError(f"levels go from worst to best: {', '.join(map(str, levels))} does not")
    if not any(symbols) and np.any(np.diff(np.array(levels, dtype=np.float64)) == 0.0):
        raise UsageError("two levels are too close, or too large, to tell apart as numbers")
