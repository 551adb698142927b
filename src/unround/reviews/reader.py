"""Dataframes -> ReviewSet.

Every problem is collected; bad rows are left out so that the rest is checked too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unround.arrays import BoolArray, FloatArray, IntArray, coded
from unround.errors import InputRefused
from unround.issues import Issue, Kind
from unround.reviews.columns import (
    Column,
    find_columns,
    id_problems,
    ids_agree,
    missing_problems,
    number_problems,
)
from unround.reviews.frames import Frame, open_frame
from unround.reviews.ids import Ids
from unround.reviews.review_set import ReviewSet, Statements
from unround.reviews.scores import infer_scale, levels_of
from unround.scale import Scale

RANKED = ("reviewer", "paper", "rank")
PAIRED = ("reviewer", "better", "worse")
ALIKE = ("reviewer", "paper", "same_as")


@dataclass
class Reading:
    """What reading has found so far. `fatal` problems stop a run under every policy."""

    fatal: list[Issue] = field(default_factory=list)
    set_aside: list[Issue] = field(default_factory=list)  # statements that no policy can use


def read(
    reviews: object, rankings: object, same: object, scale: Scale | None
) -> tuple[Frame, ReviewSet, Reading]:
    """All of the caller's tables. Raises InputRefused when a table cannot be read at all."""
    found = Reading()
    frame = open_frame(reviews, "reviews")
    tables = [(name, open_frame(native, name)) for name, native in _ranking_tables(rankings)]
    if same is not None:
        tables.append(("same", open_frame(same, "same")))
    columns = find_columns(frame, "reviews", ("reviewer", "paper", "score"), found.fatal)
    stated = [(name, _statement_columns(table, name, found.fatal)) for name, table in tables]
    if columns is None or any(table is None for _, table in stated):
        raise InputRefused(found.fatal)
    statements = [(name, table) for name, table in stated if table is not None]
    base = _read_reviews(columns, scale, found)
    if base is None:
        for name, table in statements:
            missing_problems(table.values(), name, found.fatal)
            _statement_types(table, columns, found)
        raise InputRefused(found.fatal)
    return frame, base.with_statements(_read_statements(base, columns, statements, found)), found


def _ranking_tables(rankings: object) -> Iterable[tuple[str, object]]:
    if rankings is None:
        return []
    if isinstance(rankings, list | tuple):
        return [(f"rankings[{number}]", native) for number, native in enumerate(rankings)]
    return [("rankings", rankings)]


def _statement_columns(table: Frame, name: str, issues: list[Issue]) -> dict[str, Column] | None:
    """The columns of a table of statements: ranks, pairs, or 'about the same'."""
    if name == "same":
        return find_columns(table, name, ALIKE, issues)
    has_rank, has_pair = "rank" in table.columns, {"better", "worse"} & set(table.columns)
    if has_rank and has_pair:
        issues.append(
            Issue(
                Kind.COLUMN,
                f"{name} mixes a rank list (column 'rank') with stated pairs "
                f"(column '{sorted(has_pair)[0]}'); give them as two tables, rankings=[ranks, pairs]",
                table=name,
            )
        )
        return None
    return find_columns(table, name, PAIRED if has_pair else RANKED, issues)


def _read_reviews(
    columns: dict[str, Column], scale: Scale | None, found: Reading
) -> ReviewSet | None:
    """Reviews without statements, from the rows that have no problem of their own; None if none can be."""
    reviewer, paper, score = columns["reviewer"], columns["paper"], columns["score"]
    if not score.values.size:
        found.fatal.append(Issue(Kind.EMPTY, "reviews has no rows: there is nothing to do"))
        return None
    usable = ~missing_problems(columns.values(), "reviews", found.fatal)
    typed = all([id_problems(reviewer, found.fatal), id_problems(paper, found.fatal)])
    chosen = infer_scale(score, usable, scale, found.fatal)
    if not typed or chosen is None:
        return None
    level = levels_of(score, reviewer, paper, usable, chosen, found.fatal)
    rows = np.flatnonzero(usable & (level >= 0))
    (reviewers, by), (papers, about) = _ids(reviewer, rows), _ids(paper, rows)
    first = _sorted_without_repeats(reviewers, papers, by, about, rows, found)
    return ReviewSet(
        reviewer=by[first],
        paper=about[first],
        level=level[rows[first]],
        row=rows[first],
        scale=chosen,
        reviewers=reviewers,
        papers=papers,
        statements=Statements.none(first.size),
    )


