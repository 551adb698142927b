"""The paper's data sets: Thurstone's model and ICLR 2017's scores, in the paper's draw order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from unround import simulate
from unround.arrays import FloatArray
from unround.lab.registry import data
from unround.lab.trials.case import Sample, by_paper
from unround.scale import Scale


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
    noisy, plain = (
        simulate.thurstone(
            papers,
            reviews_per_paper=reviews_per_paper,
            papers_per_reviewer=papers_per_reviewer,
            noise=spread,
            scale=scale,
            seed=trial,
            draw=draw,
        )
        for spread in (noise, 0.0)
    )
    # Without noise the same draws give every review its paper's quality.
    return Sample(noisy, seed=trial, quality=by_paper(plain, plain.truth))


@data("coarsened", needs_scores=True)
def coarsened(
    trial: int, *, scores: FloatArray, papers_per_reviewer: int = 6, draw: str = "published"
) -> Sample:
    """Real scores y taken as the truth, given coarsened by random reviewers who rank by y.

    A paper's quality is the mean of its real scores.
    """
    conference = simulate.coarsened(
        scores, papers_per_reviewer=papers_per_reviewer, seed=trial, draw=draw
    )
    return Sample(
        conference,
        seed=trial,
        in_units_of_truth=partial(back_to, simulate.scale_of(scores)),
        quality=by_paper(conference, conference.truth),
    )


def back_to(scale: Scale, scores: FloatArray) -> FloatArray:
    """Return coarse scores y as scores of the original scale: round(2y − 1/2), halves to even.

    On other scales than consecutive integers this is the position of the level, from 1.
    """
    place: FloatArray = np.rint(2.0 * scores - 0.5)
    if scale.is_consecutive_integers:
        return place
    step = float(scale.values[1] - scale.values[0])
    return float(scale.values[0]) + step * (place - 1.0)
