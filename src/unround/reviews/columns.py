"""Columns of the caller's tables: take them, and check that they hold ids or numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unround.arrays import BoolArray
from unround.issues import Issue, Kind
from unround.reviews.frames import Frame, missing_in, values_of

LARGEST = sys.float_info.max


@dataclass(frozen=True)
class Column:
    """One column of the caller's table."""

    table: str
    name: str
    values: NDArray[Any]
    missing: BoolArray

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


def missing_columns(frame: Frame, table: str, names: Sequence[str]) -> list[Issue]:
    """Return one issue for each column that the table lacks."""
    present = ", ".join(frame.columns) or "none"
    return [
        Issue(Kind.COLUMN, f"{table} has no column '{name}'; found: {present}", table=table)
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
        values = _whole_again(values, missing, series.to_list())
    return Column(table, name, values, missing)


def _whole_again(values: NDArray[Any], missing: BoolArray, entries: list[Any]) -> NDArray[Any]:
    """Return integers that became floats because some values are missing as integers again."""
    if not np.all(values[~missing] == np.rint(values[~missing])):
        return values
    whole = np.empty(values.size, dtype=object)
    whole[:] = [None if gone else int(entry) for gone, entry in zip(missing, entries, strict=True)]
    return whole


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


def check_same_ids(column: Column, home: Column) -> list[Issue]:
    """Return an issue unless the ids can be looked up in the reviews: both text, or both integers."""
    if not column.present.size or not home.present.size or column.is_text == home.is_text:
        return []
    stated, reviewed = ("text", "integers") if column.is_text else ("integers", "text")
    message = (
        f"column '{column.name}' holds {stated} ({column.present.tolist()[0]!r}) but the reviews' "
        f"column '{home.name}' holds {reviewed} ({home.present.tolist()[0]!r}); use one kind in both"
    )
    return [Issue(Kind.TYPE, message, table=column.table)]


def check_numbers(column: Column, hint: str = "") -> list[Issue]:
    """Return an issue unless the column holds finite numbers. `hint` says what else could be meant."""
    odd = _first_odd_number(column)
    if odd is None:
        return []
    row, fault = odd
    message = f"column '{column.name}' {fault}{hint}"
    return [Issue(Kind.TYPE, message, table=column.table, rows=(row,))]


def _first_odd_number(column: Column) -> tuple[int, str] | None:
    """Return the first row that holds no finite number, and what is wrong with it."""
    plain = column.values.dtype != object
    suspicious = np.isinf(column.values) if plain else ~column.missing
    for row in np.flatnonzero(suspicious).tolist():
        value = column.label(row)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return row, f"holds {value!r}, which is not a number; convert the column to numbers"
        if abs(value) > LARGEST:
            return row, f"holds {str(value)[:20]}; a {column.name} must be finite"
    return None


def _kind(value: object) -> str:
    """Return the kind of a value in the words of users."""
    names = {
        "bool": "true/false values",
        "float": "decimal numbers",
        "int": "integers",
        "str": "text",
    }
    return names.get(type(value).__name__, f"{type(value).__name__} values")
