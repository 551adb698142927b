"""Small orders of many reviewers at once, as boolean matrices.

`above[r, i, j]` says that reviewer r puts their i-th paper above their j-th. All reviewers of
a batch have the same number of papers, so that each operation is one pass over the batch.
"""

from __future__ import annotations

import numpy as np

from unround.arrays import BoolArray, IntArray


def transitive_closure(above: BoolArray) -> BoolArray:
    """Everything that follows from the order."""
    closed = above.copy()
    for middle in range(closed.shape[1]):
        closed |= closed[:, :, middle, None] & closed[:, middle, None, :]
    return closed


def across_classes(above: BoolArray, alike: BoolArray) -> BoolArray:
    """The order with papers that are about the same standing for each other."""
    same = transitive_closure(
        alike | np.swapaxes(alike, 1, 2) | np.eye(alike.shape[1], dtype=np.bool_)
    )
    return _compose(_compose(same, above), same)


def cycles(above: BoolArray) -> BoolArray:
    """Pairs of a closed order that stand above each other: every number contradicts one of them."""
    return above & np.swapaxes(above, 1, 2)


def longest_paths(above: BoolArray) -> IntArray:
    """The most steps from i down to j in a closed order without cycles; 0 where i is not above j."""
    steps = above.astype(np.int64)
    for middle in range(steps.shape[1]):
        through = steps[:, :, middle, None] + steps[:, middle, None, :]
        reached = (steps[:, :, middle, None] > 0) & (steps[:, middle, None, :] > 0)
        np.maximum(steps, through, out=steps, where=reached)
    return steps


def covering_pairs(above: BoolArray) -> BoolArray:
    """The pairs of a closed order that follow from no others."""
    return above & ~_compose(above, above)


def components(linked: BoolArray) -> IntArray:
    """For each paper the first paper that it is tied to, directly or not."""
    joined = linked | np.swapaxes(linked, 1, 2) | np.eye(linked.shape[1], dtype=np.bool_)
    first: IntArray = np.argmax(transitive_closure(joined), axis=2)
    return first


def is_in_levels(above: BoolArray, component: IntArray) -> BoolArray:
    """For each paper whether its component is levels, each wholly above the next."""
    together = component[:, :, None] == component[:, None, :]
    better = above.sum(axis=1)
    as_levels = (better[:, :, None] < better[:, None, :]) & together
    odd = (as_levels != (above & together)).any(axis=2)
    some_odd: BoolArray = (together & odd[:, None, :]).any(axis=2)
    return ~some_odd


def _compose(first: BoolArray, second: BoolArray) -> BoolArray:
    composed: BoolArray = np.matmul(first, second)
    return composed
