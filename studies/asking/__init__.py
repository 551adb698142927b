"""What asking reviewers about their contradictions is worth: `unround reproduce studies/asking`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from unround.arrays import FloatArray, IntArray
from unround.ballots.content import BallotContent, BallotPaper, pairs_of_groups
from unround.ballots.statements import find_contradictions
from unround.lab import Sample, data
from unround.lab.catalogue.conferences import unruly
from unround.simulate import Conference

MOST_LEVELS_OFF = 2  # of a slip


@data("asked")
def with_questions(
    trial: int,
    *,
    papers: int = 60,
    reviews_per_paper: int = 4,
    papers_per_reviewer: int = 4,
    noise: float = 0.5,
    swapped: float = 0.0,
    slipped: float = 0.0,
    mended: float = 0.0,
    scale: Sequence[Any] | None = None,
) -> Sample:
    """Draw from Thurstone's model with slips, some of which reviewers correct when asked about them.

    swapped  probability that two neighbours in a ranking change places
    slipped  probability that a score is one or two levels off
    mended   share of contradictions that reviewers are asked about and correct: the order of the two
             papers where it is wrong, else their scores
    """
    sample = unruly(
        trial,
        papers=papers,
        reviews_per_paper=reviews_per_paper,
        papers_per_reviewer=papers_per_reviewer,
        noise=noise,
        swapped=swapped,
        scale=scale,
    )
    random = np.random.default_rng([trial, 1])
    drawn = sample.conference
    right = np.searchsorted(drawn.scale.values, drawn.scale.nearest(drawn.truth))
    level = _with_slips(right, len(drawn.scale.levels), slipped, random)
    rank = drawn.rankings["rank"].to_numpy().copy()
    for rows in _rows_by_reviewer(drawn.reviews):
        _correct(rows, right, level, rank, drawn.truth, mended, random)
    return Sample(_replaced(drawn, level, rank), seed=trial, quality=sample.quality)


def _with_slips(
    right: IntArray, levels: int, slipped: float, random: np.random.Generator
) -> IntArray:
    """Return levels of which some are off by one or two, to either side."""
    off = random.integers(1, MOST_LEVELS_OFF + 1, right.size) * random.choice((-1, 1), right.size)
    level = np.where(random.random(right.size) < slipped, right + off, right)
    clipped: IntArray = np.clip(level, 0, levels - 1)
    return clipped


def _rows_by_reviewer(reviews: pl.DataFrame) -> list[IntArray]:
    reviewer = reviews["reviewer"].to_numpy()
    order = np.argsort(reviewer, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(reviewer[order])) + 1)


def _correct(
    rows: IntArray,
    right: IntArray,
    level: IntArray,
    rank: IntArray,
    truth: FloatArray,
    mended: float,
    random: np.random.Generator,
) -> None:
    """Ask one reviewer about their contradictions, and change level and rank by the answers.

    One number is drawn per contradiction, asked or not, so that a larger share corrects what a smaller
    one does.
    """
    papers = [BallotPaper(str(row), None, int(level[row]), int(level[row])) for row in rows]
    order = sorted(rows.tolist(), key=lambda row: rank[row])
    content = BallotContent(groups=tuple((str(row),) for row in order))
    contradictions = find_contradictions(content, papers, pairs_of_groups(content.groups))
    chances = random.random(len(contradictions))
    for one, chance in zip(contradictions, chances, strict=True):
        pair = int(one.above), int(one.below)
        if chance >= mended:
            continue
        if truth[pair[0]] > truth[pair[1]]:
            level[list(pair)] = right[list(pair)]
        else:
            order = _reordered(order, pair, truth)
    rank[order] = np.arange(1, len(order) + 1)


def _reordered(order: list[int], pair: tuple[int, int], truth: FloatArray) -> list[int]:
    """Move two papers to where the reviewer's opinions put them: each above the first that is worse."""
    order = [row for row in order if row not in pair]
    for row in sorted(pair, key=lambda row: truth[row]):
        worse = (place for place, other in enumerate(order) if truth[other] < truth[row])
        order.insert(next(worse, len(order)), row)
    return order


def _replaced(drawn: Conference, level: IntArray, rank: IntArray) -> Conference:
    """Return the conference with these levels and ranks; every review is ranked."""
    scores = np.array(drawn.scale.levels)[level]
    reviews = drawn.reviews.with_columns(pl.Series("score", scores))
    return Conference(reviews, drawn.rankings.with_columns(rank=rank), drawn.truth, drawn.scale)
