"""Scores -> levels of a scale, and the scale itself when none was given."""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from unround.arrays import BoolArray, IntArray, coded
from unround.errors import UsageError
from unround.issues import Issue, Kind
from unround.reviews.columns import MOST_ODD, Column, check_numbers, is_number, name_odd_cells
from unround.reviews.told import tell_scale
from unround.scale import Origin, Scale

LETTERS = frozenset(string.ascii_uppercase)


def find_scale(
    score: Column, usable: BoolArray, given: Scale | None
) -> tuple[Scale | None, list[Issue]]:
    """Return the given scale, that of an ordered type, or the one told from the scores.

    With an issue the scale, if any, serves to find further issues only.
    """
    if given is not None:
        issues = _check_kind(score, given)
        return (None if issues else given), issues
    if score.order is not None:
        return _scale_of_type(score.order)
    if not usable.any():
        return None, []
    if score.is_text:
        return _letters_seen(score)
    issues = _check_all_numbers(score)
    if issues:
        return None, issues
    return _told(score, usable)


def _told(score: Column, usable: BoolArray) -> tuple[Scale | None, list[Issue]]:
    values, codes = coded(score.values if usable.all() else score.values[usable])
    distinct = np.array([float(value) for value in values])
    scale, doubt = tell_scale(distinct, np.bincount(codes))
    if doubt is None:
        return scale, []
    rows = np.flatnonzero(usable)[np.isin(distinct, doubt.odd)[codes]]
    return scale, [
        Issue(
            Kind.DOUBTFUL_SCALE,
            doubt.sentence,
            rows=tuple(rows[:MOST_ODD].tolist()),
            scores=tuple(score.label(row) for row in rows[:MOST_ODD].tolist()),
        )
    ]


def _scale_of_type(order: tuple[Any, ...]) -> tuple[Scale | None, list[Issue]]:
    try:
        return Scale(order, Origin.TYPE), []
    except UsageError as error:
        message = (
            f"the ordered type of column 'score' is no scale: {error}; "
            "state every level, worst to best, with scale=[..]"
        )
        return None, [Issue(Kind.DOUBTFUL_SCALE, message)]


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
    """Return the consecutive letters seen, A best; None, with issues, if there is other text."""
    rows = np.flatnonzero(~score.missing).tolist()
    others = [row for row in rows if score.values[row] not in LETTERS]
    letters = set(score.present.tolist()) & LETTERS
    if not others:
        return Scale.letters(min(letters), max(letters)).with_origin(Origin.LETTERS), []
    if len(others) * 2 < len(rows):
        return None, name_odd_cells(
            score, others, "where others hold a letter; correct the cell or remove the row"
        )
    if sum(is_number(score.values[row]) for row in others) * 2 > len(others):
        return None, _check_all_numbers(score)
    symbols = sorted({str(score.values[row]) for row in others})
    message = (
        f"column 'score' holds text such as {symbols[0]!r}; convert the column to numbers, or name "
        f"its symbols, worst to best, with scale=[..] (found: {', '.join(symbols[:MOST_ODD])})"
    )
    return None, [Issue(Kind.TYPE, message)]
