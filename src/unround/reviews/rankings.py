"""Tables of statements -> Statements: rank lists, stated pairs, papers that are about the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unround.arrays import BoolArray, FloatArray, IntArray, coded, repeats
from unround.issues import Issue, Kind
from unround.reviews.columns import (
    MOST_ODD,
    Column,
    check_ids,
    check_numbers,
    check_same_type,
    missing_columns,
    missing_values,
    rows_missing,
)
from unround.reviews.frames import Frame
from unround.reviews.review_set import ReviewSet, Statements
from unround.wording import option

RANK_COLUMNS = ("reviewer", "paper", "rank")
OTHER_PAIR_NAMES = (
    ("above", "below"),
    ("winner", "loser"),
    ("preferred", "other"),
    ("first", "second"),
)
PAIR_COLUMNS = ("reviewer", "better", "worse")
SAME_COLUMNS = ("reviewer", "paper", "same_as")
STATEMENT_SET_ASIDE = "statement set aside"  # the action of an issue

Columns = Mapping[str, Column]


@dataclass(frozen=True)
class StatementTable:
    """The columns of one table of statements, by the name of the table."""

    name: str
    columns: Columns

    @property
    def paper_columns(self) -> tuple[str, str]:
        """The columns of the two papers of a pair."""
        return ("better", "worse") if "better" in self.columns else ("paper", "same_as")


# The ranks of one table that belong to a review: the table's name, its rows, their reviews and ranks.
RankList = tuple[str, IntArray, IntArray, NDArray[Any]]


def statement_columns(name: str, frame: Frame) -> tuple[str, ...]:
    """Return the columns that a table of statements must have."""
    if name == "same":
        return SAME_COLUMNS
    return PAIR_COLUMNS if {"better", "worse"} & set(frame.columns) else RANK_COLUMNS


def _pair_names(frame: Frame) -> str:
    """Return what to call the columns of pairs that have other names; empty if there are none."""
    for better, worse in OTHER_PAIR_NAMES:
        if {better, worse} <= {column.casefold() for column in frame.columns}:
            return f"; are these pairs? Then call {better} better and {worse} worse"
    return ""


def check_statement_columns(name: str, frame: Frame) -> list[Issue]:
    """Find missing columns, and ranks and pairs mixed in one table."""
    columns = statement_columns(name, frame)
    if columns != PAIR_COLUMNS or "rank" not in frame.columns:
        return missing_columns(frame, name, columns, _pair_names(frame))
    pair = min({"better", "worse"} & set(frame.columns))
    message = (
        f"{name} mixes a rank list (column 'rank') with stated pairs (column '{pair}'); "
        f"give them as two tables, both under {option('rankings')}"
    )
    return [Issue(Kind.COLUMN, message, table=name)]


def check_statement_values(table: StatementTable, review_columns: Columns) -> list[Issue]:
    """Find missing values, ids of another type than in the reviews, and ranks that are no numbers."""
    return [*missing_values(table.columns.values()), *_check_types(table, review_columns)]


def _check_types(table: StatementTable, review_columns: Columns) -> list[Issue]:
    issues: list[Issue] = []
    for column in table.columns.values():
        if column.name == "rank":
            issues += check_numbers(column)
        else:
            role = "reviewer" if column.name == "reviewer" else "paper"
            issues += check_ids(column) or check_same_type(column, review_columns[role])
    return issues


def read_statements(
    reviews: ReviewSet, review_columns: Columns, tables: Sequence[StatementTable]
) -> tuple[Statements, list[Issue], list[Issue]]:
    """Return the statements, the issues that stop every run, and those of unusable statements."""
    fatal: list[Issue] = []
    set_aside: list[Issue] = []
    ranks: list[RankList] = []
    pairs: dict[bool, list[IntArray]] = {True: [], False: []}  # ordered, about the same
    for table in tables:
        fatal += missing_values(table.columns.values())
        wrong_types = _check_types(table, review_columns)
        fatal += wrong_types
        if wrong_types:
            continue
        if "rank" in table.columns:
            fatal += _doubtful_ranks(table)
            rank_list, issues = _rank_list(reviews, table)
            ranks.append(rank_list)
        else:
            stated, issues = _pairs(reviews, table)
            pairs["better" in table.columns].append(stated)
        set_aside += issues
    rank, ranked_twice = _ranks(reviews, ranks)
    statements = Statements(rank, *_stacked(pairs[True]), *_stacked(pairs[False]))
    return statements, fatal + ranked_twice, set_aside


def _doubtful_ranks(table: StatementTable) -> list[Issue]:
    """Return an issue about ranks of 0 and below, which may mean that a paper is not ranked."""
    ranks, filled = table.columns["rank"], np.flatnonzero(~table.columns["rank"].missing)
    rows = filled[(ranks.values[filled] <= 0).astype(np.bool_)].tolist()
    if not rows:
        return []
    least = min(ranks.values[rows].tolist())
    plural = "s" if len(rows) > 1 else ""
    message = (
        f"{len(rows):,} rank{plural} of 0 or below, the lowest {least:g}, while 1 is the best: leave out the "
        f"rows of papers that are not ranked; if such ranks are places, add {1 - least:g} to every rank"
    )
    shown = tuple(rows[:MOST_ODD])
    return [Issue(Kind.DOUBTFUL_RANK, message, table=table.name, rows=shown, count=len(rows))]


def _stacked(pairs: list[IntArray]) -> IntArray:
    return np.concatenate([np.zeros((2, 0), dtype=np.int64), *pairs], axis=1)


def _locate(
    reviews: ReviewSet, table: StatementTable, paper: str, usable: BoolArray
) -> tuple[IntArray, list[Issue]]:
    """Return the review that each row is about; -1, and an issue, where there is none."""
    reviewers, papers = table.columns["reviewer"], table.columns[paper]
    by = reviews.reviewers.codes(reviewers.values)
    by[~usable] = -1
    review = reviews.find(by, reviews.papers.codes(papers.values))
    unreviewed = np.flatnonzero(usable & (review < 0)).tolist()
    return review, [
        _unreviewed(table.name, row, reviewers.label(row), papers.label(row)) for row in unreviewed
    ]


def _unreviewed(table: str, row: int, reviewer: object, paper: object) -> Issue:
    return Issue(
        Kind.UNREVIEWED,
        f"reviewer {reviewer} ranks paper {paper} but did not review it; "
        "remove the row, or add the review",
        table=table,
        rows=(row,),
        reviewer=reviewer,
        papers=(paper,),
        action=STATEMENT_SET_ASIDE,
    )


def _rank_list(reviews: ReviewSet, table: StatementTable) -> tuple[RankList, list[Issue]]:
    usable = ~rows_missing(table.columns.values())
    review, issues = _locate(reviews, table, "paper", usable)
    rows = np.flatnonzero(review >= 0)
    ranks = table.columns["rank"].values[rows]
    return (table.name, rows, review[rows], ranks), issues


def _ranks(reviews: ReviewSet, lists: Sequence[RankList]) -> tuple[FloatArray, list[Issue]]:
    """Return the rank of each review, NaN where it has none. Ranks are dense codes: exact for any integer."""
    rank = np.full(len(reviews), np.nan)
    if not lists:
        return rank, []
    review = np.concatenate([reviews for _, _, reviews, _ in lists])
    codes = _dense_codes([ranks for *_, ranks in lists])
    if np.bincount(review, minlength=1).max() == 1:
        rank[review] = codes
        return rank, []
    order = np.argsort(review, kind="stable")
    again = repeats(review[order])
    rank[review[order[~again]]] = codes[order[~again]]
    return rank, list(_ranked_twice(reviews, lists, review, order, again))


def _ranked_twice(
    reviews: ReviewSet,
    lists: Sequence[RankList],
    review: IntArray,
    order: IntArray,
    again: BoolArray,
) -> Iterator[Issue]:
    table_of = np.repeat(np.arange(len(lists)), [rows.size for _, rows, *_ in lists])
    row_of = np.concatenate([rows for _, rows, *_ in lists])
    for place in np.flatnonzero(again).tolist():
        second, first = order[place], order[place - 1]
        reviewer, paper = reviews.label(int(review[second]))
        yield Issue(
            Kind.DUPLICATE_RANK,
            f"reviewer {reviewer} ranks paper {paper} twice; keep one of the rows",
            table=lists[table_of[second]][0],
            rows=(int(row_of[first]), int(row_of[second])),
            reviewer=reviewer,
            papers=(paper,),
        )


def _dense_codes(parts: list[NDArray[Any]]) -> FloatArray:
    """Return 0, 1, .. for the distinct values in ascending order."""
    if all(part.dtype == parts[0].dtype for part in parts) and parts[0].dtype != object:
        return coded(np.concatenate(parts))[1].astype(np.float64)
    values = [value for part in parts for value in part.tolist()]
    place = {value: code for code, value in enumerate(sorted(set(values)))}
    return np.fromiter((place[value] for value in values), dtype=np.float64, count=len(values))


def _pairs(reviews: ReviewSet, table: StatementTable) -> tuple[IntArray, list[Issue]]:
    """Return stated pairs, or pairs that are about the same, as two rows of reviews."""
    usable = ~rows_missing(table.columns.values())
    one, other = table.paper_columns
    left, issues = _locate(reviews, table, one, usable)
    right, more = _locate(reviews, table, other, usable)
    both = (left >= 0) & (right >= 0)
    more += _self_comparisons(reviews, table, left, both & (left == right))
    rows = np.flatnonzero(both & (left != right))
    return np.stack([left[rows], right[rows]]), issues + more


def _self_comparisons(
    reviews: ReviewSet, table: StatementTable, review: IntArray, itself: BoolArray
) -> Iterator[Issue]:
    column, _ = table.paper_columns
    how = "better than" if column == "better" else "about the same as"
    for row in np.flatnonzero(itself).tolist():
        reviewer, paper = table.columns["reviewer"].label(row), table.columns[column].label(row)
        yield Issue(
            Kind.SELF,
            f"reviewer {reviewer} says that paper {paper} is {how} itself; remove the row",
            table=table.name,
            rows=(row,),
            reviewer=reviewer,
            papers=(paper,),
            scores=(reviews.scale.levels[reviews.level[review[row]]],),
            action=STATEMENT_SET_ASIDE,
        )
