"""Sample: one drawn conference with its truth, as a data set hands it to the methods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from unround.arrays import FloatArray
from unround.simulate import Conference


def unchanged(scores: FloatArray) -> FloatArray:
    """Scores that are in the units of the truth already."""
    return scores


@dataclass(frozen=True)
class Sample:
    """A conference, the seed that it was drawn with, and how to measure against its truth."""

    conference: Conference
    seed: int
    in_units_of_truth: Callable[[FloatArray], FloatArray] = unchanged
    quality: FloatArray | None = None  # of each paper, by ascending id, where the data know it
