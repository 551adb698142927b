"""Many conferences at once: the copies that bootstraps draw, side by side as one conference.

Copies share no paper, so that one solve finds the scores of them all.
"""

from __future__ import annotations

import numpy as np

from unround.arrays import IntArray
from unround.card.index import prefix_sums
from unround.card.launch import CardArray, cuda, for_each
from unround.errors import UsageError
from unround.solver.gpu.conference import CardConference
from unround.solver.gpu.layout import MOST_REVIEWS


@cuda.jit
def _sizes(drawn: CardArray, start: CardArray, sizes: CardArray) -> None:
    place = cuda.grid(1)
    if place < drawn.size:
        sizes[place] = start[drawn[place] + 1] - start[drawn[place]]


@cuda.jit
def _copy(
    drawn: CardArray,
    reviewers: int,
    papers: int,
    start: CardArray,
    paper: CardArray,
    level: CardArray,
    worth: CardArray,
    new_start: CardArray,
    new_paper: CardArray,
    new_level: CardArray,
    new_worth: CardArray,
) -> None:
    """Copy the reviews of one drawn reviewer."""
    place = cuda.grid(1)
    if place < drawn.size:
        first = start[drawn[place]]
        shift = new_start[place] - first
        for k in range(first, start[drawn[place] + 1]):
            new_paper[k + shift] = place // reviewers * papers + paper[k]
            new_level[k + shift] = level[k]
            new_worth[k + shift] = worth[k]


def redrawn(conference: CardConference, drawn: IntArray) -> CardConference:
    """Return one copy of the conference per row of `drawn`, each of the reviewers that the row names.

    Paper p of copy c is paper c · papers + p; one that no drawn reviewer reviewed has no reviews there.
    """
    copies, reviewers = drawn.shape
    chosen = cuda.to_device(drawn.ravel().astype(np.int32))
    return copied(conference, chosen, copies, reviewers)


def copied(
    conference: CardConference, chosen: CardArray, copies: int, reviewers: int
) -> CardConference:
    """Return copies with so many reviewers each, chosen by an array on the card."""
    sizes = cuda.device_array(chosen.size, dtype=np.int32)
    for_each(_sizes, chosen.size, chosen, conference.start, sizes)
    start = cuda.device_array(chosen.size + 1, dtype=np.int32)
    reviews = prefix_sums(sizes, start)
    if reviews > MOST_REVIEWS:
        raise UsageError(
            f"{copies} copies have {reviews} reviews and one batch takes {MOST_REVIEWS}: draw fewer at a time"
        )
    batch = CardConference(
        start=start,
        paper=cuda.device_array(reviews, dtype=np.int32),
        level=cuda.device_array(reviews, dtype=np.uint8),
        worth=cuda.device_array(reviews, dtype=np.uint8),
        papers=copies * conference.papers,
    )
    for_each(
        _copy, chosen.size,
        chosen, reviewers, conference.papers,
        conference.start, conference.paper, conference.level, conference.worth,
        batch.start, batch.paper, batch.level, batch.worth,
    )  # fmt: skip
    return batch
