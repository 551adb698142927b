"""ReviewSet: validated reviews and statements as codes. String ids stop here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unround.arrays import FloatArray, IntArray, freeze
from unround.reviews.ids import Ids
from unround.reviews.told import describe_origin
from unround.scale import Scale

# Fewer searches than this are as quick in any order.
LEAST_TO_ORDER = 100_000


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
        spot = _searched(key, sought)
        np.minimum(spot, key.size - 1, out=spot)
        spot[key[spot] != sought] = -1
        return spot


def _searched(key: IntArray, sought: IntArray) -> IntArray:
    """Return where each key belongs. Ascending keys are faster: each search starts near the last one."""
    if sought.size < LEAST_TO_ORDER or np.all(sought[1:] >= sought[:-1]):
        return np.searchsorted(key, sought)
    order = np.argsort(sought, kind="stable")
    spot = np.empty(sought.size, dtype=np.int64)
    spot[order] = np.searchsorted(key, sought[order])
    return spot
