"""What a run did to each group: ties, moves, places and who is above the line, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.metrics import tie_grid, tie_share
from unround.reviews.review_set import ReviewSet


@dataclass(frozen=True)
class Changed:
    """Given and new scores by review, and what follows for papers."""

    given: FloatArray
    scores: FloatArray
    paper: IntArray
    accept: int  # papers above the line

    @cached_property
    def before(self) -> Places:
        """Places by given scores."""
        return places(self._means(self.given), self.accept)

    @cached_property
    def after(self) -> Places:
        """Places by new scores."""
        return places(self._means(self.scores), self.accept)

    def _means(self, values: FloatArray) -> FloatArray:
        means: FloatArray = np.bincount(self.paper, weights=values) / np.bincount(self.paper)
        return means


@dataclass(frozen=True)
class Places:
    """The place of each paper, the middle of its places where it is tied, and its share of the line."""

    place: FloatArray
    accepted: FloatArray  # 1 above the line, 0 below; papers tied across it share the room


def places(means: FloatArray, accept: int) -> Places:
    """Rank papers by mean, best first; means equal to four decimals are tied.

    >>> import numpy as np
    >>> found = places(np.array([3.0, 5.0, 3.0, 1.0]), accept=2)
    >>> found.place.tolist(), found.accepted.tolist()
    ([2.5, 1.0, 2.5, 4.0], [0.5, 1.0, 0.5, 0.0])
    """
    _, code = np.unique(-tie_grid(means), return_inverse=True)
    size = np.bincount(code)
    above = np.cumsum(size) - size
    share = np.clip((accept - above) / size, 0.0, 1.0)
    return Places((above + (size + 1) / 2.0)[code], share[code])


def stated_reviews(reviews: ReviewSet) -> FloatArray:
    """Return 1 for every review that its reviewer ranked or compared, else 0."""
    said = (~np.isnan(reviews.statements.rank)).astype(np.float64)
    said[reviews.statements.better] = 1.0
    said[reviews.statements.worse] = 1.0
    return said


def ties_within(values: FloatArray, group: IntArray, groups: int) -> list[float]:
    """Return the share of pairs of one group that are tied, group by group."""
    return [tie_share(values[group == number]) for number in range(groups)]
