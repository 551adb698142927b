"""Dataframes -> ReviewSet.

Every issue is collected; rows with an issue of their own are left out, and the rest is checked too.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unround.arrays import BoolArray, IntArray, coded, repeats
from unround.errors import InputRefused, UsageError
from unround.issues import Issue, Kind
from unround.reviews.columns import (
    MOST_ODD,
    Column,
    check_ids,
    check_numbers,
    is_number,
    missing_columns,
    missing_values,
    name_odd_cells,
    rows_missing,
    take_columns,
)
from unround.reviews.frames import Frame, open_frame
from unround.reviews.infer_scale import infer_scale
from unround.reviews.rankings import (
    Columns,
    StatementTable,
    check_statement_columns,
    check_statement_values,
    read_statements,
    statement_columns,
)
from unround.reviews.review_set import Ids, ReviewSet, Statements
from unround.scale import Origin, Scale
from unround.wording import option

LETTERS = frozenset(string.ascii_uppercase)
GRADES = frozenset("ABCDEFGH")  # letters that everybody orders in one way
REVIEW_COLUMNS = ("reviewer", "paper", "score")
RESULT_COLUMNS = ("dequantized", "percentile")  # which a result adds to them


@dataclass(frozen=True)
class InputIssues:
    """The issues that reading found. `fatal` ones stop a run under every policy."""

    fatal: tuple[Issue, ...]
    set_aside: tuple[Issue, ...]  # statements that no policy can use


def read(
    reviews: object, rankings: object, same: object, scale: Scale | None
) -> tuple[Frame, ReviewSet, InputIssues]:
    """Read all of the caller's tables. Raise InputRefused when a table cannot be read at all."""
    frame = open_frame(reviews, "reviews")
    statements = _statement_frames(rankings, same)
    columns, tables = _take_all_columns(frame, statements)
    base, fatal = _read_reviews(columns, scale)
    if base is None:
        unread = [issue for table in tables for issue in check_statement_values(table, columns)]
        raise InputRefused(fatal + unread)
    stated, more_fatal, set_aside = read_statements(base, columns, tables)
    left_out = np.delete(np.arange(columns["score"].values.size), base.row).tolist()
    given = {tuple(columns[name].label(row) for name in REVIEW_COLUMNS[:2]) for row in left_out}
    set_aside = [issue for issue in set_aside if (issue.reviewer, *issue.papers) not in given]
    findings = InputIssues((*fatal, *more_fatal), tuple(set_aside))
    return frame, base.with_statements(stated), findings


def read_reviews_alone(reviews: object, scale: object) -> ReviewSet | None:
    """Read the reviews without statements, for their scale; None where they cannot be read."""
    try:
        return read(reviews, None, None, None if scale is None else Scale.of(scale))[1]
    except InputRefused:
        return None


def _statement_frames(rankings: object, same: object) -> list[tuple[str, Frame]]:
    named = _named_rankings(rankings)
    if same is not None:
        named.append(("same", same))
    return [(name, open_frame(native, name)) for name, native in named]


def _named_rankings(rankings: object) -> list[tuple[str, object]]:
    if rankings is None:
        return []
    if isinstance(rankings, list | tuple) and not any(isinstance(row, dict) for row in rankings):
        return [(f"rankings[{number}]", native) for number, native in enumerate(rankings)]
    return [("rankings", rankings)]


def _take_all_columns(
    frame: Frame, statements: Sequence[tuple[str, Frame]]
) -> tuple[Columns, list[StatementTable]]:
    """Return the columns of every table. Raise InputRefused with all that are missing."""
    issues = missing_columns(frame, "reviews", REVIEW_COLUMNS) + _result_columns(frame)
    for name, table in statements:
        issues += check_statement_columns(name, table)
    if issues:
        raise InputRefused(issues)
    return take_columns(frame, "reviews", REVIEW_COLUMNS), [
        StatementTable(name, take_columns(table, name, statement_columns(name, table)))
        for name, table in statements
    ]


def _result_columns(frame: Frame) -> list[Issue]:
    """Return an issue for each column that the table of results would overwrite."""
    return [
        Issue(
            Kind.COLUMN,
            f"reviews already has a column '{name}', which the result would overwrite; "
            "rename or drop it first",
        )
        for name in RESULT_COLUMNS
        if name in frame.columns
    ]


