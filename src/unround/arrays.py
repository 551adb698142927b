"""Array types shared by every stage, and the few operations on them that all stages need."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
ShortArray = NDArray[np.int32]  # for numbers that fit: half the memory
BoolArray = NDArray[np.bool_]

# Whole numbers are coded by a table of their range rather than by sorting, if the table has at most so
# many cells per value, or is small.
TABLE_PER_VALUE = 4
SMALL_TABLE = 1024
# Below this many keys, sorting once is faster than sorting twice by half of the bits.
LEAST_FOR_PASSES = 100_000
HALF_KEY = 16  # bits


def freeze(*arrays: FloatArray | IntArray | ShortArray | BoolArray) -> None:
    """Make arrays read-only, so that a later stage cannot change what an earlier one handed over."""
    for array in arrays:
        array.setflags(write=False)


def group_starts(keys: IntArray, groups: int) -> IntArray:
    """Return where each of the keys 0 .. `groups` - 1 starts once the keys are sorted, and the end."""
    start = np.zeros(groups + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys, minlength=groups), out=start[1:])
    return start


def run_starts(sorted_keys: NDArray[Any]) -> IntArray:
    """Return where each run of equal keys begins."""
    begins = np.ones(sorted_keys.size, dtype=np.bool_)
    np.not_equal(sorted_keys[1:], sorted_keys[:-1], out=begins[1:])
    return np.flatnonzero(begins)


def repeats(sorted_keys: IntArray) -> BoolArray:
    """Return which keys equal the one before."""
    again = np.zeros(sorted_keys.size, dtype=np.bool_)
    np.equal(sorted_keys[1:], sorted_keys[:-1], out=again[1:])
    return again


def coded(values: NDArray[Any]) -> tuple[NDArray[Any], IntArray]:
    """Return the distinct values in ascending order, and the place of each value among them.

    Linear where values are whole numbers that lie close together.

    >>> values, codes = coded(np.array([30.0, 10.0, 30.0]))
    >>> values.tolist(), codes.tolist()
    ([10.0, 30.0], [1, 0, 1])
    """
    span = narrow_range(values)
    if span is None:
        levels, codes = np.unique(values, return_inverse=True)
        return levels, codes.astype(np.int64, copy=False)
    cell, seen = _table(values, *span)
    return (np.flatnonzero(seen) + span[0]).astype(values.dtype), (np.cumsum(seen) - 1)[cell]


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """Return the distinct values in ascending order.

    >>> distinct(np.array([10**12, 5, 10**12])).tolist(), distinct(np.zeros(0)).tolist()
    ([5, 1000000000000], [])
    """
    span = narrow_range(values)
    if span is None:
        ascending = np.sort(values)  # several times faster than numpy's table of hashes
        return ascending[run_starts(ascending)]
    return (np.flatnonzero(_table(values, *span)[1]) + span[0]).astype(values.dtype)


def _table(values: NDArray[Any], low: int, cells: int) -> tuple[IntArray, BoolArray]:
    """Return the cell of each value, and which cells hold one."""
    cell = values.astype(np.int64, copy=False) - low
    seen = np.zeros(cells, dtype=np.bool_)
    seen[cell] = True
    return cell, seen


def pairs_within(sizes: Any) -> int:
    """Return the number of pairs inside a group of some size, or of all groups of such sizes.

    >>> pairs_within(4), pairs_within(np.array([2, 3]))
    (6, 4)
    """
    return int(np.sum(sizes * (sizes - 1) // 2))


def narrow_range(values: NDArray[Any]) -> tuple[int, int] | None:
    """Return the least of some whole numbers and the length of their range; None if that is too long."""
    if not values.size or values.dtype.kind not in "iuf":
        return None
    low, high = values.min(), values.max()
    if not (np.isfinite(low) and np.isfinite(high)):
        return None
    cells = int(high) - int(low) + 1
    if cells > max(TABLE_PER_VALUE * values.size, SMALL_TABLE) or abs(int(low)) >= 2**62:
        return None
    if values.dtype.kind == "f" and not np.array_equal(values, np.rint(values)):
        return None
    return int(low), cells


def stable_order(keys: IntArray) -> ShortArray:
    """Return the stable order that sorts fewer than 2³¹ whole numbers from 0 on."""
    if keys.size < LEAST_FOR_PASSES or keys.max() >= 1 << 2 * HALF_KEY:
        return np.argsort(keys, kind="stable").astype(np.int32)
    # numpy sorts 16-bit keys by counting: two such passes are several times faster.
    order = np.argsort(keys.astype(np.uint16), kind="stable").astype(np.int32)
    above = (keys >> HALF_KEY).astype(np.uint16)[order]
    return order[np.argsort(above, kind="stable")]


def seed_from(*columns: NDArray[Any], size: int = 8) -> int:
    """Return a seed of `size` bytes that depends on the data alone: the same data give the same draws.

    >>> seed_from(np.array([1, 2])) == seed_from(np.array([1, 2], dtype=np.int32))
    True
    """
    digest = hashlib.sha256()
    for column in columns:
        kind = "<f8" if column.dtype.kind == "f" else "<i8"
        digest.update(np.ascontiguousarray(column, dtype=kind).tobytes())
    return int.from_bytes(digest.digest()[:size], "little")
