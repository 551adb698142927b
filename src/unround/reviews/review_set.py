"""ReviewSet: validated reviews and statements as codes. String ids stop here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unround.arrays import FloatArray, IntArray, ShortArray, distinct, freeze, narrow_range
from unround.reviews.infer_scale import describe_origin
from unround.scale import Scale

UNKNOWN = -1


class Ids:
    """The distinct ids of a column, all integers or all strings, by their code: a place in their sorted list.

    Codes depend on which ids there are, never on the order of rows.
    """

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


@dataclass(frozen=True)
class Statements:
    """What reviewers stated about order, between reviews of one reviewer (indices into a ReviewSet)."""

    rank: FloatArray  # one per review, smaller is better, NaN = unranked
    better: IntArray  # stated pairs: better[k] above worse[k]
    worse: IntArray
    alike: IntArray  # "about the same": alike[k] with alike_to[k]
    alike_to: IntArray

    def __post_init__(self) -> None:
        freeze(self.rank, self.better, self.worse, self.alike, self.alike_to)

    @classmethod
    def none(cls, reviews: int) -> Statements:
        """Return no statements."""
        return cls.ranks_only(np.full(reviews, np.nan))

    @classmethod
    def ranks_only(cls, rank: FloatArray) -> Statements:
        """Return rank lists and no other statements."""
        nothing = np.zeros(0, dtype=np.int64)
        return cls(rank, nothing, nothing.copy(), nothing.copy(), nothing.copy())


@dataclass(frozen=True)
class ReviewSet:
    """Reviews sorted by reviewer and paper, whatever the order of the rows they came from."""

    reviewer: IntArray  # codes, ascending
    paper: IntArray  # codes, ascending within a reviewer
    level: IntArray  # position of the score on the scale, worst = 0
    row: IntArray  # the caller's row of each review
    scale: Scale
    reviewers: Ids
    papers: Ids
    statements: Statements

    def __post_init__(self) -> None:
        freeze(self.reviewer, self.paper, self.level, self.row)

    def __len__(self) -> int:
        return int(self.reviewer.size)

    @cached_property
    def given(self) -> FloatArray:
        """The given score of each review as a number."""
        return self.scale.values[self.level]

    @property
    def lower(self) -> FloatArray:
        """The lower end of each review's cell."""
        return self.scale.lower[self.level]

    @property
    def upper(self) -> FloatArray:
        """The upper end of each review's cell."""
        return self.scale.upper[self.level]

    @property
    def scale_origin(self) -> str:
        """Where the scale came from, the levels that nobody used, and the option that changes it."""
        used = np.bincount(self.level, minlength=len(self.scale.levels))
        return describe_origin(self.scale, used)

    def in_caller_order(self, values: FloatArray) -> FloatArray:
        """Return values, one per review, in the order of the caller's rows."""
        placed = np.empty_like(values)
        placed[self.row] = values
        return placed

    def with_statements(self, statements: Statements) -> ReviewSet:
        """Return the same reviews with other statements."""
        return replace(self, statements=statements)

    def alone(
        self, chosen: IntArray, statements: Statements, level: IntArray | None = None
    ) -> ReviewSet:
        """Return some reviews with other statements, and maybe other levels, each of a paper of its own."""
        reviewers, reviewer = np.unique(self.reviewer[chosen], return_inverse=True)
        return replace(
            self,
            reviewer=reviewer,
            paper=np.arange(chosen.size),
            level=self.level[chosen] if level is None else level,
            row=self.row[chosen],
            reviewers=Ids(np.arange(reviewers.size)),
            papers=Ids(np.arange(chosen.size)),
            statements=statements,
        )

    def has_same_scores(self, other: ReviewSet) -> bool:
        """Return whether these are the same reviewers' scores of the same papers, in whatever order."""
        parts = ("reviewers.labels", "papers.labels", "reviewer", "paper", "given")
        return all(np.array_equal(part(self), part(other)) for part in map(attrgetter, parts))

    def label(self, review: int) -> tuple[object, object]:
        """Return the ids of a review's reviewer and paper."""
        reviewer, paper = self.reviewer[review], self.paper[review]
        return self.reviewers.labels[reviewer], self.papers.labels[paper]

    def find(self, reviewer: IntArray, paper: IntArray) -> IntArray:
        """Return the index of each review, -1 where that reviewer did not review that paper."""
        if not len(self):
            return np.full(reviewer.size, -1, dtype=np.int64)
        key = self.reviewer * len(self.papers) + self.paper
        sought = reviewer * len(self.papers) + paper
        sought[(reviewer < 0) | (paper < 0)] = -1
        if np.array_equal(key, sought):  # every review in turn, as tables often have it
            return np.arange(len(self))
        spot = np.searchsorted(key, sought)
        np.minimum(spot, key.size - 1, out=spot)
        spot[key[spot] != sought] = -1
        return spot


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
