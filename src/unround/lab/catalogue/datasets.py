"""The paper's data sets: Thurstone's model and ICLR 2017's scores, in the paper's draw order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unround import simulate
from unround.arrays import FloatArray
from unround.lab.registry import data
from unround.lab.trials.sample import Sample


@data("thurstone")
def thurstone(
    trial: int,
    *,
    papers: int = 60,
    reviews_per_paper: int = 4,
    papers_per_reviewer: int = 4,
    noise: float = 0.5,
    scale: Sequence[Any] | None = None,
    draw: str = "published",
) -> Sample:
    """Opinions are a paper's quality plus normal noise."""
    conference = simulate.thurstone(
        papers,
        reviews_per_paper=reviews_per_paper,
        papers_per_reviewer=papers_per_reviewer,
        noise=noise,
        scale=scale,
        seed=trial,
        draw=draw,
    )
    return Sample(conference, seed=trial)


@data("coarsened", needs_scores=True)
def coarsened(
    trial: int, *, scores: FloatArray, papers_per_reviewer: int = 6, draw: str = "published"
) -> Sample:
    """Real scores y taken as the truth, given out as ⌈y/2⌉ by random reviewers who rank by y."""
    conference = simulate.coarsened(
        scores, papers_per_reviewer=papers_per_reviewer, seed=trial, draw=draw
    )
    return Sample(conference, seed=trial, in_units_of_truth=back_to_integers)


def back_to_integers(scores: FloatArray) -> FloatArray:
    """Scores on the coarse scale as original integers: round(2y − 1/2), halves to even."""
    integers: FloatArray = np.rint(2.0 * scores - 0.5)
    return integers