def _ids(column: Column, rows: IntArray) -> tuple[Ids, IntArray]:
    values = column.values if rows.size == column.values.size else column.values[rows]
    ids = Ids(values)
    return ids, ids.codes(values)


def _sorted_without_repeats(
    reviewers: Ids, papers: Ids, reviewer: IntArray, paper: IntArray, rows: IntArray, found: Reading
) -> IntArray:
    """The order of (reviewer, paper); of a review given more than once, its first row."""
    key = reviewer * len(papers) + paper
    if np.all(key[1:] > key[:-1]):
        return np.arange(key.size)
    order = np.argsort(key, kind="stable")  # of repeats, the first row first
    again = _repeats(key[order])
    for place in np.flatnonzero(again).tolist():
        here, before = order[place], order[place - 1]
        who, what = reviewers.labels[reviewer[here]], papers.labels[paper[here]]
        found.fatal.append(
            Issue(
                Kind.DUPLICATE_REVIEW,
                f"reviewer {who} reviews paper {what} twice; keep one of the rows",
                rows=(int(rows[before]), int(rows[here])),
                reviewer=who,
                papers=(what,),
            )
        )
    return order[~again]


def _repeats(sorted_keys: IntArray) -> BoolArray:
    """Which entries equal the one before."""
    again = np.zeros(sorted_keys.size, dtype=np.bool_)
    np.equal(sorted_keys[1:], sorted_keys[:-1], out=again[1:])
    return again


@dataclass
class _Gathered:
    rank: FloatArray
    ranked: list[tuple[str, IntArray, IntArray, NDArray[Any]]] = field(default_factory=list)
    pairs: list[IntArray] = field(default_factory=list)
    alike: list[IntArray] = field(default_factory=list)


def _read_statements(
    reviews: ReviewSet,
    columns: dict[str, Column],
    stated: list[tuple[str, dict[str, Column]]],
    found: Reading,
) -> Statements:
    gathered = _Gathered(np.full(len(reviews), np.nan))
    for name, table in stated:
        usable = ~missing_problems(table.values(), name, found.fatal)
        if not _statement_types(table, columns, found):
            continue
        if "rank" in table:
            _gather_ranks(reviews, name, table, usable, gathered, found)
        else:
            _gather_pairs(reviews, name, table, usable, gathered, found)
    _place_ranks(reviews, gathered, found)
    pairs, alike = _stacked(gathered.pairs), _stacked(gathered.alike)
    return Statements(gathered.rank, pairs[0], pairs[1], alike[0], alike[1])


def _stacked(pairs: list[IntArray]) -> IntArray:
    return np.concatenate([np.zeros((2, 0), dtype=np.int64), *pairs], axis=1)


def _statement_types(table: dict[str, Column], columns: dict[str, Column], found: Reading) -> bool:
    """Whether a table of statements holds ids of the reviews' kind, and ranks that are numbers."""
    fine = True
    for column in table.values():
        if column.name == "rank":
            fine &= number_problems(column, found.fatal)
        elif id_problems(column, found.fatal):
            home = columns["reviewer" if column.name == "reviewer" else "paper"]
            fine &= ids_agree(column, home, found.fatal)
        else:
            fine = False
    return fine


def _locate(
    reviews: ReviewSet,
    name: str,
    reviewer: Column,
    paper: Column,
    usable: BoolArray,
    found: Reading,
) -> IntArray:
    """The review that each row of a statement is about; -1, and an issue, where there is none."""
    by, about = reviews.reviewers.codes(reviewer.values), reviews.papers.codes(paper.values)
    by[~usable] = -1
    spot = reviews.find(by, about)
    for row in np.flatnonzero(usable & (spot < 0)).tolist():
        who, what = reviewer.label(row), paper.label(row)
        found.set_aside.append(
            Issue(
                Kind.UNREVIEWED,
                f"reviewer {who} ranks paper {what} but did not review it; "
                "remove the row, or add the review",
                table=name,
                rows=(row,),
                reviewer=who,
                papers=(what,),
                action="statement set aside",
            )
        )
    return spot