def _read_reviews(columns: Columns, given: Scale | None) -> tuple[ReviewSet | None, list[Issue]]:
    """Return the reviews without statements, from rows without an issue; None if ids or scale fail."""
    reviewer, paper, score = (columns[name] for name in REVIEW_COLUMNS)
    if not score.values.size:
        return None, [Issue(Kind.EMPTY, "reviews has no rows: there is nothing to do")]
    usable = ~rows_missing(columns.values())
    issues = missing_values(columns.values())
    wrong_ids = [*check_ids(reviewer), *check_ids(paper)]
    scale, scale_issues = find_scale(score, usable, given)
    issues += wrong_ids + scale_issues
    if wrong_ids or scale is None:
        return None, issues
    level, off_scale = find_levels(score, reviewer, paper, usable, scale)
    rows = np.flatnonzero(usable & (level >= 0))
    (reviewers, by), (papers, about) = _ids(reviewer, rows), _ids(paper, rows)
    sorted_rows, reviewed_twice = _sorted_without_repeats(reviewers, papers, by, about, rows)
    reviews = ReviewSet(
        reviewer=by[sorted_rows],
        paper=about[sorted_rows],
        level=level[rows[sorted_rows]],
        row=rows[sorted_rows],
        scale=scale,
        reviewers=reviewers,
        papers=papers,
        statements=Statements.none(sorted_rows.size),
    )
    return reviews, issues + off_scale + reviewed_twice


def _ids(column: Column, rows: IntArray) -> tuple[Ids, IntArray]:
    values = column.values if rows.size == column.values.size else column.values[rows]
    ids = Ids(values)
    return ids, ids.codes(values)


def _sorted_without_repeats(
    reviewers: Ids, papers: Ids, reviewer: IntArray, paper: IntArray, rows: IntArray
) -> tuple[IntArray, list[Issue]]:
    """Return the order by reviewer and paper. Of a review given more than once it holds the first row."""
    key = reviewer * len(papers) + paper
    if np.all(key[1:] > key[:-1]):
        return np.arange(key.size), []
    order = np.argsort(key, kind="stable")  # of repeats, the first row first
    again = repeats(key[order])
    issues = [
        _reviewed_twice(
            reviewers.labels[reviewer[order[place]]],
            papers.labels[paper[order[place]]],
            rows[order[place - 1 : place + 1]],
        )
        for place in np.flatnonzero(again).tolist()
    ]
    return order[~again], issues


def _reviewed_twice(reviewer: object, paper: object, rows: IntArray) -> Issue:
    return Issue(
        Kind.DUPLICATE_REVIEW,
        f"reviewer {reviewer} reviews paper {paper} twice; keep one of the rows",
        rows=tuple(rows.tolist()),
        reviewer=reviewer,
        papers=(paper,),
    )


def find_scale(
    score: Column, usable: BoolArray, given: Scale | None
) -> tuple[Scale | None, list[Issue]]:
    """Return the given scale, that of an ordered type, or the one inferred from the scores.

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
    return _inferred(score, usable)


def _inferred(score: Column, usable: BoolArray) -> tuple[Scale | None, list[Issue]]:
    values, codes = coded(score.values if usable.all() else score.values[usable])
    distinct = np.array([float(value) for value in values])
    scale, doubt = infer_scale(distinct, np.bincount(codes))
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
            f"state every level, worst to best, such as {option('scale', '1..5')}"
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
    first, last = scale.levels[0], scale.levels[-1]
    if len(scale.levels) == 2 and all(isinstance(each, int) for each in (first, score, last)):
        allowed += f" alone; is the scale {option('scale', f'{first}..{last}')}?"
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
    return check_numbers(score, lambda: f", or {_name_symbols()}")


def _name_symbols() -> str:
    return f"name every level, worst to best, with {option('scale')}"


def _letters_seen(score: Column) -> tuple[Scale | None, list[Issue]]:
    """Return the consecutive letters seen, A best; None, with issues, if there is other text."""
    rows = np.flatnonzero(~score.missing).tolist()
    others = [row for row in rows if score.values[row] not in LETTERS]
    letters = set(score.present.tolist()) & LETTERS
    if not others and letters <= GRADES:
        return Scale.letters(min(letters), max(letters)).with_origin(Origin.LETTERS), []
    if not others:
        message = (
            f"scores are the letters {', '.join(sorted(letters))}, which can be ordered in several ways: say "
            f"the order, worst first, as in {option('scale', 'D,C,B,A')}"
        )
        return None, [Issue(Kind.DOUBTFUL_SCALE, message)]
    symbols = sorted(set(map(str, score.present)))
    named = f"{_name_symbols()} (found: {', '.join(symbols[:MOST_ODD])})"
    if len(others) * 2 < len(rows):
        return None, name_odd_cells(
            score, others, f"where others hold a letter; correct the cell, or {named}"
        )
    if sum(is_number(score.values[row]) for row in others) * 2 > len(others):
        return None, _check_all_numbers(score)
    message = (
        f"column 'score' holds text such as {str(score.values[others[0]])!r}; convert the column to "
        f"numbers, or {named}"
    )
    return None, [Issue(Kind.TYPE, message)]
