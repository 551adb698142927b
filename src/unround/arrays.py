"""Array types shared by every stage, and the one helper that freezes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
ShortArray = NDArray[np.int32]  # small numbers in sweep order: half the bytes to stream
BoolArray = NDArray[np.bool_]


def freeze(*arrays: FloatArray | IntArray | BoolArray) -> None:
    """Make arrays read-only, so that a later stage cannot change what an earlier one handed over."""
    for array in arrays:
        array.setflags(write=False)


def group_starts(sorted_keys: IntArray, groups: int) -> IntArray:
    """Where each of `groups` consecutive keys 0, 1, .. starts in `sorted_keys`, and the end."""
    return np.searchsorted(sorted_keys, np.arange(groups + 1)).astype(np.int64)