def _gather_ranks(
    reviews: ReviewSet,
    name: str,
    table: dict[str, Column],
    usable: BoolArray,
    gathered: _Gathered,
    found: Reading,
) -> None:
    spot = _locate(reviews, name, table["reviewer"], table["paper"], usable, found)
    rows = np.flatnonzero(spot >= 0)
    gathered.ranked.append((name, rows, spot[rows], table["rank"].values[rows]))


def _place_ranks(reviews: ReviewSet, gathered: _Gathered, found: Reading) -> None:
    """Ranks as dense codes: exact for integers of any size."""
    if not gathered.ranked:
        return
    spot = np.concatenate([part[2] for part in gathered.ranked])
    codes = _dense_codes([part[3] for part in gathered.ranked])
    if np.bincount(spot, minlength=1).max() == 1:
        gathered.rank[spot] = codes
        return
    table_of = np.repeat(
        np.arange(len(gathered.ranked)), [part[1].size for part in gathered.ranked]
    )
    row_of = np.concatenate([part[1] for part in gathered.ranked])
    order = np.argsort(spot, kind="stable")
    again = _repeats(spot[order])
    for where in np.flatnonzero(again).tolist():
        here, before = order[where], order[where - 1]
        review = int(spot[here])
        who = reviews.reviewers.labels[reviews.reviewer[review]]
        what = reviews.papers.labels[reviews.paper[review]]
        found.fatal.append(
            Issue(
                Kind.DUPLICATE_RANK,
                f"reviewer {who} ranks paper {what} twice; keep one of the rows",
                table=gathered.ranked[table_of[here]][0],
                rows=(int(row_of[before]), int(row_of[here])),
                reviewer=who,
                papers=(what,),
            )
        )
    gathered.rank[spot[order[~again]]] = codes[order[~again]]


def _dense_codes(parts: list[NDArray[Any]]) -> FloatArray:
    """0, 1, .. for the distinct values in ascending order."""
    if all(part.dtype == parts[0].dtype for part in parts) and parts[0].dtype != object:
        return coded(np.concatenate(parts))[1].astype(np.float64)
    values = [value for part in parts for value in part.tolist()]
    place = {value: code for code, value in enumerate(sorted(set(values)))}
    return np.fromiter((place[value] for value in values), dtype=np.float64, count=len(values))


def _gather_pairs(
    reviews: ReviewSet,
    name: str,
    table: dict[str, Column],
    usable: BoolArray,
    gathered: _Gathered,
    found: Reading,
) -> None:
    """Stated pairs, or 'about the same' pairs."""
    ordered = "better" in table
    one, other = (
        (table["better"], table["worse"]) if ordered else (table["paper"], table["same_as"])
    )
    left = _locate(reviews, name, table["reviewer"], one, usable, found)
    right = _locate(reviews, name, table["reviewer"], other, usable, found)
    known = (left >= 0) & (right >= 0)
    if ordered:
        _report_self_comparisons(reviews, name, table, left, known & (left == right), found)
    rows = np.flatnonzero(known & (left != right))
    (gathered.pairs if ordered else gathered.alike).append(np.stack([left[rows], right[rows]]))


def _report_self_comparisons(
    reviews: ReviewSet,
    name: str,
    table: dict[str, Column],
    review: IntArray,
    itself: BoolArray,
    found: Reading,
) -> None:
    for row in np.flatnonzero(itself).tolist():
        who, what = table["reviewer"].label(row), table["better"].label(row)
        found.set_aside.append(
            Issue(
                Kind.SELF,
                f"reviewer {who} says that paper {what} is better than itself; remove the row",
                table=name,
                rows=(row,),
                reviewer=who,
                papers=(what,),
                scores=(reviews.scale.levels[reviews.level[review[row]]],),
                action="statement set aside",
            )
        )
