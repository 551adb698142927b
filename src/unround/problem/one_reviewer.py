"""ReviewSet -> the reviews and statements of one reviewer alone, as a small ReviewSet.

What a reviewer states binds nobody else's scores, so that the components of the whole problem are those
of each reviewer alone.
"""

from __future__ import annotations

import numpy as np

from unround.arrays import IntArray, group_starts
from unround.reviews.ids import Ids
from unround.reviews.review_set import ReviewSet, Statements


class ReviewersApart:
    """Reviews looked up by reviewer."""

    def __init__(self, reviews: ReviewSet) -> None:
        self._reviews = reviews
        self.start = group_starts(reviews.reviewer, len(reviews.reviewers))
        said = reviews.statements
        self._better = _Lookup(reviews, said.better)
        self._alike = _Lookup(reviews, said.alike)

    def __len__(self) -> int:
        return len(self._reviews.reviewers)

    def __getitem__(self, reviewer: int) -> ReviewSet:
        """Return the reviews and statements of one reviewer, everything numbered anew."""
        whole, said = self._reviews, self._reviews.statements
        first, last = int(self.start[reviewer]), int(self.start[reviewer + 1])
        mine = slice(first, last)
        pairs, alike = self._better(reviewer), self._alike(reviewer)
        return ReviewSet(
            reviewer=np.zeros(last - first, dtype=np.int64),
            paper=np.arange(last - first),
            level=whole.level[mine],
            row=whole.row[mine],
            scale=whole.scale,
            reviewers=Ids(whole.reviewers.of(np.array([reviewer]))),
            papers=Ids(whole.papers.of(whole.paper[mine])),
            statements=Statements(
                said.rank[mine],
                said.better[pairs] - first,
                said.worse[pairs] - first,
                said.alike[alike] - first,
                said.alike_to[alike] - first,
            ),
        )


class _Lookup:
    """Statements looked up by the reviewer who made them."""

    def __init__(self, reviews: ReviewSet, stated: IntArray) -> None:
        owner = reviews.reviewer[stated]
        self._order = np.argsort(owner, kind="stable")
        self._start = group_starts(owner, len(reviews.reviewers))

    def __call__(self, reviewer: int) -> IntArray:
        """Return the numbers of a reviewer's statements."""
        return self._order[self._start[reviewer] : self._start[reviewer + 1]]
