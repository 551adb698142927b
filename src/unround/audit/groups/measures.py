"""What a run did to each group: ties, moves, places and who is above the line, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.metrics import tie_grid, tie_share
from unround.metrics.papers import TiedPlaces, paper_means, tied_places
from unround.reviews.review_set import ReviewSet


@dataclass(frozen=True)
class Changed:
    """Given and new scores by review, and what follows for papers."""

    given: FloatArray
    scores: FloatArray
    paper: IntArray
    accept: int  # papers above the line

    @cached_property
    def before(self) -> TiedPlaces:
        """Places by given scores."""
        return self._places(self.given)

    @cached_property
    def after(self) -> TiedPlaces:
        """Places by new scores."""
        return self._places(self.scores)

    def _places(self, values: FloatArray) -> TiedPlaces:
        """Rank papers by mean, best first; means equal to four decimals are tied."""
        return tied_places(tie_grid(paper_means(values, self.paper, int(self.paper.max()) + 1)))


def stated_reviews(reviews: ReviewSet) -> FloatArray:
    """Return 1 for every review that its reviewer ranked or compared, else 0."""
    said = (~np.isnan(reviews.statements.rank)).astype(np.float64)
    said[reviews.statements.better] = 1.0
    said[reviews.statements.worse] = 1.0
    return said


def ties_within(values: FloatArray, group: IntArray, groups: int) -> list[float]:
    """Return the share of pairs of one group that are tied, group by group."""
    return [tie_share(values[group == number]) for number in range(groups)]
