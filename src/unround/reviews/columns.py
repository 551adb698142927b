"""Columns of the caller's tables: take them, and check that they hold ids or numbers."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unround.arrays import BoolArray
from unround.issues import Issue, Kind
from unround.reviews.frames import Frame, categories_of, index_names, missing_in, values_of

LARGEST = sys.float_info.max
EXACT = 2.0**53  # floats below it are exact integers
NUMBERS = ("score", "rank")  # the columns that hold numbers; all others hold ids
MOST_ODD = 20  # distinct values, and rows of one value, that issues name
LONGEST_SHOWN = 60
CORRECT = "; correct the cell or remove the row"


@dataclass(frozen=True)
class Column:
    """One column of the caller's table."""

    table: str
    name: str
    values: NDArray[Any]
    missing: BoolArray
    order: tuple[Any, ...] | None = None  # of an ordered type, its categories, lowest first

    def label(self, row: int) -> object:
        """Return the cell of a row as a plain Python value."""
        value = self.values[row]
        return value.item() if isinstance(value, np.generic) else value

    @cached_property
    def is_integer(self) -> bool:
        """Whether all values are integers."""
        return self.values.dtype.kind in "iu" or (
            self.values.dtype == object
            and all(
                isinstance(value, int) and not isinstance(value, bool) for value in self.present
            )
        )

    @cached_property
    def is_text(self) -> bool:
        """Whether all values are strings."""
        return self.values.dtype == object and all(isinstance(value, str) for value in self.present)

    @cached_property
    def present(self) -> NDArray[Any]:
        """The values that are not missing."""
        return self.values[~self.missing] if self.missing.any() else self.values


def missing_columns(frame: Frame, table: str, names: Sequence[str], hint: str = "") -> list[Issue]:
    """Return one issue for each column that the table lacks; `hint` says what may have been meant."""
    present = ", ".join(frame.columns) or "none"
    indexed = index_names(frame)
    return [
        Issue(
            Kind.COLUMN,
            f"{table} has no column '{name}'; found: {present}{hint}"
            + (f"; it is in the index: pass {table}.reset_index()" if name in indexed else ""),
            table=table,
        )
        for name in names
        if name not in frame.columns
    ]


def take_columns(frame: Frame, table: str, names: Sequence[str]) -> dict[str, Column]:
    """Return columns by name. All of them must exist."""
    return {name: _column(frame, table, name) for name in names}


def _column(frame: Frame, table: str, name: str) -> Column:
    series = frame.get_column(name)
    values, missing = values_of(series), missing_in(series)
    if values.dtype == object:
        missing = missing | np.array([_is_blank(value) for value in values], dtype=np.bool_)
    elif values.dtype.kind == "f" and missing.any():
        values = _restore_integers(values, missing, series.to_list())
    if name not in NUMBERS:
        values = _integer_ids(values, missing)
    return Column(table, name, values, missing, categories_of(series))


def _restore_integers(values: NDArray[Any], missing: BoolArray, entries: list[Any]) -> NDArray[Any]:
    """Return floats as integers if they are whole: missing values turn integers into floats."""
    present = values[~missing]
    if not np.all(np.isfinite(present) & (present == np.rint(present))):
        return values
    whole = np.empty(values.size, dtype=object)
    whole[:] = [None if gone else int(entry) for gone, entry in zip(missing, entries, strict=True)]
    return whole


def _integer_ids(values: NDArray[Any], missing: BoolArray) -> NDArray[Any]:
    """Return ids that a merge turned into floats (1.0, 2.0) as integers, where no digit was lost."""
    if values.dtype.kind == "f":
        exact = np.all(np.abs(values) < EXACT) and np.all(values == np.rint(values))
        return values.astype(np.int64) if exact else values
    if values.dtype != object or not any(isinstance(value, float) for value in values[~missing]):
        return values
    if not all(_is_exact(value) for value in values[~missing]):
        return values
    whole = np.empty(values.size, dtype=object)
    whole[:] = [
        None if gone else int(value) for gone, value in zip(missing, values.tolist(), strict=True)
    ]
    return whole


def _is_exact(value: object) -> bool:
    """Whether a number is whole and, if a float, small enough to have kept every digit."""
    if isinstance(value, float):
        return value.is_integer() and abs(value) < EXACT
    return isinstance(value, int) and not isinstance(value, bool)


def _is_blank(value: object) -> bool:
    return (
        value is None
        or (isinstance(value, float) and value != value)
        or (isinstance(value, str) and not value.strip())
    )


def rows_missing(columns: Iterable[Column]) -> BoolArray:
    """Return which rows lack a value in one of the columns."""
    missing: BoolArray = np.logical_or.reduce([column.missing for column in columns])
    return missing


