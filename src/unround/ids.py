"""Ids: reviewers and papers by their code, a place in the sorted list of distinct ids.

Codes depend on which ids there are, never on the order of rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unround.arrays import IntArray

UNKNOWN = -1


class Ids:
    """The distinct ids of a column: all integers, or all strings."""

    def __init__(self, values: NDArray[Any]) -> None:
        self._values = _exact(values)
        self._place: dict[Any, int] | None = None
        if self._values.dtype == object:
            self.labels: list[Any] = sorted(set(self._values.tolist()))
            self._place = {label: code for code, label in enumerate(self.labels)}
        else:
            self._sorted = np.unique(self._values)
            self.labels = self._sorted.tolist()

    def __len__(self) -> int:
        return len(self.labels)

    def of(self, codes: IntArray) -> NDArray[Any]:
        """The ids behind some codes, of the kind that they came in."""
        array = np.empty(len(self.labels), dtype=object)
        array[:] = self.labels
        if self._place is None:
            array = array.astype(np.int64)
        return array[codes]

    @property
    def own_codes(self) -> IntArray:
        """The codes of the column that these ids were made from."""
        return self.codes(self._values)

    def codes(self, values: NDArray[Any]) -> IntArray:
        """The code of each value; UNKNOWN where it is not among these ids."""
        exact = _exact(values)
        if self._place is not None or exact.dtype == object:
            place = self._place or {label: code for code, label in enumerate(self.labels)}
            found = (place.get(value, UNKNOWN) for value in exact.tolist())
            return np.fromiter(found, dtype=np.int64, count=exact.size)
        if not len(self):
            return np.full(exact.size, UNKNOWN, dtype=np.int64)
        spot = np.minimum(np.searchsorted(self._sorted, exact), len(self) - 1)
        return np.where(self._sorted[spot] == exact, spot, UNKNOWN).astype(np.int64)


def _exact(values: NDArray[Any]) -> NDArray[Any]:
    """Integers as int64 where they fit, as Python integers where they do not."""
    if values.dtype.kind not in "iu":
        return values.astype(object)
    if values.dtype == np.uint64 and values.size and int(values.max()) > np.iinfo(np.int64).max:
        return values.astype(object)
    return values.astype(np.int64, copy=False)
