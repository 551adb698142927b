"""Column checks: what a table must hold before its values mean anything."""

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
        """The entry of a row as a plain Python value."""
        value = self.values[row]
        return value.item() if isinstance(value, np.generic) else value

    @cached_property
    def is_integer(self) -> bool:
        """Whether all entries are integers."""
        return self.values.dtype.kind in "iu" or (
            self.values.dtype == object
            and all(
                isinstance(value, int) and not isinstance(value, bool) for value in self.present
            )
        )

    @cached_property
    def is_text(self) -> bool:
        """Whether all entries are strings."""
        return self.values.dtype == object and all(isinstance(value, str) for value in self.present)

    @cached_property
    def present(self) -> NDArray[Any]:
        """The entries that are not missing."""
        return self.values[~self.missing] if self.missing.any() else self.values


def find_columns(
    frame: Frame, table: str, wanted: Sequence[str], issues: list[Issue]
) -> dict[str, Column] | None:
    """The wanted columns by name, or None with an issue for each one that is missing."""
    absent = [name for name in wanted if name not in frame.columns]
    found = ", ".join(frame.columns) or "none"
    issues.extend(
        Issue(Kind.COLUMN, f"{table} has no column '{name}'; found: {found}", table=table)
        for name in absent
    )
    if absent:
        return None
    return {name: _column(frame, table, name) for name in wanted}


def _column(frame: Frame, table: str, name: str) -> Column:
    series = frame.get_column(name)
    values, missing = values_of(series), missing_in(series)
    if values.dtype == object:
        missing = missing | np.array([_is_blank(value) for value in values], dtype=np.bool_)
    elif values.dtype.kind == "f" and missing.any():
        values = _whole_again(values, missing, series.to_list())
    return Column(table, name, values, missing)


def _whole_again(values: NDArray[Any], missing: BoolArray, entries: list[Any]) -> NDArray[Any]:
    """Integers that became floats because some entries are missing, as integers."""
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


def missing_problems(columns: Iterable[Column], table: str, issues: list[Issue]) -> BoolArray:
    """Which rows lack a value, with an issue for each place."""
    bad: BoolArray | None = None
    for column in columns:
        bad = column.missing if bad is None else bad | column.missing
        message = f"no value in column '{column.name}'; fill it in or remove the row"
        issues.extend(
            Issue(Kind.MISSING, message, table=table, rows=(row,))
            for row in np.flatnonzero(column.missing).tolist()
        )
    assert bad is not None
    return bad


def id_problems(column: Column, issues: list[Issue]) -> bool:
    """Whether a column can serve as ids: all integers or all strings."""
    if not column.present.size or column.is_integer or column.is_text:
        return True
    kinds = sorted({_kind(value) for value in column.present.tolist()})
    issues.append(
        Issue(
            Kind.TYPE,
            f"column '{column.name}' holds {' and '.join(kinds)}; ids must be all strings "
            "or all integers",
            table=column.table,
        )
    )
    return False


def ids_agree(column: Column, home: Column, issues: list[Issue]) -> bool:
    """Whether ids can be looked up in the reviews: text against text, integers against integers."""
    if not column.present.size or not home.present.size or column.is_text == home.is_text:
        return True
    here, there = ("text", "integers") if column.is_text else ("integers", "text")
    issues.append(
        Issue(
            Kind.TYPE,
            f"column '{column.name}' holds {here} ({column.present.tolist()[0]!r}) but the reviews' "
            f"column '{home.name}' holds {there} ({home.present.tolist()[0]!r}); use one kind in both",
            table=column.table,
        )
    )
    return False


def number_problems(column: Column, issues: list[Issue], hint: str = "") -> bool:
    """Whether a column holds finite numbers; `hint` says what else could be meant."""
    found = _first_odd_number(column)
    if found is None:
        return True
    row, problem = found
    message = f"column '{column.name}' {problem}{hint}"
    issues.append(Issue(Kind.TYPE, message, table=column.table, rows=(row,)))
    return False


def _first_odd_number(column: Column) -> tuple[int, str] | None:
    """The first row that holds no finite number, and what is wrong with it."""
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
    """A value's kind in the words of users."""
    names = {
        "bool": "true/false values",
        "float": "decimal numbers",
        "int": "integers",
        "str": "text",
    }
    return names.get(type(value).__name__, f"{type(value).__name__} values")
