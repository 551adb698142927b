"""Sample: one drawn conference and its truth, as a data set returns it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unround.arrays import FloatArray
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


def by_paper(conference: Conference, values: FloatArray) -> FloatArray:
    """Return the mean of each paper's values, by ascending id."""
    _, paper = np.unique(conference.reviews["paper"].to_numpy(), return_inverse=True)
    means: FloatArray = np.bincount(paper, weights=values) / np.bincount(paper)
    return means
