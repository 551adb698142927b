"""Ids: reviewers and papers by their code, a place in the sorted list of distinct ids.

Codes depend on which ids there are, never on the order of rows.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unround.arrays import IntArray, ShortArray, distinct, narrow_range

UNKNOWN = -1


class Ids:
    """The distinct ids of a column: all integers, or all strings."""

    def __init__(self, values: NDArray[Any]) -> None:
        exact = _exact(values)
        self._sorted = _distinct(exact)
        self._whole = exact.dtype != object

    def __len__(self) -> int:
        return int(self._sorted.size)

    @cached_property
    def labels(self) -> list[Any]:
        """Every id, by its code."""
        labels: list[Any] = self._sorted.tolist()
        return labels

    def of(self, codes: IntArray) -> NDArray[Any]:
        """Return the ids of some codes, integers or strings as they came."""
        ids: NDArray[Any] = self._sorted[codes]
        return ids

    def codes(self, values: NDArray[Any]) -> IntArray:
        """Return the code of each value; UNKNOWN where it is not among these ids."""
        exact = _exact(values)
        if not self._whole or exact.dtype == object:
            codes = (self._place.get(value, UNKNOWN) for value in exact.tolist())
            return np.fromiter(codes, dtype=np.int64, count=exact.size)
        if not len(self):
            return np.full(exact.size, UNKNOWN, dtype=np.int64)
        if self._table is not None:
            return _looked_up(self._table, int(self._sorted[0]), exact)
        spot = np.minimum(np.searchsorted(self._sorted, exact), len(self) - 1)
        return np.where(self._sorted[spot] == exact, spot, UNKNOWN).astype(np.int64, copy=False)

    @cached_property
    def _place(self) -> dict[Any, int]:
        return {label: code for code, label in enumerate(self.labels)}

    @cached_property
    def _table(self) -> ShortArray | None:
        """The code of every integer from the least id to the largest, where they are not too many."""
        span = narrow_range(self._sorted)
        if span is None or len(self) > np.iinfo(np.int32).max:
            return None
        table = np.full(span[1], UNKNOWN, dtype=np.int32)
        table[self._sorted - span[0]] = np.arange(len(self), dtype=np.int32)
        return table


def _distinct(exact: NDArray[Any]) -> NDArray[Any]:
    if exact.dtype != object:
        return distinct(exact)
    labels = sorted(set(exact.tolist()))
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    return array


def _looked_up(table: ShortArray, low: int, values: NDArray[Any]) -> IntArray:
    if values.size and low <= values.min() and values.max() < low + table.size:
        every: IntArray = table[values - low].astype(np.int64)
        return every
    inside = (values >= low) & (values < low + table.size)
    codes = np.full(values.size, UNKNOWN, dtype=np.int64)
    codes[inside] = table[values[inside] - low]
    return codes


def _exact(values: NDArray[Any]) -> NDArray[Any]:
    """Return integers as int64 where they fit, and as Python integers where they do not."""
    if values.dtype.kind not in "iu":
        return values.astype(object, copy=False)
    if values.dtype == np.uint64 and values.size and int(values.max()) > np.iinfo(np.int64).max:
        return values.astype(object)
    return values.astype(np.int64, copy=False)
