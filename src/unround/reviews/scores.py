"""Scores -> levels of a scale, and the scale itself when none was given."""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unround.arrays import BoolArray, IntArray, coded, distinct
from unround.errors import UsageError
from unround.issues import Issue, Kind
from unround.reviews.columns import Column, number_problems
from unround.scale import Scale


def infer_scale(
    score: Column, usable: BoolArray, scale: Scale | None, issues: list[Issue]
) -> Scale | None:
    """The scale given, or the consecutive integers (or letters) seen; None, with an issue, if neither."""
    if scale is not None:
        return scale if _kind_matches(score, scale, issues) else None
    seen = score.values[usable]
    if not seen.size:
        return None
    if score.is_text:
        return _letters_seen(score, issues)
    if not _all_numbers(score, issues):
        return None
    numbers = [float(value) for value in _distinct(seen)]
    uneven = sorted(value for value in numbers if not value.is_integer())
    if uneven:
        levels = ", ".join(f"{value:g}" for value in sorted(numbers)[:12])
        issues.append(
            Issue(
                Kind.OFF_SCALE,
                f"scores are not all integers (found {uneven[0]:g}); give every level that reviewers "
                f"could choose, worst to best, for example scale=[{levels}]",
            )
        )
        return None
    try:
        return Scale.integers(int(min(numbers)), int(max(numbers))) if numbers else None
    except UsageError as too_wide:
        issues.append(Issue(Kind.OFF_SCALE, str(too_wide)))
        return None


def levels_of(
    score: Column,
    reviewer: Column,
    paper: Column,
    usable: BoolArray,
    scale: Scale,
    issues: list[Issue],
) -> IntArray:
    """The position of each score on the scale; -1, and an issue, where it is off the scale."""
    level = np.full(usable.size, -1, dtype=np.int64)
    rows = np.flatnonzero(usable)
    values, codes = coded(score.values[rows])
    level[rows] = np.array([_place(value, scale) for value in values], dtype=np.int64)[codes]
    for row in np.flatnonzero(usable & (level < 0)).tolist():
        who, what, value = reviewer.label(row), paper.label(row), score.label(row)
        allowed = ", ".join(str(symbol) for symbol in scale.levels)
        issues.append(
            Issue(
                Kind.OFF_SCALE,
                f"reviewer {who} gives paper {what} the score {value}; allowed are {allowed}",
                rows=(row,),
                reviewer=who,
                papers=(what,),
                scores=(value,),
            )
        )
    return level


def _distinct(seen: NDArray[Any]) -> Iterable[Any]:
    return set(seen.tolist()) if seen.dtype == object else distinct(seen).tolist()


def _place(value: Any, scale: Scale) -> int:
    """A score's position on the scale, -1 if it is not on it."""
    if isinstance(value, np.float32):
        near = np.flatnonzero(scale.values.astype(np.float32) == value)
        return int(near[0]) if near.size else -1
    plain = value.item() if isinstance(value, np.generic) else value
    whole = int(plain) if isinstance(plain, float) and plain.is_integer() else plain
    place = scale.position(whole)
    return -1 if place is None else place


def _kind_matches(score: Column, scale: Scale, issues: list[Issue]) -> bool:
    if scale.is_numeric:
        return _all_numbers(score, issues)
    if score.is_text:
        return True
    issues.append(
        Issue(
            Kind.TYPE,
            f"column 'score' holds numbers but the scale has the symbols {', '.join(map(str, scale.levels))}",
        )
    )
    return False


def _all_numbers(score: Column, issues: list[Issue]) -> bool:
    return number_problems(score, issues, ", or name its symbols, worst to best, with scale=[..]")


def _letters_seen(score: Column, issues: list[Issue]) -> Scale | None:
    seen, letters = set(score.present.tolist()), set(string.ascii_uppercase)
    if seen and seen <= letters:
        return Scale.letters(min(seen), max(seen))
    example = min(seen - letters, default="")
    issues.append(
        Issue(
            Kind.TYPE,
            f"column 'score' holds text such as {example!r}; convert the column to numbers, or name "
            "its symbols, worst to best, with scale=[..]",
        )
    )
    return None
