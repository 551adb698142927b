"""Infer the scale from the scores, where nobody stated one, or say why it is doubtful.

Consecutive integers are the first guess. An integer that nobody gave, between two that OFTEN reviews or more
gave each, is no level: evenly spaced levels and those of a known conference are then taken as they are, and
everything else is doubtful.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.scale import LARGEST_LEVEL, MOST_LEVELS, Level, Origin, Scale
from unround.wording import option

OFTEN = (
    10  # reviews; scores rise to one peak and fall again, so that a level between two such is used
)
DIP = 3  # zeros are so many times as often as the next score, and that is so far below the line
# A wider range of integers, most of them unused, is no scale that a form would offer.
WIDEST = 20
# Larger numbers are ids, dates or years rather than scores.
LARGEST_SCORE = 1000
# Scores far from all others that are no more than this share of the reviews look like slips.
FEW = 0.02
# Levels that are neither consecutive nor evenly spaced.
KNOWN = {
    (1, 3, 6, 8): "ICLR 2020",
    (1, 3, 5, 6, 8, 10): "ICLR 2022 to 2025",
}
LEAST_KNOWN = 4  # levels in use, to be recognised where the ends were not given
SHOWN = 12  # levels that a message names


@dataclass(frozen=True)
class Doubt:
    """Why the scale cannot be inferred from the scores, and the scores that make it doubtful."""

    sentence: str
    odd: tuple[float, ...] = ()


@dataclass(frozen=True)
class Usage:
    """The distinct scores, ascending, and how often each was given."""

    levels: FloatArray
    counts: IntArray

    @cached_property
    def is_whole(self) -> bool:
        """Whether all scores are integers."""
        return bool(np.all(self.levels == np.rint(self.levels)))

    @cached_property
    def step(self) -> float:
        """1 for integers; for other numbers the smallest distance between two of them."""
        if self.levels.size == 1 or self.is_whole:
            return 1.0
        return float(f"{np.diff(self.levels).min():.12g}")

    @cached_property
    def gaps(self) -> IntArray:
        """How many levels lie unused after each but the last, at this step."""
        return np.rint(np.diff(self.levels) / self.step).astype(np.int64) - 1

    @cached_property
    def on_grid(self) -> bool:
        """Whether all distances are multiples of the step."""
        steps = np.diff(self.levels) / self.step
        return bool(np.allclose(steps, np.rint(steps), atol=1e-6))

    @property
    def is_even(self) -> bool:
        """Whether three or more levels are evenly spaced."""
        return self.levels.size >= 3 and self.on_grid and np.unique(self.gaps).size == 1

    def often_on_both_sides(self, unused: IntArray) -> bool:
        """Return whether some of the unused levels after each but the last are between two given often."""
        often = self.counts >= OFTEN
        return bool(np.any((unused > 0) & often[:-1] & often[1:]))

    def scale(self, origin: Origin) -> Scale:
        """Return the scale of the levels in use."""
        return Scale(self.levels.tolist(), origin)

    @property
    def whole_range(self) -> str:
        """All levels from the least to the largest, as text for `scale`."""
        first, last = _text(self.levels[0]), _text(self.levels[-1])
        if first == last:
            return first
        return f"{first}..{last}" + ("" if self.step == 1.0 else f":{self.step:g}")


def infer_scale(scores: FloatArray, counts: IntArray) -> tuple[Scale | None, Doubt | None]:
    """Infer the scale from distinct scores and their counts.

    With a doubt, the scale serves to find further issues only.
    """
    usage = _usage(scores, counts)
    levels = usage.levels
    if np.abs(levels).max() > LARGEST_SCORE:
        return _provisional(usage), _too_large(usage)
    if levels.size == 1:
        return usage.scale(Origin.INTEGERS if usage.is_whole else Origin.USED), None
    if levels[0] == 0 and _too_many_zeros(usage):
        return _provisional(usage), Doubt(
            f"{_counted(int(usage.counts[0]))} of 0 are more than the other scores suggest: "
            f"{_no_score(0)}; if it is a score, {option('scale', usage.whole_range)}"
        )
    if not usage.is_whole:
        return _infer_fractions(usage)
    if not usage.gaps.any():
        return usage.scale(Origin.INTEGERS), None
    unlikely = usage.often_on_both_sides(usage.gaps)
    if unlikely and usage.is_even:
        return usage.scale(Origin.USED), None
    known = _known(levels)
    if unlikely and known is not None:
        return Scale(known, Origin.KNOWN), None
    wide = levels[-1] - levels[0] > WIDEST and usage.gaps.sum() > levels.size
    if unlikely or wide:
        return _provisional(usage), _uneven(usage)
    return Scale.integers(int(levels[0]), int(levels[-1])).with_origin(Origin.INTEGERS), None


def _too_many_zeros(usage: Usage) -> bool:
    """Return whether the score after 0 is far below the line from 0 to a later one, in logs of counts."""
    zeros, following, *later = usage.counts.tolist()
    if zeros < max(OFTEN, DIP * following):
        return False
    shares = usage.levels[1] / usage.levels[2:]
    line = zeros ** (1.0 - shares) * np.array(later) ** shares
    return bool(np.any(line >= DIP * following))


def _no_score(level: float) -> str:
    return (
        f"if {level:g} means that there is no score, read the files with "
        f"{option('missing', f'score={level:g}')}"
    )


def _usage(scores: FloatArray, counts: IntArray) -> Usage:
    """Join scores that agree up to rounding."""
    rounded = np.array([float(f"{score:.12g}") for score in scores])
    merged, place = np.unique(rounded, return_inverse=True)
    return Usage(merged, np.bincount(place, weights=counts).astype(np.int64))


def _provisional(usage: Usage) -> Scale | None:
    fits = usage.levels.size <= MOST_LEVELS and np.abs(usage.levels).max() < LARGEST_LEVEL
    return usage.scale(Origin.USED) if fits else None


def _infer_fractions(usage: Usage) -> tuple[Scale | None, Doubt | None]:
    """Take evenly spaced levels where half steps are unused beyond chance."""
    halves = np.ones(usage.levels.size - 1, dtype=np.int64)
    if usage.is_even and usage.often_on_both_sides(halves):
        return usage.scale(Origin.USED), None
    fraction = next(level for level in usage.levels.tolist() if not level.is_integer())
    plain_step = usage.step == round(usage.step, 3)
    width = (usage.levels[-1] - usage.levels[0]) / usage.step
    grid = usage.on_grid and plain_step and width < MOST_LEVELS
    levels = usage.whole_range if grid else _listed(usage.levels)
    return _provisional(usage), Doubt(
        f"scores are not all integers (found {fraction:g}), and too few or too uneven to tell the "
        "levels between which reviewers could choose; name every level, worst to best, "
        f"for example {option('scale', levels)}"
    )


def _known(levels: FloatArray) -> tuple[int, ...] | None:
    """Return the levels of a known conference that uses these, or these without the ends."""
    used = tuple(levels.astype(int).tolist())
    if used in KNOWN:
        return used
    for known in KNOWN:
        runs = (known[first : first + len(used)] for first in range(len(known) - len(used) + 1))
        if len(used) >= LEAST_KNOWN and used in runs:
            return known
    return None


def _too_large(usage: Usage) -> Doubt:
    is_odd = np.abs(usage.levels) > LARGEST_SCORE
    odd, rest = usage.levels[is_odd].tolist(), usage.levels[~is_odd].tolist()
    count = int(usage.counts[is_odd].sum())
    verb, them = ("does", "it") if count == 1 else ("do", "them")
    # Dates are no scale: levels are offered only where other scores are levels.
    settle = (
        f", or state every level, worst to best: {option('scale', _listed(rest))}" if rest else ""
    )
    return Doubt(
        f"{_counted(count)} of {_shown(odd)} {verb} not look like review scores; correct {them}, or name "
        f"another column as the score{settle}",
        tuple(odd),
    )


def _uneven(usage: Usage) -> Doubt:
    odd = _far_off(usage)
    if odd is not None:
        rest = Usage(usage.levels[~odd], usage.counts[~odd])
        count, values = int(usage.counts[odd].sum()), usage.levels[odd].tolist()
        return Doubt(
            f"{_counted(count)} of {_shown(values)} {'lies' if count == 1 else 'lie'} far from all others, "
            f"which run from {rest.levels[0]:g} to {rest.levels[-1]:g}; correct "
            f"{'it' if count == 1 else 'them'}, or state the scale: "
            f"{option('scale', rest.whole_range)} (what is not on it is then listed), or "
            f"{option('scale', usage.whole_range)}",
            tuple(values),
        )
    return Doubt(
        f"scores use the levels {_shown(usage.levels.tolist())} and never {_shown(unused_levels(usage))}, "
        f"in {int(usage.counts.sum()):,} reviews: say which levels reviewers could choose, "
        f"{option('scale', _listed(usage.levels))} or {option('scale', usage.whole_range)}{_lone(usage)}"
    )


def _lone(usage: Usage) -> str:
    """Return what to do if a first or last score apart from all others stands for no score."""
    ends = {int(usage.gaps[0]): usage.levels[0], int(usage.gaps[-1]): usage.levels[-1]}
    widest = max(ends)
    inner = usage.gaps[1:-1].max(initial=0)
    return f"; {_no_score(ends[widest])}" if widest > inner and usage.gaps.size > 1 else ""


def unused_levels(usage: Usage) -> list[float]:
    """Return the integers between the least and the largest score that nobody gave."""
    every = np.arange(usage.levels[0], usage.levels[-1] + 1.0)
    return [float(level) for level in np.setdiff1d(every, usage.levels)]


def _far_off(usage: Usage) -> np.ndarray[tuple[int], np.dtype[np.bool_]] | None:
    """Mark the few scores beyond the widest gap; None if they are many, or the gap is not wide."""
    widest = int(usage.gaps.argmax())
    below = np.arange(usage.levels.size) <= widest
    few = below if usage.counts[below].sum() < usage.counts[~below].sum() else ~below
    rest = usage.levels[~few]
    gap, count = int(usage.gaps[widest]), int(usage.counts[few].sum())
    is_far = gap > max(rest[-1] - rest[0], 2) or gap >= WIDEST
    return few if is_far and count <= max(1, FEW * usage.counts.sum()) else None


def describe_origin(scale: Scale, used: IntArray) -> str:
    """Return a scale's origin and its unused levels in words. `used` counts the reviews of each level."""
    notes: list[str] = [str(scale.origin)]
    if scale.is_reversed:
        notes.append(
            f"{scale.levels[-1]} is best and counts as {scale.values[-1]:g}, "
            f"{scale.levels[0]} as {scale.values[0]:g}"
        )
    if scale.origin is Origin.INTEGERS and scale.levels[:2] == (0, 1) and used[0] and used[1]:
        notes.append(_no_score(0))
    if scale.origin is Origin.KNOWN:
        notes[0] = f"inferred from the scores: the levels of {KNOWN[scale.levels]}"  # type: ignore[index]
    inner = _unused_inner(scale, used)
    if inner and scale.origin in (Origin.INTEGERS, Origin.LETTERS):
        in_use = Scale([level for level, count in zip(scale.levels, used, strict=True) if count])
        notes.append(
            f"nobody gave {_shown(inner)}; if reviewers could not: {option('scale', in_use.text)}"
        )
    if scale.origin in (Origin.USED, Origin.KNOWN) and len(scale.levels) > 1:
        notes.append(f"if reviewers could choose levels between: {option('scale', _filled(scale))}")
    return "; ".join(notes)


