"""Sample: one drawn conference and its truth, as a data set returns it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from unround.arrays import BoolArray, FloatArray
from unround.metrics.papers import paper_means
from unround.simulate import Conference


def unchanged(scores: FloatArray) -> FloatArray:
    """Return scores that are in the units of the truth already."""
    return scores


@dataclass(frozen=True)
class Sample:
    """A conference, the seed that it was drawn with, and how to measure against its truth."""

    conference: Conference
    seed: int
    in_units_of_truth: Callable[[FloatArray], FloatArray] = unchanged
    quality: FloatArray | None = None  # of each paper, by ascending id, where the data know it
    counted: BoolArray | None = None  # the papers that methods are measured on, likewise; None: all

    def counted_reviews(self) -> BoolArray | None:
        """Return the reviews of the papers that count, in the order of the conference's rows."""
        if self.counted is None:
            return None
        papers = self.conference.reviews["paper"].to_numpy()
        return self.counted[np.unique(papers, return_inverse=True)[1]]

    def of_counted(self) -> Sample:
        """Return the sample with those papers alone, and without rankings: something to measure against."""
        rows, conference = self.counted_reviews(), self.conference
        if rows is None:
            return self
        alone = replace(
            conference,
            reviews=conference.reviews.filter(rows),
            rankings=conference.rankings.clear(),
            truth=conference.truth[rows],
        )
        quality = None if self.quality is None else self.quality[self.counted]
        return replace(self, conference=alone, quality=quality, counted=None)


def by_paper(conference: Conference, values: FloatArray) -> FloatArray:
    """Return the mean of each paper's values, by ascending id."""
    papers, paper = np.unique(conference.reviews["paper"].to_numpy(), return_inverse=True)
    return paper_means(values, paper, papers.size)
