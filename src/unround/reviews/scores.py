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
from unround.reviews.columns import Column, check_numbers
from unround.scale import Scale


def find_scale(
    score: Column, usable: BoolArray, given: Scale | None
) -> tuple[Scale | None, list[Issue]]:
    """Return the given scale, or the consecutive integers or letters seen; None, with issues, if neither."""
    if given is not None:
        issues = _check_kind(score, given)
        return (None if issues else given), issues
    seen = score.values[usable]
    if not seen.size:
        return None, []
    if score.is_text:
        return _letters_seen(score)
    issues = _check_all_numbers(score)
    if issues:
        return None, issues
    return _integers_seen([float(value) for value in _distinct(seen)])


def _integers_seen(numbers: list[float]) -> tuple[Scale | None, list[Issue]]:
    uneven = sorted(value for value in numbers if not value.is_integer())
    if uneven:
        levels = ", ".join(f"{value:g}" for value in sorted(numbers)[:12])
        message = (
            f"scores are not all integers (found {uneven[0]:g}); give every level that reviewers "
            f"could choose, worst to best, for example scale=[{levels}]"
        )
        return None, [Issue(Kind.OFF_SCALE, message)]
    try:
        return Scale.integers(int(min(numbers)), int(max(numbers))), []
    except UsageError as error:
        return None, [Issue(Kind.OFF_SCALE, str(error))]


def find_levels(
    score: Column, reviewer: Column, paper: Column, usable: BoolArray, scale: Scale
) -> tuple[IntArray, list[Issue]]:
    """Return the position of each score on the scale; -1, and an issue, where it is off the scale."""
    level = np.full(usable.size, -1, dtype=np.int64)
    rows = np.flatnonzero(usable)
    values, codes = coded(score.values[rows])
    level[rows] = np.array([_place(value, scale) for value in values], dtype=np.int64)[codes]
    off_scale = np.flatnonzero(usable & (level < 0)).tolist()
    return level, [
        _off_scale(row, reviewer.label(row), paper.label(row), score.label(row), scale)
        for row in off_scale
    ]


def _off_scale(row: int, reviewer: object, paper: object, score: object, scale: Scale) -> Issue:
    allowed = ", ".join(str(symbol) for symbol in scale.levels)
    return Issue(
        Kind.OFF_SCALE,
        f"reviewer {reviewer} gives paper {paper} the score {score}; allowed are {allowed}",
        rows=(row,),
        reviewer=reviewer,
        papers=(paper,),
        scores=(score,),
    )


def _distinct(seen: NDArray[Any]) -> Iterable[Any]:
    return set(seen.tolist()) if seen.dtype == object else distinct(seen).tolist()


def _place(value: Any, scale: Scale) -> int:
    """Return the position of a score on the scale, -1 if it is not on it."""
    if isinstance(value, np.float32):
        near = np.flatnonzero(scale.values.astype(np.float32) == value)
        return int(near[0]) if near.size else -1
    plain = value.item() if isinstance(value, np.generic) else value
    whole = int(plain) if isinstance(plain, float) and plain.is_integer() else plain
    place = scale.position(whole)
    return -1 if place is None else place


def _check_kind(score: Column, scale: Scale) -> list[Issue]:
    """Return an issue unless scores and scale are both numbers, or both symbols."""
    if scale.is_numeric:
        return _check_all_numbers(score)
    if score.is_text:
        return []
    symbols = ", ".join(map(str, scale.levels))
    message = f"column 'score' holds numbers but the scale has the symbols {symbols}"
    return [Issue(Kind.TYPE, message)]


def _check_all_numbers(score: Column) -> list[Issue]:
    return check_numbers(score, ", or name its symbols, worst to best, with scale=[..]")


def _letters_seen(score: Column) -> tuple[Scale | None, list[Issue]]:
    seen, letters = set(score.present.tolist()), set(string.ascii_uppercase)
    if seen and seen <= letters:
        return Scale.letters(min(seen), max(seen)), []
    example = min(seen - letters, default="")
    message = (
        f"column 'score' holds text such as {example!r}; convert the column to numbers, or name "
        "its symbols, worst to best, with scale=[..]"
    )
    return None, [Issue(Kind.TYPE, message)]
