"""Problem -> arrays on a GPU in sweep order: chains by length, then posets, then single reviews.

A review is a code for its cell, the number of its paper, and its height in its chain: 6 bytes where
cells and heights are few. Each thread tightens the cells of its own chain, so that these codes suffice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unround.arrays import FloatArray, IntArray, coded
from unround.errors import UsageError
from unround.gpu.launch import xp
from unround.gpu.metrics import Index, index_groups
from unround.gpu.projections import LONGEST_OWN, GpuChains, GpuPosets, GpuReviews
from unround.problem.model import Problem, chosen_runs

MOST_REVIEWS = 2**31 - 1
# A sample of so many reviews usually has every value of a column.
SAMPLE = 10_000


@dataclass(frozen=True)
class LengthClass:
    """Chains of up to so many members, which follow each other."""

    longest: int
    first: int
    last: int


@dataclass(frozen=True)
class GpuLayout:
    """A problem on the GPU, in sweep order."""

    reviews: GpuReviews
    chains: GpuChains
    classes: tuple[LengthClass, ...]
    posets: GpuPosets | None
    singles: tuple[int, int]  # places
    index: Index

    @property
    def size(self) -> int:
        """The number of reviews."""
        return int(self.reviews.paper.size)


def lay_out_on_gpu(problem: Problem) -> tuple[GpuLayout, IntArray]:
    """Send a problem to the GPU; return it with the review at each place."""
    if len(problem) > MOST_REVIEWS:
        raise UsageError(f"the engine 'gpu' takes up to {MOST_REVIEWS} reviews in one problem")
    chains, posets = problem.chains, problem.posets
    order, classes = _by_length(np.diff(chains.start))
    start, within = chosen_runs(chains.start, order)
    review = np.concatenate([chains.member[within], posets.member, problem.singles])
    cells, code = _coded_cells(problem.given, problem.lower, problem.upper)
    paper = xp.asarray(problem.paper[review].astype(np.int32))
    gap = chains.gap[order]
    if gap.size and np.all(gap == gap[0]):
        gap = gap[:1]
    layout = GpuLayout(
        GpuReviews(xp.asarray(code[review]), paper, xp.asarray(cells)),
        GpuChains(
            xp.asarray(start.astype(np.int32)),
            xp.asarray(_narrowed(chains.height[within])),
            xp.asarray(gap if gap.size else np.zeros(1)),
        ),
        classes,
        GpuPosets(problem) if posets.member.size else None,
        (int(chains.member.size + posets.member.size), len(problem)),
        index_groups(paper, problem.papers),
    )
    return layout, review


def _by_length(sizes: IntArray) -> tuple[IntArray, tuple[LengthClass, ...]]:
    """Return chains in the order of their length classes, and the classes."""
    if not sizes.size:
        return np.zeros(0, dtype=np.int64), ()
    power = np.exp2(np.ceil(np.log2(np.maximum(sizes, 2)))).astype(np.int64)
    kind = np.where(sizes > LONGEST_OWN, sizes.max(), power)
    order = np.argsort(kind, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(kind[order]) > 0, True)) + 1
    first, classes = 0, []
    for last in ends.tolist():
        classes.append(length_class(int(sizes[order[first:last]].max()), first, last))
        first = last
    return order, tuple(classes)


def length_class(longest: int, first: int, last: int) -> LengthClass:
    """Return the class of chains up to such a length; its own is the one that its kernel is made for."""
    if longest <= LONGEST_OWN:
        longest = 1 << max(longest - 1, 1).bit_length()
    return LengthClass(longest, first, last)


def _coded_cells(
    given: FloatArray, lower: FloatArray, upper: FloatArray
) -> tuple[FloatArray, NDArray[Any]]:
    """Return the different cells (given score, lower end, upper end) and every review's code."""
    columns = [_coded(column) for column in (given, lower, upper)]
    joined = columns[0][1]
    for values, code in columns[1:]:
        joined = joined * values.size + code
    keys, code = coded(joined)
    cells = np.empty((3, max(keys.size, 1)))
    for row in (2, 1, 0):
        values = columns[row][0]
        cells[row, : keys.size] = values[keys % values.size]
        keys = keys // values.size
    return cells, _narrowed(code)


def _coded(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the distinct values and each value's place among them; fast where a sample has them all."""
    distinct = np.unique(values[:: max(1, values.size // SAMPLE)])
    code = np.minimum(np.searchsorted(distinct, values), distinct.size - 1)
    if np.array_equal(distinct[code], values):
        return distinct, code
    distinct, code = np.unique(values, return_inverse=True)
    return distinct, code


def _narrowed(codes: NDArray[Any]) -> NDArray[Any]:
    """Return small whole numbers in as few bytes as they need."""
    most = int(codes.max(initial=0))
    return codes.astype(np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.int32)