def missing_values(columns: Iterable[Column]) -> list[Issue]:
    """Return one issue for each cell without a value."""
    return [
        Issue(
            Kind.MISSING,
            f"no value in column '{column.name}'; fill it in or remove the row",
            table=column.table,
            rows=(row,),
        )
        for column in columns
        for row in np.flatnonzero(column.missing).tolist()
    ]


def check_ids(column: Column) -> list[Issue]:
    """Return an issue unless the column can serve as ids: all integers, or all strings."""
    if not column.present.size or column.is_integer or column.is_text:
        return []
    kinds = sorted({_kind(value) for value in column.present.tolist()})
    message = (
        f"column '{column.name}' holds {' and '.join(kinds)}; ids must be all strings "
        "or all integers"
    )
    return [Issue(Kind.TYPE, message, table=column.table)]


def check_same_type(column: Column, reviewed: Column) -> list[Issue]:
    """Return an issue unless ids of statements have the type of the reviews' ids: text or integers."""
    if not column.present.size or not reviewed.present.size or column.is_text == reviewed.is_text:
        return []
    kinds = ("text", "integers") if column.is_text else ("integers", "text")
    message = (
        f"column '{column.name}' holds {kinds[0]} ({column.present.tolist()[0]!r}) but the reviews' "
        f"column '{reviewed.name}' holds {kinds[1]} ({reviewed.present.tolist()[0]!r}); use one kind in both"
    )
    return [Issue(Kind.TYPE, message, table=column.table)]


def check_numbers(column: Column, hint: Callable[[], str] = str) -> list[Issue]:
    """Return one issue for each distinct value that is no finite number. `hint` names another way out."""
    if column.is_text and column.present.size:
        return _check_text(column, hint())
    plain = column.values.dtype != object
    suspicious = np.isinf(column.values) if plain else ~column.missing
    faults = {row: _fault(column, column.label(row)) for row in np.flatnonzero(suspicious).tolist()}
    odd, advice = [row for row, fault in faults.items() if fault], CORRECT
    if len(odd) == column.present.size:  # no number at all: the column is of another kind
        odd, advice = odd[:1], "; convert the column to numbers" + hint()
    return _issues_by_value(column, odd, {row: faults[row] + advice for row in odd})


def _check_text(column: Column, hint: str) -> list[Issue]:
    """Name the cells that are no numbers where most are; else ask for numbers."""
    rows = np.flatnonzero(~column.missing).tolist()
    odd = [row for row in rows if not is_number(column.values[row])]
    if len(odd) * 2 > len(rows) or not odd:
        message = (
            f"column '{column.name}' holds {column.values[rows[0]]!r}, which is not a number; "
            f"convert the column to numbers{hint}"
        )
        return [Issue(Kind.TYPE, message, table=column.table, rows=(rows[0],))]
    return name_odd_cells(column, odd, "which is not a number" + CORRECT)


def name_odd_cells(column: Column, rows: Sequence[int], fault: str) -> list[Issue]:
    """Return one issue for each distinct value in some rows of a text column."""
    header = "which repeats the header; remove the row"
    names = (column.name, column.name.replace("_", " "))
    faults = {
        row: header if str(column.values[row]).strip().casefold() in names else fault
        for row in rows
    }
    return _issues_by_value(column, rows, faults)


def is_number(text: str) -> bool:
    """Whether a text is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _fault(column: Column, value: object) -> str:
    """Return what is wrong with a value that should be a finite number; empty if nothing is."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "which is not a number"
    return f"but a {column.name} must be finite" if abs(value) > LARGEST else ""


def _issues_by_value(column: Column, rows: Sequence[int], faults: Mapping[int, str]) -> list[Issue]:
    """Return one issue for each distinct value of some rows; one more for those beyond MOST_ODD."""
    by_value: dict[str, list[int]] = {}
    for row in rows:
        by_value.setdefault(_shown(column.label(row)), []).append(row)
    odd = list(by_value.items())
    issues = [
        Issue(
            Kind.TYPE,
            f"column '{column.name}' holds {value}"
            + (f" in {len(places):,} rows" if len(places) > 1 else "")
            + f", {faults[places[0]]}",
            table=column.table,
            rows=tuple(places[:MOST_ODD]),
        )
        for value, places in odd[:MOST_ODD]
    ]
    rest = [row for _, places in odd[MOST_ODD:] for row in places]
    if rest:
        more = f"{len(odd) - MOST_ODD:,} more such values in {len(rest):,} rows"
        message = f"column '{column.name}' holds {more}"
        issues.append(Issue(Kind.TYPE, message, table=column.table, rows=tuple(rest[:MOST_ODD])))
    return issues


def _shown(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + ".."


def _kind(value: object) -> str:
    """Return the kind of a value in the words of users."""
    names = {
        "bool": "true/false values",
        "float": "decimal numbers",
        "int": "integers",
        "str": "text",
    }
    return names.get(type(value).__name__, f"{type(value).__name__} values")