def _unused_inner(scale: Scale, used: IntArray) -> list[Level]:
    given = np.flatnonzero(used)
    if not given.size:
        return []
    inner = range(int(given[0]), int(given[-1]))
    return [scale.levels[place] for place in inner if not used[place]]


def _filled(scale: Scale) -> str:
    """Return the range of a scale in finer steps, as text: integers, or half the steps in use."""
    first, last = scale.levels[0], scale.levels[-1]
    if all(isinstance(level, int) for level in scale.levels):
        return f"{first}..{last}"
    return f"{first}..{last}:{scale.spacing / 2:g}"


def _listed(levels: FloatArray | list[float]) -> str:
    fitting = [float(level) for level in levels if abs(level) < LARGEST_LEVEL]
    return Scale(fitting[:MOST_LEVELS] or [1, 2, 3, 4, 5]).text


def _counted(count: int) -> str:
    return "1 score" if count == 1 else f"{count:,} scores"


def _shown(levels: list[float] | list[Level]) -> str:
    first = ", ".join(_text(level) for level in levels[:SHOWN])
    return first + (f" and {len(levels) - SHOWN:,} more" if len(levels) > SHOWN else "")


def _text(level: Level) -> str:
    whole = isinstance(level, float) and level.is_integer()
    return str(int(level) if whole else level)
